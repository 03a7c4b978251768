import { sameJson } from '../model/same_json.ts';

/** Minimum interval between two publications of a row where only counters changed, ms of world time. */
const COUNTERS_EVERY_MS = 5_000;

/**
 * Rows that are read once a second and have counters beside other fields. A row is published at once where another
 * field changed. Counters alone wait, so that busy links do not fill the stream.
 */
export class CountedRows<T extends { id: string }> {
  readonly #counters: ReadonlySet<string>;
  readonly #published = new Map<string, { row: T; atMs: number }>();

  constructor(counters: readonly (keyof T & string)[]) {
    this.#counters = new Set(counters);
  }

  /** Takes the present row; returns whether it is published now. A row that is held back must be passed again later. */
  take(row: T, nowMs: number): boolean {
    const before = this.#published.get(row.id);
    if (before && this.#isHeld(before, row, nowMs)) return false;
    this.#published.set(row.id, { row, atMs: nowMs });
    return true;
  }

  #isHeld({ row: published, atMs }: { row: T; atMs: number }, row: T, nowMs: number): boolean {
    for (const field of Object.keys(row) as (keyof T & string)[])
      if (!this.#counters.has(field) && !sameJson(published[field], row[field])) return false;
    // A clock that was set back holds no row back.
    return sameJson(published, row) || Math.abs(nowMs - atMs) < COUNTERS_EVERY_MS;
  }

  delete(id: string): boolean {
    return this.#published.delete(id);
  }

  ids(): string[] {
    return [...this.#published.keys()];
  }

  /** The rows as last published. */
  rows(): T[] {
    return [...this.#published.values()].map(({ row }) => row);
  }
}
