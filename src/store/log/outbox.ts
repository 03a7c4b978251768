import type { Dropped } from './dropped.ts';
import type { PackedRow } from './packed.ts';
import { HistoryQueue } from './queue.ts';
import type { TakenSpan } from './row_blocks.ts';
import { type Batch, rowsOf } from './row_bytes.ts';

/** Rows that are posted and acknowledged together, and their number. */
type Posted = { readonly seq: number; readonly spans: readonly TakenSpan[]; readonly rows: number };

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
  #unanswered: Posted[] = [];
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
      return batchOf(again);
    }
    if (this.#unansweredRows >= window || this.#queue.length === 0) return null;
    const spans = this.#queue.take(this.#limits.batch);
    const posted = { seq: ++this.#seq, spans, rows: rowsOf(spans) };
    this.#unanswered.push(posted);
    this.#unansweredRows += posted.rows;
    this.#posted += 1;
    return batchOf(posted);
  }

  /** Records that every batch up to `seq` is committed, except `refused` rows that no table accepted. */
  answered(seq: number, refused: Partial<Dropped>): void {
    let rows = 0;
    for (let [first] = this.#unanswered; first !== undefined && first.seq <= seq; [first] = this.#unanswered) {
      this.#unanswered.shift();
      this.#release(first.spans);
      rows += first.rows;
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
    for (const { spans } of this.#unanswered) this.#drop(spans);
    this.#unanswered = [];
    this.#posted = 0;
    this.#unansweredRows = 0;
    return given;
  }

  /** Drops all rows, and counts them as dropped. */
  dropAll(): void {
    this.dropUnanswered();
    this.#drop(this.#queue.take(this.#queue.length));
  }

  #drop(spans: readonly TakenSpan[]): void {
    for (const { kind, rows } of spans) this.#queue.dropped[kind] += rows;
    this.#release(spans);
  }

  #release(spans: readonly TakenSpan[]): void {
    for (const span of spans) this.#queue.release(span);
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

function batchOf({ seq, spans }: Posted): Batch {
  return { seq, spans: spans.map(({ block: _, ...span }) => span) };
}
