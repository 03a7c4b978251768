import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel } from '../model/actor.ts';
import { Fault } from '../model/fault.ts';
import type { Hold, HoldSpec } from '../model/hold.ts';
import { formatTime } from '../model/time.ts';
import { type HoldRow, type HoldRows, holdRows } from '../store/holds.ts';
import type { RegistryRim } from './rim.ts';

/** Retention looks at each of them for each day. */
const MOST_HOLDS = 200;

/** What a person keeps from retention: evidence that somebody may ask for. */
export class Holds {
  readonly #rim: RegistryRim;
  readonly #rows: HoldRows;
  /** Told after each change: the history is to know at once. */
  onChange: () => void = () => {};

  constructor(rim: RegistryRim) {
    this.#rim = rim;
    this.#rows = holdRows(rim.state);
  }

  /** The newest first. */
  list(): Hold[] {
    return this.#rows.list(this.#rim.workspaceId).map(toldOf);
  }

  get(id: string): Hold {
    return toldOf(this.#get(id));
  }

  create(spec: HoldSpec, by: Actor): Hold {
    const { ledger, workspaceId } = this.#rim;
    const { track_id = null, since = null, until = null, reason } = spec;
    if (track_id === null && since === null && until === null) {
      throw new Fault('invalid_input', 'a hold needs track_id, since or until: it must say what it keeps');
    }
    if (since !== null && until !== null && Date.parse(since) >= Date.parse(until)) {
      throw new Fault('invalid_input', "'since' must be earlier than 'until'");
    }
    const row: HoldRow = {
      id: randomUUID(),
      workspaceId,
      track_id,
      since: since === null ? null : formatTime(Date.parse(since)),
      until: until === null ? null : formatTime(Date.parse(until)),
      reason,
      created_at: ledger.nowText(),
      created_by: actorLabel(by),
    };
    ledger.change('The hold', () => {
      if (this.#rows.list(workspaceId).length >= MOST_HOLDS) {
        throw new Fault('conflict', `there are ${MOST_HOLDS} holds already; delete one that is no longer needed`);
      }
      this.#rows.insert(row);
      return { result: undefined, deed: this.#deed('created', row, by) };
    });
    this.onChange();
    return toldOf(row);
  }

  remove(id: string, by: Actor): void {
    const row = this.#get(id);
    this.#rim.ledger.change('The removal of the hold', () => {
      this.#rows.delete(this.#rim.workspaceId, id);
      return { result: undefined, deed: this.#deed('deleted', row, by) };
    });
    this.onChange();
  }

  #deed(what: 'created' | 'deleted', row: HoldRow, by: Actor) {
    const { workspaceId } = this.#rim;
    const label = labelOf(row);
    return {
      kind: `hold.${what}`,
      severity: 'notice',
      text: `the hold on ${label} was ${what}`,
      by,
      workspaceId,
      subject: { type: 'hold', id: row.id, label },
      before: what === 'deleted' ? toldOf(row) : null,
      after: what === 'created' ? toldOf(row) : null,
      reason: row.reason,
    } as const;
  }

  #get(id: string): HoldRow {
    const row = this.#rows.get(this.#rim.workspaceId, id);
    if (!row) throw new Fault('not_found', `there is no hold with the id ${id}`);
    return row;
  }
}

function toldOf({ workspaceId: _workspace, ...hold }: HoldRow): Hold {
  return hold;
}

function labelOf({ track_id, since, until }: Hold): string {
  const period = `${since === null ? '' : ` from ${since}`}${until === null ? '' : ` until ${until}`}`;
  return `${track_id === null ? 'everything' : `track ${track_id}`}${period}`;
}
