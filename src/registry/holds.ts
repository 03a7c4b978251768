import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel } from '../model/actor.ts';
import { conflict, invalidInput, notFound } from '../model/fault.ts';
import type { Hold, HoldSpec } from '../model/hold.ts';
import { Listeners } from '../model/listeners.ts';
import { formatTime } from '../model/time.ts';
import { type HoldRows, holdRows } from '../store/holds.ts';
import type { RegistryDeps } from './deps.ts';

/** Limit of the holds in a workspace; retention checks every hold for every day. */
const MOST_HOLDS = 200;

/** Holds, which protect evidence from retention. */
export class Holds {
  readonly #deps: RegistryDeps;
  readonly #rows: HoldRows;
  /** Emitted after each change; the history then applies the holds at once. */
  readonly changed = new Listeners();

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
    this.#rows = holdRows(deps.state);
  }

  /** Returns all holds, the newest first. */
  list(): Hold[] {
    return this.#rows.list(this.#deps.workspaceId);
  }

  get(id: string): Hold {
    const hold = this.#rows.get(this.#deps.workspaceId, id);
    if (!hold) throw notFound(`there is no hold with the id ${id}`);
    return hold;
  }

  create(spec: HoldSpec, by: Actor): Hold {
    const { ledger, workspaceId } = this.#deps;
    const { track_id = null, since = null, until = null, reason } = spec;
    if (track_id === null && since === null && until === null) {
      throw invalidInput('a hold needs track_id, since or until, which say what it protects');
    }
    if (since !== null && until !== null && Date.parse(since) >= Date.parse(until)) {
      throw invalidInput("'since' must be earlier than 'until'");
    }
    const row: Hold = {
      id: randomUUID(),
      track_id,
      since: since === null ? null : formatTime(Date.parse(since)),
      until: until === null ? null : formatTime(Date.parse(until)),
      reason,
      created_at: ledger.nowText(),
      created_by: actorLabel(by),
    };
    ledger.change('The hold', () => {
      if (this.#rows.list(workspaceId).length >= MOST_HOLDS) {
        throw conflict(
          `the workspace already has ${MOST_HOLDS} holds, the most allowed: delete one that is no longer needed`,
        );
      }
      this.#rows.insert(workspaceId, row);
      return { result: undefined, deed: this.#deed('created', row, by) };
    });
    this.changed.emit();
    return row;
  }

  remove(id: string, by: Actor): void {
    const row = this.get(id);
    this.#deps.ledger.change('The removal of the hold', () => {
      this.#rows.delete(this.#deps.workspaceId, id);
      return { result: undefined, deed: this.#deed('deleted', row, by) };
    });
    this.changed.emit();
  }

  #deed(what: 'created' | 'deleted', row: Hold, by: Actor) {
    const { workspaceId } = this.#deps;
    const label = labelOf(row);
    return {
      kind: `hold.${what}`,
      severity: 'notice',
      text: `the hold on ${label} was ${what}`,
      by,
      workspaceId,
      subject: { type: 'hold', id: row.id, label },
      before: what === 'deleted' ? row : null,
      after: what === 'created' ? row : null,
      reason: row.reason,
    } as const;
  }
}

function labelOf({ track_id, since, until }: Hold): string {
  const period = `${since === null ? '' : ` from ${since}`}${until === null ? '' : ` until ${until}`}`;
  return `${track_id === null ? 'everything' : `track ${track_id}`}${period}`;
}
