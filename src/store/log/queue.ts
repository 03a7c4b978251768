import { noneDropped } from './dropped.ts';
import { type Kind, kinds, type PackedRow } from './packed.ts';
import { BlockPool, RowFifo, type TakenSpan } from './row_blocks.ts';

/**
 * Rows that wait for the history thread, at most `limit`. If the queue is full, the oldest row of the least valuable
 * kind is dropped: detections first, then points, then track documents. An event is dropped only if all waiting rows
 * are events. Rows of the most valuable kind are taken first.
 */
export class HistoryQueue {
  readonly #limit: number;
  readonly #waiting: Record<Kind, RowFifo>;
  #length = 0;
  readonly dropped = noneDropped();

  constructor(limit: number) {
    this.#limit = limit;
    const pool = new BlockPool();
    const fifo = (kind: Kind): RowFifo => new RowFifo(kind, pool);
    this.#waiting = { detection: fifo('detection'), point: fifo('point'), track: fifo('track'), event: fifo('event') };
  }

  get length(): number {
    return this.#length;
  }

  push(row: PackedRow): void {
    this.#waiting[row[0]].push(row);
    this.#length += 1;
    if (this.#length > this.#limit) this.#dropOne();
  }

  /** Takes at most `most` rows, the most valuable kind first. Rows of one kind keep their order of arrival. */
  take(most: number): TakenSpan[] {
    const spans: TakenSpan[] = [];
    let left = most;
    for (const kind of kinds.toReversed()) {
      for (const span of this.#waiting[kind].take(left)) {
        spans.push(span);
        left -= span.rows;
      }
    }
    this.#length -= most - left;
    return spans;
  }

  /** Frees the memory of taken rows that are committed or dropped. */
  release(span: TakenSpan): void {
    this.#waiting[span.kind].release(span);
  }

  #dropOne(): void {
    for (const kind of kinds) {
      if (!this.#waiting[kind].drop()) continue;
      this.dropped[kind] += 1;
      this.#length -= 1;
      return;
    }
  }
}
