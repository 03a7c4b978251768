import { sameJson } from '../model/same_json.ts';

/** Shortest time between two publications of a row of which counters alone changed, ms of the world's time. */
const COUNTERS_EVERY_MS = 5_000;

/**
 * Rows that are asked for once a second and hold counters beside what people look at. A row is published at once where
 * something else changed, so that busy links do not fill the stream.
 */
export class CountedRows<T extends { id: string }> {
  readonly #counters: ReadonlySet<string>;
  readonly #published = new Map<string, { row: T; atMs: number }>();

  constructor(counters: readonly (keyof T & string)[]) {
    this.#counters = new Set(counters);
  }

  /** Takes the present row; true where it is published now. A row that is held back must be given again. */
  take(row: T, nowMs: number): boolean {
    const before = this.#published.get(row.id);
    if (before && this.#isHeld(before, row, nowMs)) return false;
    this.#published.set(row.id, { row, atMs: nowMs });
    return true;
  }

  #isHeld({ row: published, atMs }: { row: T; atMs: number }, row: T, nowMs: number): boolean {
    for (const field of Object.keys(row) as (keyof T & string)[])
      if (!this.#counters.has(field) && !sameJson(published[field], row[field])) return false;
    // A clock that was set back holds nothing.
    return sameJson(published, row) || Math.abs(nowMs - atMs) < COUNTERS_EVERY_MS;
  }

  delete(id: string): boolean {
    return this.#published.delete(id);
  }

  ids(): string[] {
    return [...this.#published.keys()];
  }

  /** The rows as they were published last. */
  rows(): T[] {
    return [...this.#published.values()].map(({ row }) => row);
  }
}
