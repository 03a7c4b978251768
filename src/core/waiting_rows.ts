import { COLUMN, ROW_WIDTH } from '../model/track_row.ts';

/** A look of a radar moves everything at once: of more rows than this some wait. */
const MANY = 300;
/** So many, or a quarter of them where that is more, are told in a step: nothing waits longer than for the three that follow. */
const MOST_A_STEP = 250;
const STEPS = 4;

/** Whether a track can wait; of one that ended nothing is told. */
export type Haste = 'waits' | 'urgent' | 'gone';

/** Rows of tracks that moved, on their way to be told: of many those first that waited longest and those of which there is news. */
export class WaitingRows {
  /** What waits, and the room of what waited before it. */
  #rows = new Float64Array(0);
  #room = new Float64Array(0);
  #told = new Float64Array(0);
  #length = 0;
  #aStep = MOST_A_STEP;
  #moved = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** How many came at the last time. */
  get moved(): number {
    return this.#moved;
  }

  /** Takes what moved now, and answers what is told now: a copy. */
  take(moved: Float64Array, hasteOf: (number: number) => Haste): Float64Array {
    this.#moved = moved.length / ROW_WIDTH;
    if (this.isEmpty && this.#moved <= MANY) return moved.slice();
    const all = this.#joined(moved);
    this.#makeRoom(all.length);
    this.#aStep = Math.max(this.isEmpty ? MOST_A_STEP : this.#aStep, Math.ceil(all.length / ROW_WIDTH / STEPS));
    let [told, kept, from] = [0, 0, 0];
    let way: Haste = 'gone';
    const carry = (to: number): void => {
      const run = all.subarray(from, to);
      if (way === 'urgent') this.#told.set(run, told - run.length);
      else if (way === 'waits') this.#room.set(run, kept - run.length);
      from = to;
    };
    // What goes the same way is copied together.
    for (let at = 0; at < all.length; at += ROW_WIDTH) {
      const haste = hasteOf(all[at + COLUMN.number] ?? 0);
      const next = haste === 'waits' && told < this.#aStep * ROW_WIDTH ? 'urgent' : haste;
      if (next !== way) carry(at);
      way = next;
      if (way === 'urgent') told += ROW_WIDTH;
      else if (way === 'waits') kept += ROW_WIDTH;
    }
    carry(all.length);
    [this.#rows, this.#room] = [this.#room, this.#rows];
    this.#length = kept;
    return this.#told.slice(0, told);
  }

  #joined(moved: Float64Array): Float64Array {
    if (this.isEmpty) return moved;
    const waiting = this.#rows.subarray(0, this.#length);
    if (moved.length === 0) return waiting;
    const all = new Float64Array(waiting.length + moved.length);
    all.set(waiting);
    all.set(moved, waiting.length);
    return all;
  }

  #makeRoom(length: number): void {
    if (this.#room.length < length) this.#room = new Float64Array(length);
    if (this.#told.length < length) this.#told = new Float64Array(length);
  }
}
