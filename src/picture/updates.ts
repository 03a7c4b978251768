import type { Entry } from './entry.ts';

/**
 * Part of the interval between two updates of a track by which an update may be early, if a flush takes place anyway.
 * Otherwise each of hundreds of tracks would cause flushes of its own. Updates keep their schedule, so the rate holds.
 */
const EARLY_PART = 1 / 25;

/** Tracks with unpublished changes, each due once in an interval. None is collected before a reader watches. */
export class Updates {
  readonly #intervalMs: number;
  readonly #changed = new Set<Entry>();
  isWatched: boolean;

  constructor(trackHz: number, isWatched: boolean) {
    this.#intervalMs = 1_000 / trackHz;
    this.isWatched = isWatched;
  }

  add(entry: Entry): void {
    if (this.isWatched) this.#changed.add(entry);
  }

  delete(entry: Entry): void {
    this.#changed.delete(entry);
  }

  /** Time at which the next update is due, by the viewers' clock, ms; null if none waits. */
  dueMs(): number | null {
    let due: number | null = null;
    for (const entry of this.#changed) if (due === null || entry.dueMs < due) due = entry.dueMs;
    return due;
  }

  /** Calls `publish` with each due track and the scheduled time of its update, and schedules the next one. */
  takeDue(nowMs: number, publish: (entry: Entry, scheduledMs: number) => void): void {
    for (const entry of this.#changed) {
      if (entry.dueMs > nowMs + this.#intervalMs * EARLY_PART) continue;
      this.#changed.delete(entry);
      const scheduledMs = Math.max(entry.dueMs, nowMs);
      entry.dueMs = scheduledMs + this.#intervalMs;
      publish(entry, scheduledMs);
    }
  }
}
