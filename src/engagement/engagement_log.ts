import type { Engagement } from '../model/engagement.ts';
import type { EngagementRows } from '../store/engagements.ts';
import type { Deed, Ledger } from '../store/ledger.ts';
import { type Held, isOpen } from './held.ts';

/** Limit of open engagements. */
const MOST_OPEN = 500;
/** Limit of ended engagements in memory. */
const MOST_ENDED = 500;
/** Limit of ended engagements on disk, applied at each start and after each `PRUNE_EVERY` ended engagements. */
const MOST_KEPT = 10_000;
const PRUNE_EVERY = 100;
/** Time for which ended engagements stay in memory, ms. */
const SHOWN_MS = 3_600_000;
/**
 * Least interval between publications of an engagement if only the progress of its tasks changed, ms. The event
 * `task_update` reports the progress each second.
 */
const PROGRESS_EVERY_MS = 5_000;

type Deps = {
  rows: EngagementRows;
  ledger: Ledger;
  workspaceId: string;
  publish(row: Engagement): void;
  trouble(thrown: unknown, text: string): void;
};
type Change = { held: Held; to: Partial<Engagement> };

/** Engagements of a workspace, in memory and on disk. `revision` increases with each change. */
export class EngagementLog {
  readonly #deps: Deps;
  readonly #open = new Map<string, Held>();
  readonly #ended = new Map<string, Engagement>();
  /** World time of the first unpublished progress, by engagement id, ms. */
  readonly #progressed = new Map<string, number>();
  /** Number of engagements that ended since the last `prune`. */
  #unpruned = 0;
  revision = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Ends engagements that an earlier run left open: `ended` returns the final row of each. Loads up to `MOST_ENDED`
   * engagements that ended within the last hour.
   */
  begin(ended: (row: Engagement) => Engagement, deedOf: (rows: readonly Engagement[]) => Deed, utcMs: number): void {
    const { rows, ledger, workspaceId } = this.#deps;
    const left = rows.open(workspaceId).map(ended);
    if (left.length > 0)
      ledger.change('The engagements of the run before', () => {
        for (const row of left) rows.put(workspaceId, row, true);
        return { result: undefined, deed: deedOf(left) };
      });
    for (const row of rows.since(workspaceId, utcMs - SHOWN_MS, MOST_ENDED)) this.#ended.set(row.id, row);
  }

  get(id: string): Engagement | undefined {
    return this.#open.get(id)?.engagement ?? this.#ended.get(id);
  }

  held(id: string): Held | undefined {
    return this.#open.get(id);
  }

