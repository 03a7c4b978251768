import { type Kind, kinds, type PackedRow } from './packed.ts';

/**
 * First-in, first-out queue. Taken rows leave gaps, which are removed together after 4 096 rows or when the queue is
 * empty.
 */
class Fifo {
  #rows: (PackedRow | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#rows.length - this.#head;
  }

  push(row: PackedRow): void {
    this.#rows.push(row);
  }

  shift(): PackedRow | undefined {
    const row = this.#rows[this.#head];
    if (row === undefined) return undefined;
    this.#rows[this.#head++] = undefined;
    if (this.#head === this.#rows.length || this.#head > 4_096) {
      this.#rows = this.#rows.slice(this.#head);
      this.#head = 0;
    }
    return row;
  }
}

export type Dropped = Record<Kind, number>;

export function noneDropped(): Dropped {
  return { detection: 0, point: 0, track: 0, event: 0 };
}

/**
 * Rows that wait for the history thread, at most `limit`. If the queue is full, the oldest row of the least valuable
 * kind is dropped: detections first, then points, then track documents. An event is dropped only if all waiting rows
 * are events. Rows of the most valuable kind are taken first.
 */
export class HistoryQueue {
  readonly #limit: number;
  readonly #waiting: Record<Kind, Fifo> = {
    detection: new Fifo(),
    point: new Fifo(),
    track: new Fifo(),
    event: new Fifo(),
  };
  #length = 0;
  readonly dropped = noneDropped();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  push(row: PackedRow): void {
    this.#waiting[row[0]].push(row);
    this.#length += 1;
    if (this.#length > this.#limit) this.#dropOne();
  }

  /** Takes at most `max` rows, the most valuable kind first. Rows of one kind keep their order of arrival. */
  take(max: number): PackedRow[] {
    const rows: PackedRow[] = [];
    for (const kind of kinds.toReversed()) {
      const waiting = this.#waiting[kind];
      while (rows.length < max) {
        const row = waiting.shift();
        if (row === undefined) break;
        rows.push(row);
      }
    }
    this.#length -= rows.length;
    return rows;
  }

  #dropOne(): void {
    for (const kind of kinds) {
      if (this.#waiting[kind].shift() === undefined) continue;
      this.dropped[kind] += 1;
      this.#length -= 1;
      return;
    }
  }
}
