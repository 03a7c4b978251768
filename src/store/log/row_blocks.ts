import type { Kind, PackedRow } from './packed.ts';
import { afterRow, mostBytes, type RowSpan, writeRow } from './row_bytes.ts';

/** Bytes of a block; about a hundred detections. */
export const BLOCK_BYTES = 65_536;
/** Greatest number of free blocks that are kept for reuse. Blocks beyond it, left from a disk fault, are released. */
const MOST_FREE = 32;

/** Memory with rows of one kind: those from `taken` to `end` wait; `held` counts these and the taken, uncommitted ones. */
export class RowBlock {
  readonly bytes: SharedArrayBuffer;
  readonly view: Buffer;
  taken = 0;
  end = 0;
  held = 0;

  constructor(size: number) {
    this.bytes = new SharedArrayBuffer(size);
    this.view = Buffer.from(this.bytes);
  }

  /** Returns false if the row may not fit. */
  push(row: PackedRow, bytes: number): boolean {
    if (this.end + bytes > this.view.length) return false;
    this.end = writeRow(this.view, this.end, row);
    this.held += 1;
    return true;
  }

  empty(): void {
    this.taken = this.end = this.held = 0;
  }
}

/** Free blocks. Blocks are reused, since the memory of a dropped one is free only after a full garbage collection. */
export class BlockPool {
  readonly #free: RowBlock[] = [];

  take(bytes: number): RowBlock {
    if (bytes > BLOCK_BYTES) return new RowBlock(bytes);
    return this.#free.pop() ?? new RowBlock(BLOCK_BYTES);
  }

  give(block: RowBlock): void {
    block.empty();
    if (block.view.length === BLOCK_BYTES && this.#free.length < MOST_FREE) this.#free.push(block);
  }
}

/** Span of rows together with its block, which is free again once all its rows are committed or dropped. */
export type TakenSpan = RowSpan & { readonly block: RowBlock };

/** First-in, first-out queue of the rows of one kind. */
export class RowFifo {
  readonly #kind: Kind;
  readonly #pool: BlockPool;
  /** Blocks with waiting rows, oldest first. The last one takes new rows, and may have no waiting row. */
  #blocks: RowBlock[] = [];
  length = 0;

  constructor(kind: Kind, pool: BlockPool) {
    this.#kind = kind;
    this.#pool = pool;
  }

  push(row: PackedRow): void {
    const bytes = mostBytes(row);
    if (!this.#blocks.at(-1)?.push(row, bytes)) {
      const block = this.#pool.take(bytes);
      block.push(row, bytes);
      this.#blocks.push(block);
      this.#leave();
    }
    this.length += 1;
  }

  /** Takes at most `most` waiting rows, oldest first. */
  take(most: number): TakenSpan[] {
    const spans: TakenSpan[] = [];
    for (let left = Math.min(most, this.length); left > 0; ) {
      const block = this.#oldest();
      const start = block.taken;
      let rows = 0;
      for (; rows < left && block.taken < block.end; rows++) block.taken = afterRow(block.view, block.taken);
      spans.push({ kind: this.#kind, bytes: block.bytes, start, end: block.taken, rows, block });
      left -= rows;
      this.length -= rows;
      this.#leave();
    }
    return spans;
  }

  /** Drops the oldest waiting row. Returns false if none waits. */
  drop(): boolean {
    const [span] = this.take(1);
    if (span === undefined) return false;
    this.release(span);
    return true;
  }

  /** Frees the memory of taken rows that are committed or given up. */
  release({ block, rows }: TakenSpan): void {
    block.held -= rows;
    if (block.held > 0) return;
    if (block === this.#blocks.at(-1)) block.empty();
    else this.#pool.give(block);
  }

  #oldest(): RowBlock {
    const [block] = this.#blocks;
    if (block === undefined) throw new Error('no row waits');
    return block;
  }

  /** Lets go of blocks without waiting rows, except the one that takes new rows. */
  #leave(): void {
    while (this.#blocks.length > 1 && this.#blocks[0]?.taken === this.#blocks[0]?.end) {
      const block = this.#blocks.shift();
      if (block?.held === 0) this.#pool.give(block);
    }
  }
}