  allHeld(): Held[] {
    return [...this.#open.values()];
  }

  open(): Engagement[] {
    return this.allHeld().map(({ engagement }) => engagement);
  }

  /**
   * Returns the open engagements, then the ended ones in memory, the last ended first. Those of an earlier run come
   * last, the last begun first.
   */
  all(): Engagement[] {
    return [...this.open(), ...[...this.#ended.values()].reverse()];
  }

  get room(): number {
    return MOST_OPEN - this.#open.size;
  }

  /** Writes changed and new engagements with their audit rows in one transaction. */
  write(what: string, changes: readonly Change[], added: readonly Held[], deeds: readonly Deed[] = []): void {
    const { rows, ledger, workspaceId } = this.#deps;
    const next = this.#changed(changes);
    ledger.change(what, () => {
      for (const row of [...next, ...added.map(({ engagement }) => engagement)])
        rows.put(workspaceId, row, !isOpen(row));
      for (const deed of deeds) ledger.note(deed);
      return { result: undefined, deed: null };
    });
    this.#take(changes, next, added);
  }

  /**
   * Like `write`, for changes that have already happened: if the disk fails, memory is updated without the rows on
   * disk.
   */
  follow(what: string, changes: readonly Change[], deeds: readonly Deed[] = []): void {
    try {
      this.#deps.ledger.vital(() => this.write(what, changes, [], deeds));
    } catch (thrown) {
      this.#deps.trouble(thrown, `${what} was not written`);
      this.#take(changes, this.#changed(changes), []);
    }
  }

  #changed(changes: readonly Change[]): Engagement[] {
    const at = this.#deps.ledger.nowText();
    return changes.map(({ held, to }) => ({ ...held.engagement, ...to, updated_at: at }));
  }

  /** Updates the tasks of an engagement that ended before its tasks did. */
  amend(id: string, tasks: Engagement['tasks']): void {
    const ended = this.#ended.get(id);
    if (!ended) return;
    const { rows, ledger, workspaceId, trouble } = this.#deps;
    const row = { ...ended, tasks, updated_at: ledger.nowText() };
    this.#ended.set(id, row);
    this.revision++;
    try {
      ledger.change('The engagement', () => ({ result: rows.put(workspaceId, row, true), deed: null }));
    } catch (thrown) {
      trouble(thrown, 'The engagement was not written');
    }
    this.#publish(row);
  }

  /**
   * Stores the progress of tasks in memory: distance, remaining time, closest approach, breaches. Only changes of a
   * task's state or phase are written to disk. Urgent progress is published at once, other progress by
   * `publishProgress`.
   */
  progress(id: string, tasks: Engagement['tasks'], nowMs: number, urgent: boolean): void {
    const held = this.#open.get(id);
    const row = held?.engagement ?? this.#ended.get(id);
    if (!row) return;
    const next = { ...row, tasks, updated_at: this.#deps.ledger.nowText() };
    if (held) held.engagement = next;
    else this.#ended.set(id, next);
    this.revision++;
    if (urgent) this.#publish(next);
    else if (!this.#progressed.has(id)) this.#progressed.set(id, nowMs);
  }

  /** Publishes engagements with unpublished progress. Called once a second. */
  publishProgress(nowMs: number): void {
    for (const [id, sinceMs] of this.#progressed) {
      const row = this.get(id);
      if (!row) this.#progressed.delete(id);
      else if (nowMs - sinceMs >= PROGRESS_EVERY_MS) this.#publish(row);
    }
  }

  #publish(row: Engagement): void {
    this.#progressed.delete(row.id);
    this.#deps.publish(row);
  }

  /**
   * Removes from memory the ended engagements that have not changed for an hour, and the oldest ones beyond
   * `MOST_ENDED`. Prunes the disk when many have ended.
   */
  sweep(utcMs: number): void {
    for (const [id, { updated_at }] of this.#ended)
      if (Date.parse(updated_at) < utcMs - SHOWN_MS || this.#ended.size > MOST_ENDED) this.#ended.delete(id);
    if (this.#unpruned >= PRUNE_EVERY) this.#pruneOrReport();
  }

  /** Deletes the oldest ended engagements beyond `MOST_KEPT` from the disk. */
  prune(): void {
    const { rows, ledger, workspaceId } = this.#deps;
    // Reset first, so that a disk that fails is not tried again each second.
    this.#unpruned = 0;
    ledger.change('The engagements', () => ({ result: rows.prune(workspaceId, MOST_KEPT), deed: null }));
  }

  #pruneOrReport(): void {
    try {
      this.prune();
    } catch (thrown) {
      this.#deps.trouble(thrown, 'Old engagements were not deleted');
    }
  }

  #take(changes: readonly Change[], next: readonly Engagement[], added: readonly Held[]): void {
    for (const [index, { held }] of changes.entries()) held.engagement = next[index] ?? held.engagement;
    for (const held of [...changes.map((change) => change.held), ...added]) {
      const { engagement } = held;
      if (isOpen(engagement)) this.#open.set(engagement.id, held);
      else {
        this.#open.delete(engagement.id);
        this.#ended.set(engagement.id, engagement);
        this.#unpruned++;
      }
      this.revision++;
      this.#publish(engagement);
    }
  }
}
