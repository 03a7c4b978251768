import type { Identity } from '../model/observation.ts';
import { dayOf, type Visit, type VisitRows } from '../store/visits.ts';
import type { Named } from './track_news.ts';

/** Identities that an aircraft keeps from day to day. */
const lasting: ReadonlySet<Identity['type']> = new Set(['serial', 'caa']);
/** Longest absence within one visit, ms. A visit may last over midnight. */
const SAME_VISIT_MS = 6 * 3_600_000;
/**
 * Limit of the visits that wait to be written. The limit is needed because a transmitter can invent any number of
 * identities.
 */
const MOST_WAITING = 500;
const PRUNE_EVERY_MS = 3_600_000;

/** Counts on how many earlier days an aircraft was here. New visits are written together, once a second. */
export class Visits {
  readonly #rows: VisitRows;
  readonly #workspaceId: string;
  readonly #utcMs: () => number;
  /**
   * Confirmed tracks with a lasting identity (`name`), by track number. `days` is the number of earlier days with that
   * identity. `isStranger` is true once the track was not a friend by telemetry or assignment.
   */
  readonly #known = new Map<number, { name: string; days: number; isStranger: boolean }>();
  readonly #waiting = new Map<string, Visit>();
  readonly #mayPrune: () => boolean;
  #prunedMs = Number.NEGATIVE_INFINITY;

  /** `mayPrune` returns true if the clock is reliable enough to delete old visits. */
  constructor(rows: VisitRows, workspaceId: string, utcMs: () => number, mayPrune: () => boolean) {
    this.#mayPrune = mayPrune;
    this.#rows = rows;
    this.#workspaceId = workspaceId;
    this.#utcMs = utcMs;
  }

  /**
   * Records a visit of a confirmed track, and returns on how many earlier days its identity was here. Returns null for
   * a track without a lasting identity, and while the identity is the same as in the last call for this track. A day on
   * which the aircraft was always a friend by telemetry or assignment does not count.
   */
  receive(number: number, { identities }: Named, isSureFriend: boolean): number | null {
    const found = identities.find(({ type }) => lasting.has(type));
    if (!found) return null;
    const name = `${found.type}:${found.value}`;
    if (!isSureFriend) this.#write(name);
    const known = this.#known.get(number);
    if (known?.name === name) {
      known.isStranger ||= !isSureFriend;
      return null;
    }
    const days = this.#rows.earlierDays(this.#workspaceId, name, this.#utcMs() - SAME_VISIT_MS);
    this.#known.set(number, { name, days, isStranger: !isSureFriend });
    return days;
  }

  forget(number: number): void {
    const known = this.#known.get(number);
    if (!known) return;
    if (known.isStranger) this.#write(known.name);
    this.#known.delete(number);
  }

  #write(name: string): void {
    if (this.#waiting.size >= MOST_WAITING) return;
    const nowMs = this.#utcMs();
    this.#waiting.set(name, { name, day: dayOf(nowMs), lastMs: nowMs });
  }

  /** Writes the waiting visits, and deletes old ones once an hour. Call this about once a second, and at the end. */
  flush(): void {
    const visits = [...this.#waiting.values()];
    this.#waiting.clear();
    if (visits.length > 0) this.#rows.put(this.#workspaceId, visits);
    const nowMs = this.#utcMs();
    if (nowMs - this.#prunedMs < PRUNE_EVERY_MS) return;
    this.#prunedMs = nowMs;
    this.#rows.prune(this.#workspaceId, this.#mayPrune() ? nowMs : null);
  }
}
