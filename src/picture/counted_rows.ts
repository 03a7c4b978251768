import { sameJson } from '../model/same_json.ts';

/** Least interval between two publications of a row if only its counters changed, ms of world time. */
const COUNTERS_EVERY_MS = 5_000;

/**
 * Rows that are read once a second and contain counters. A row is published at once if a field other than a counter
 * changed. If only counters changed, it waits, so that busy links do not fill the stream.
 */
export class CountedRows<T extends { id: string }> {
  readonly #counters: ReadonlySet<string>;
  readonly #published = new Map<string, { row: T; atMs: number }>();

  constructor(counters: readonly (keyof T & string)[]) {
    this.#counters = new Set(counters);
  }

  /**
   * Takes the current row and returns whether it must be published now. A row that is held back must be passed again
   * later.
   */
  take(row: T, nowMs: number): boolean {
    const before = this.#published.get(row.id);
    if (before && this.#isHeld(before, row, nowMs)) return false;
    this.#published.set(row.id, { row, atMs: nowMs });
    return true;
  }

  #isHeld({ row: published, atMs }: { row: T; atMs: number }, row: T, nowMs: number): boolean {
    for (const field of Object.keys(row) as (keyof T & string)[])
      if (!this.#counters.has(field) && !sameJson(published[field], row[field])) return false;
    // The absolute difference ensures that a clock that was set back does not hold a row back.
    return sameJson(published, row) || Math.abs(nowMs - atMs) < COUNTERS_EVERY_MS;
  }

  delete(id: string): boolean {
    return this.#published.delete(id);
  }

  ids(): string[] {
    return [...this.#published.keys()];
  }

  /** Rows as last published. */
  rows(): T[] {
    return [...this.#published.values()].map(({ row }) => row);
  }
}
