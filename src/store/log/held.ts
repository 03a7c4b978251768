import type { DayFiles } from './day_files.ts';
import { DAY_MS, type Day, dayStartMs } from './days.ts';
import type { Scalar } from './packed.ts';

/**
 * Span under hold, from `sinceMs` inclusive to `untilMs` exclusive. It protects one track, or all data if `trackId` is
 * null.
 */
export type HeldSpan = { readonly trackId: string | null; readonly sinceMs: number; readonly untilMs: number };

export type HeldCondition = readonly [sql: string, values: readonly Scalar[]];

/** Finds the days that retention must not delete, and the protected rows within a day. */
export class Held {
  readonly #files: DayFiles;
  #spans: readonly HeldSpan[];
  /** Cached results of days before yesterday, whose data no longer changes. */
  readonly #known = new Map<Day, boolean>();

  constructor(files: DayFiles, spans: readonly HeldSpan[]) {
    this.#files = files;
    this.#spans = spans;
  }

  set(spans: readonly HeldSpan[]): void {
    this.#spans = spans;
    this.#known.clear();
  }

  /**
   * Returns true if a hold protects the file of `day`, which is before `today`. A hold of all data protects each day that
   * it touches. A hold of a track protects such a day only if its file contains the track, or is missing or unreadable.
   */
  holds(day: Day, today: Day): boolean {
    const spans = this.#touching(day);
    if (spans.length === 0 || spans.some(({ trackId }) => trackId === null)) return spans.length > 0;
    const known = this.#known.get(day) ?? this.#evaluate(day, spans);
    if (dayStartMs(today) - dayStartMs(day) > DAY_MS) this.#known.set(day, known);
    return known;
  }

  /** Returns the SQL condition of a day's held rows; null if there are none. `time` is the name of the time column. */
  condition(day: Day, time: string): HeldCondition | null {
    const spans = this.#touching(day);
    if (spans.length === 0) return null;
    const sql = spans.map(
      ({ trackId }) => `(${trackId === null ? '' : 'track_id IS ? AND '}${time} >= ? AND ${time} < ?)`,
    );
    const values = spans.flatMap(({ trackId, sinceMs, untilMs }) =>
      trackId === null ? [sinceMs, untilMs] : [trackId, sinceMs, untilMs],
    );
    return [`(${sql.join(' OR ')})`, values];
  }

  #touching(day: Day): HeldSpan[] {
    const startMs = dayStartMs(day);
    return this.#spans.filter(({ sinceMs, untilMs }) => sinceMs < startMs + DAY_MS && untilMs > startMs);
  }

  #evaluate(day: Day, spans: readonly HeldSpan[]): boolean {
    const found = this.#files.read(day, ({ db }) => {
      const one = db.prepare<[string, string, string]>(
        `SELECT 1 WHERE EXISTS (SELECT 1 FROM points WHERE track_id = ?)
           OR EXISTS (SELECT 1 FROM detections WHERE track_id = ?) OR EXISTS (SELECT 1 FROM tracks WHERE track_id = ?)`,
      );
      return spans.some(({ trackId }) => trackId !== null && one.get(trackId, trackId, trackId) !== undefined);
    });
    return found ?? true;
  }
}
