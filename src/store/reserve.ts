import { randomFillSync } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const RESERVE_FILE = 'reserve';

const RESERVE_BYTES = 16 * 1024 * 1024;
/** Size of the piece that is freed at once, enough for some commits. It is small, since other writers take the rest. */
const PIECE_BYTES = 128 * 1024;
/** Largest share of free and reserved space: the reserve must not fill a small disk by itself. */
const MOST_PART = 1 / 8;
/** Share kept for vital writes. Refusals, which a flood can cause, use only the rest. */
const KEPT_PART = 3 / 4;
/** Free for the start of a daemon: the shared-memory file, the first frames of the log. */
const START_BYTES = 1024 * 1024;

/**
 * Room on the disk that is set aside for what must work when it is full: revocations, sign-ins, commands, approvals and
 * acknowledgements with their audit rows. It is given up piece by piece, each just before a write that failed is tried again.
 */
export class DiskReserve {
  readonly #path: string;
  /** The most that it had since the start, bytes. */
  #whole = 0;

  constructor(dataDir: string) {
    this.#path = join(dataDir, RESERVE_FILE);
  }

  get bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Grows towards its size where there is room, by at most `bytes`. A disk that has none is no failure. */
  fill(bytes = RESERVE_BYTES): void {
    try {
      const missing = this.#target() - this.bytes;
      if (missing >= PIECE_BYTES) this.#grow(Math.min(missing, bytes));
    } catch {
      // The reserve is filled again later: a disk without room now cannot give any.
    }
  }

  /** Frees a piece. Returns false where nothing is left, or, for a `share`, nothing above what is kept for the vital. */
  give(share = false): boolean {
    const size = this.bytes;
    this.#whole = Math.max(this.#whole, size);
    if (size === 0 || (share && size - PIECE_BYTES < this.#whole * KEPT_PART)) return false;
    try {
      this.#open((file) => {
        ftruncateSync(file, Math.max(0, size - PIECE_BYTES));
        // Some file systems free the blocks of a file with the next commit of their journal alone.
        fsyncSync(file);
      });
      return true;
    } catch {
      return false;
    }
  }

  /** Lets a daemon start on a full disk, with at most half of the reserve. */
  easeStart(): void {
    const least = this.bytes / 2;
    while (this.bytes > least && this.#freeBytes() < START_BYTES && this.give());
  }

  #target(): number {
    const part = (this.#freeBytes() + this.bytes) * MOST_PART;
    return Math.min(RESERVE_BYTES, Math.floor(part / PIECE_BYTES) * PIECE_BYTES);
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(join(this.#path, '..'));
    return bavail * bsize;
  }

  /** Random bytes: a file system that compresses would set nothing aside for zeros. */
  #grow(bytes: number): void {
    const block = randomFillSync(Buffer.alloc(PIECE_BYTES));
    this.#open((file) => {
      let { size } = fstatSync(file);
      for (const end = size + bytes; size < end; )
        size += writeSync(file, block, 0, Math.min(block.length, end - size), size);
      fsyncSync(file);
    });
  }

  #open(use: (file: number) => void): void {
    const file = openSync(this.#path, this.bytes === 0 ? 'a' : 'r+', 0o640);
    try {
      use(file);
    } finally {
      closeSync(file);
    }
  }
}
