import type { Dropped } from './dropped.ts';
import type { ToThread } from './messages.ts';
import { Outbox } from './outbox.ts';
import type { PackedRow } from './packed.ts';

const batchRows = 500;
/** Age at which rows are due, ms. Each message wakes the thread, which costs a quiet box more than the rows. */
const dueAfterMs = 900;
const windowRows = 4_000;
/**
 * Limit of deaths of the thread in a row, without a commit in between. At this limit, the rows in its unacknowledged
 * batches are taken for the cause, and dropped.
 */
const blamedAfterDeaths = 3;

/** Sends rows to the thread in batches: as soon as 500 rows wait, or when they are due, to be committed at once. */
export class Sender {
  readonly outbox: Outbox;
  readonly #limit: number;
  readonly #post: (message: ToThread) => void;
  #timer: NodeJS.Timeout | undefined;
  #up = false;
  #ended = false;
  #deaths = 0;

  constructor(limit: number, post: (message: ToThread) => void) {
    this.outbox = new Outbox({ waiting: limit, batch: batchRows, window: windowRows });
    this.#limit = limit;
    this.#post = post;
  }

  push(row: PackedRow): void {
    this.outbox.push(row);
    if (this.#ended) this.outbox.dropAll();
    else if (this.#up && this.outbox.waiting >= batchRows) this.#postBatches();
    else this.#postLater();
  }

  /**
   * Posts waiting rows at once, until `rows` rows are unacknowledged. The limit keeps rows from piling up at a thread
   * that hangs.
   */
  flush(rows: number = this.#limit): void {
    this.#postBatches(rows);
  }

  committed(seq: number, refused: Dropped): void {
    this.#deaths = 0;
    this.outbox.answered(seq, refused);
    if (this.outbox.waiting >= batchRows) this.#postBatches();
    else this.#postLater();
  }

  threadUp(): void {
    this.#up = true;
    this.#postDue();
  }

  /** Records that the thread died. Returns true if posted rows were dropped, because three threads in a row died. */
  threadDown(): boolean {
    this.#up = false;
    this.outbox.rewind();
    this.#deaths += 1;
    if (this.#deaths < blamedAfterDeaths) return false;
    this.#deaths = 0;
    return this.outbox.dropUnanswered() > 0;
  }

  /** Ends the sending. Waiting rows, and rows pushed later, count as dropped. */
  end(): void {
    this.#up = false;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.outbox.dropAll();
  }

  #postLater(): void {
    if (this.#timer !== undefined || this.outbox.waiting === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#postDue();
    }, dueAfterMs);
    this.#timer.unref();
  }

  #postDue(): void {
    this.#postBatches();
    if (this.#up) this.#post({ type: 'due' });
  }

  #postBatches(window?: number): void {
    if (!this.#up) return;
    for (let batch = this.outbox.next(window); batch !== null; batch = this.outbox.next(window)) {
      this.#post({ type: 'batch', ...batch });
    }
  }
}
