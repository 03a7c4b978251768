import type { Entry } from './entry.ts';

/**
 * Part of the interval between two updates of a track by which an update may be early, if a flush takes place anyway.
 * Otherwise each of hundreds of tracks would cause flushes of its own. Updates keep their schedule, so the rate holds.
 */
const EARLY_PART = 1 / 25;

/**
 * Number of updates in one flush, or the part of the waiting tracks if that is more. Tracks whose updates were late once
 * are due together ever after. A flush of hundreds of them takes many milliseconds, and its objects outlive two
 * collections of the young heap, which moves them to the old one. The rest follows in the next flush, and so is apart.
 */
const AT_ONCE = 48;
const PART_AT_ONCE = 1 / 12;

/** Tracks with unpublished changes, each due once in an interval. None is collected before a reader watches. */
export class Updates {
  readonly #intervalMs: number;
  /** Changed tracks in the order of their changes; a deleted one stays until the next flush, without its mark. */
  readonly #changed: Entry[] = [];
  isWatched: boolean;
  /** No waiting update is due earlier than this; infinite if none waits. */
  #earliestMs = Number.POSITIVE_INFINITY;

  constructor(trackHz: number, isWatched: boolean) {
    this.#intervalMs = 1_000 / trackHz;
    this.isWatched = isWatched;
  }

  add(entry: Entry): void {
    if (!this.isWatched) return;
    this.#earliestMs = Math.min(this.#earliestMs, entry.dueMs);
    if (entry.isChanged) return;
    entry.isChanged = true;
    this.#changed.push(entry);
  }

  delete(entry: Entry): void {
    entry.isChanged = false;
  }

  /** Time at which the next flush is due, by the viewers' clock, ms; null if no update waits. */
  dueMs(): number | null {
    return this.#earliestMs === Number.POSITIVE_INFINITY ? null : this.#earliestMs;
  }

  /**
   * Calls `publish` with due tracks and the scheduled times of their updates, and schedules the next ones. Tracks that are
   * due at once (`dueMs` 0) are never left for the next flush.
   */
  takeDue(nowMs: number, publish: (entry: Entry, scheduledMs: number) => void): void {
    const changed = this.#changed;
    let room = Math.max(AT_ONCE, changed.length * PART_AT_ONCE);
    let left = 0;
    this.#earliestMs = Number.POSITIVE_INFINITY;
    for (const entry of changed) {
      if (!entry.isChanged) continue;
      const isDue = entry.dueMs <= nowMs + this.#intervalMs * EARLY_PART;
      if (!isDue || (entry.dueMs > 0 && --room < 0)) {
        changed[left++] = entry;
        this.#earliestMs = Math.min(this.#earliestMs, entry.dueMs);
        continue;
      }
      entry.isChanged = false;
      const scheduledMs = Math.max(entry.dueMs, nowMs);
      entry.dueMs = scheduledMs + this.#intervalMs;
      publish(entry, scheduledMs);
    }
    changed.length = left;
  }
}
