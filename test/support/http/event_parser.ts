import type { EventKind, Tick } from '../../../src/model/event.ts';

export type Received = { id: string; kind: EventKind; seq: number; at: string; body: Record<string, unknown> };

/** Reads server-sent events from text that may be cut anywhere: `rest` is the begun event at its end. */
export function parseEvents(text: string): {
  events: Received[];
  comments: number;
  ticks: Tick[];
  rest: string;
} {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const events: Received[] = [];
  const ticks: Tick[] = [];
  let comments = 0;
  for (const block of blocks) {
    if (block.startsWith(':')) comments++;
    if (block.startsWith(':') || block.startsWith('retry:')) continue;
    if (block.startsWith('event: tick\n')) {
      ticks.push(JSON.parse(block.slice(block.indexOf('data: ') + 6)));
      continue;
    }
    const found = /^id: (.+)\nevent: (\w+)\ndata: (.+)$/.exec(block);
    if (found === null) throw new Error(`no event: ${block.slice(0, 200)}`);
    const [, id = '', kind = '', data = ''] = found;
    events.push({ id, kind: kind as EventKind, ...JSON.parse(data) });
  }
  return { events, comments, ticks, rest };
}

/** What a client of the stream makes of its events: objects by family and id, and the log in order. */
export class Mirror {
  objects = new Map<string, Record<string, unknown>>();
  logs: number[] = [];
  sim: unknown = null;

  apply({ kind, body, seq }: Pick<Received, 'kind' | 'body' | 'seq'>): void {
    const key = `${kind.split('_', 1)[0]}:${body.id ?? body.track_id}`;
    if (kind === 'snapshot') this.restart(body);
    else if (kind === 'log') this.logs.push(seq);
    else if (kind === 'sim_state') this.sim = body;
    else if (kind === 'health_update') this.objects.set('health', body);
    else if (kind === 'track_state') this.change(key, { state: body.state });
    else if (kind === 'track_update') this.change(key, body);
    else if (kind === 'zone_event') return;
    else if (kind.endsWith('_removed') || kind === 'threat_cleared') this.objects.delete(key);
    else if (kind !== 'resume') this.objects.set(key, body);
  }

  private restart(picture: Record<string, unknown>): void {
    this.objects.clear();
    for (const family of ['track', 'threat', 'sensor', 'link']) {
      for (const row of picture[`${family}s`] as Record<string, unknown>[])
        this.objects.set(`${family}:${row.id ?? row.track_id}`, row);
    }
    this.objects.set('health', picture.health as Record<string, unknown>);
    this.sim = picture.sim;
  }

  private change(key: string, fields: Record<string, unknown>): void {
    const row = this.objects.get(key);
    if (row === undefined) throw new Error(`a change of ${key}, which this client does not know`);
    this.objects.set(key, { ...row, ...fields });
  }

  /** For comparing: rows in order of their keys, with fields in order of theirs. */
  rows(): unknown {
    const sorted = [...this.objects].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([key, row]) => [key, Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))]);
  }
}
