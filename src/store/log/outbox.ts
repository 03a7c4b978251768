import type { PackedRow } from './packed.ts';
import { type Dropped, HistoryQueue } from './queue.ts';

/** Rows that are posted and acknowledged together. A file ignores a batch whose number it already has. */
export type Batch = { readonly seq: number; readonly rows: readonly PackedRow[] };

export type OutboxLimits = {
  /** Limit of the rows that wait to be posted. */
  readonly waiting: number;
  /** Limit of the rows in one batch. */
  readonly batch: number;
  /** Limit of the rows that are posted and not yet acknowledged. At this limit, posting pauses. */
  readonly window: number;
};

/**
 * Rows that are not committed yet: those that wait in the main thread, and the posted batches. If the thread dies, its
 * batches are posted again, the oldest first.
 */
export class Outbox {
  readonly #limits: OutboxLimits;
  readonly #queue: HistoryQueue;
  #unanswered: Batch[] = [];
  #posted = 0;
  #seq = 0;
  #unansweredRows = 0;
  written = 0;

  constructor(limits: OutboxLimits) {
    this.#limits = limits;
    this.#queue = new HistoryQueue(limits.waiting);
  }

  get length(): number {
    return this.#queue.length + this.#unansweredRows;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get dropped(): Dropped {
    return this.#queue.dropped;
  }

  push(row: PackedRow): void {
    this.#queue.push(row);
  }

  /**
   * Returns the next batch to post. Batches of a dead thread come first, whatever `window` is. After them, returns null
   * if no row waits, or if `window` or more rows are unacknowledged.
   */
  next(window: number = this.#limits.window): Batch | null {
    const again = this.#unanswered[this.#posted];
    if (again !== undefined) {
      this.#posted += 1;
      return again;
    }
    if (this.#unansweredRows >= window || this.#queue.length === 0) return null;
    const batch = { seq: ++this.#seq, rows: this.#queue.take(this.#limits.batch) };
    this.#unanswered.push(batch);
    this.#unansweredRows += batch.rows.length;
    this.#posted += 1;
    return batch;
  }

  /** Records that every batch up to `seq` is committed, except `refused` rows that no table accepted. */
  answered(seq: number, refused: Partial<Dropped>): void {
    let rows = 0;
    while (this.#unanswered[0] !== undefined && this.#unanswered[0].seq <= seq) {
      rows += this.#unanswered.shift()?.rows.length ?? 0;
      this.#posted = Math.max(0, this.#posted - 1);
    }
    this.#unansweredRows -= rows;
    this.written += rows - this.#countDropped(refused);
  }

  /** Marks all unacknowledged batches to be posted again. Call it after the thread died. */
  rewind(): void {
    this.#posted = 0;
  }

  /** Drops the rows that are posted and not acknowledged, and counts them as dropped. Returns their number. */
  dropUnanswered(): number {
    const given = this.#unansweredRows;
    for (const { rows } of this.#unanswered) for (const row of rows) this.#queue.dropped[row[0]] += 1;
    this.#unanswered = [];
    this.#posted = 0;
    this.#unansweredRows = 0;
    return given;
  }

  /** Drops all rows, and counts them as dropped. */
  dropAll(): void {
    this.dropUnanswered();
    for (const row of this.#queue.take(Number.POSITIVE_INFINITY)) this.#queue.dropped[row[0]] += 1;
  }

  #countDropped(refused: Partial<Dropped>): number {
    let total = 0;
    for (const kind of Object.keys(this.dropped) as (keyof Dropped)[]) {
      this.dropped[kind] += refused[kind] ?? 0;
      total += refused[kind] ?? 0;
    }
    return total;
  }
}
