import type { Entry } from './entry.ts';

/**
 * Part of the interval between two updates of a track by which an update may be early, if a flush takes place anyway.
 * Otherwise each of hundreds of tracks would cause flushes of its own. Updates keep their schedule, so the rate holds.
 */
const EARLY_PART = 1 / 25;

/**
 * Greatest number of regular updates in one flush, or the waiting tracks' share of twice the time since the last flush, if
 * that is more. Updates that were late in one flush get the same next due time, and would be flushed together from then
 * on. A flush of hundreds takes many milliseconds. Its objects outlive two collections of the young heap, which moves
 * them to the old one.
 */
const AT_ONCE = 48;

/** Tracks with unpublished changes, each due once in an interval. None is collected before a reader watches. */
export class Updates {
  readonly #intervalMs: number;
  /** Changed tracks in the order of their changes; a deleted one stays until the next flush, without its mark. */
  readonly #changed: Entry[] = [];
  isWatched: boolean;
  /** No waiting update is due earlier than this; infinite if none waits. */
  #earliestMs = Number.POSITIVE_INFINITY;
  #flushedMs = Number.NEGATIVE_INFINITY;

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
   * Calls `publish` with due tracks and the scheduled times of their updates, and schedules the next ones. Only regular
   * updates may be left for the next flush: not those that are due at once (`dueMs` 0) or that follow a pause.
   */
  takeDue(nowMs: number, publish: (entry: Entry, scheduledMs: number) => void): void {
    const changed = this.#changed;
    let room = Math.max(AT_ONCE, (changed.length * 2 * (nowMs - this.#flushedMs)) / this.#intervalMs);
    this.#flushedMs = nowMs;
    this.#earliestMs = Number.POSITIVE_INFINITY;
    let [at, left] = [0, 0];
    try {
      for (; at < changed.length; at++) {
        const entry = changed[at] as Entry;
        if (!entry.isChanged) continue;
        if (!this.#isDue(entry, nowMs) || (this.#isRegular(entry, nowMs) && --room < 0)) {
          changed[left++] = entry;
          this.#earliestMs = Math.min(this.#earliestMs, entry.dueMs);
          continue;
        }
        entry.isChanged = false;
        const scheduledMs = Math.max(entry.dueMs, nowMs);
        entry.dueMs = scheduledMs + this.#intervalMs;
        publish(entry, scheduledMs);
      }
    } finally {
      this.#keepFrom(at + 1, left);
    }
  }

  #isDue(entry: Entry, nowMs: number): boolean {
    return entry.dueMs <= nowMs + this.#intervalMs * EARLY_PART;
  }

  #isRegular(entry: Entry, nowMs: number): boolean {
    return entry.dueMs + this.#intervalMs > nowMs;
  }

  /** Keeps the first `left` tracks, and those from `at` on, which a failure of `publish` left. */
  #keepFrom(at: number, left: number): void {
    const rest = this.#changed.slice(at);
    this.#changed.length = left;
    for (const entry of rest) {
      this.#changed.push(entry);
      this.#earliestMs = Math.min(this.#earliestMs, entry.dueMs);
    }
  }
}
