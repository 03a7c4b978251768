import type { StreamEvent } from '../../model/event.ts';
import { collapseOf } from './collapse.ts';

/**
 * The events that wait for one object. `begun` (it is new to the client), `changed` and `state` belong to its present
 * life; `removed` to a former one whose end the client has not received yet.
 */
type Waiting = { removed?: StreamEvent; begun?: StreamEvent; changed?: StreamEvent; state?: StreamEvent };

type Fields = Record<string, unknown>;

/** Events that were merged, and the range of numbers they were merged from. */
export type Batch = { events: StreamEvent[]; firstSeq: number; lastSeq: number };

/**
 * Events that a blocked client has not been sent: at most four an object, and a list of those that must not merge.
 * A client that applies the events of `take` in order ends with the same objects as if nothing had waited.
 */
export class Pending {
  private readonly objects = new Map<string, Waiting>();
  private kept: StreamEvent[] = [];
  private firstSeq = 0;
  private lastSeq = 0;

  get isEmpty(): boolean {
    return this.firstSeq === 0;
  }

  get keptCount(): number {
    return this.kept.length;
  }

  get objectCount(): number {
    return this.objects.size;
  }

  add(event: StreamEvent): void {
    if (this.isEmpty) this.firstSeq = event.seq;
    this.lastSeq = event.seq;
    const { how, family } = collapseOf[event.kind];
    if (how === 'keep' || how === 'restart') {
      this.kept.push(event);
      return;
    }
    const { id, track_id } = event.body as Fields;
    const key = `${family}:${String(id ?? track_id ?? '')}`;
    if (how === 'remove') {
      if (endsUnseen(this.objects.get(key))) this.objects.delete(key);
      else this.objects.set(key, { removed: event });
      return;
    }
    const waiting = this.objects.get(key) ?? {};
    this.objects.set(key, waiting);
    if (how === 'new') waiting.begun = event;
    else if (how === 'merge') addChange(waiting, event);
    else if (how === 'replace') waiting.changed = event;
    else addState(waiting, event);
  }

  /** Everything that waits, in order; after it nothing waits. */
  take(): Batch {
    const events = this.kept;
    for (const { removed, begun, changed, state } of this.objects.values()) {
      for (const event of [removed, begun, changed, state]) if (event !== undefined) events.push(event);
    }
    const batch = { events: events.sort((a, b) => a.seq - b.seq), firstSeq: this.firstSeq, lastSeq: this.lastSeq };
    this.clear();
    return batch;
  }

  clear(): void {
    this.kept = [];
    this.objects.clear();
    this.firstSeq = 0;
  }
}

/** An object that came and went while the client was blocked was never there, unless a former life of it was. */
function endsUnseen(waiting: Waiting | undefined): boolean {
  return waiting?.begun !== undefined && waiting.removed === undefined;
}

function addChange(waiting: Waiting, event: StreamEvent): void {
  if (waiting.begun !== undefined) waiting.begun = merged(waiting.begun, event);
  else waiting.changed = waiting.changed === undefined ? event : merged(waiting.changed, event);
}

/** The earlier event with the later one's fields, number and time; both stay as they are, for others hold them too. */
function merged(earlier: StreamEvent, later: StreamEvent): StreamEvent {
  return { ...earlier, seq: later.seq, at: later.at, body: { ...earlier.body, ...later.body } };
}

/**
 * A change of state. An object the client does not know yet simply begins in the new state. Else the two ends are
 * kept, nothing where they are the same, and a waiting change is kept from telling an older state afterwards.
 */
function addState(waiting: Waiting, event: StreamEvent): void {
  const { state } = event.body as Fields;
  if (waiting.begun !== undefined) {
    waiting.begun = { ...waiting.begun, seq: event.seq, at: event.at, body: { ...waiting.begun.body, state } };
    return;
  }
  const { changed } = waiting;
  if (changed !== undefined && 'state' in changed.body)
    waiting.changed = { ...changed, body: { ...changed.body, state } };
  const was = ((waiting.state ?? event).body as Fields).was;
  if (was === state) delete waiting.state;
  else waiting.state = { ...event, body: { ...event.body, was } };
}
