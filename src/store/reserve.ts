import { randomFillSync } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const RESERVE_FILE = 'reserve';

const RESERVE_BYTES = 16 * 1024 * 1024;
/**
 * Size of the piece that is freed at once: enough for some commits. It is small, since other writers may take the freed
 * room.
 */
const PIECE_BYTES = 128 * 1024;
/** Maximum share of free and reserved space: the reserve must not fill a small disk by itself. */
const MOST_PART = 1 / 8;
/** Share reserved for vital writes. Refusals, which a flood can cause, may use only the rest. */
const KEPT_PART = 3 / 4;
/** Free space that the start of a daemon needs: the shared-memory file and the first frames of the write-ahead log. */
const START_BYTES = 1024 * 1024;

/**
 * Reserved disk space for writes that must work on a full disk: revocations, sign-ins, commands, approvals and
 * acknowledgements, with their audit rows. It is freed piece by piece, each before a failed write is tried again.
 */
export class DiskReserve {
  readonly #path: string;
  /** The largest size of the reserve since the start, bytes. */
  #whole = 0;

  constructor(dataDir: string) {
    this.#path = join(dataDir, RESERVE_FILE);
  }

  get bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Grows towards its full size where there is room, by at most `bytes`. A disk without room is no failure. */
  fill(bytes = RESERVE_BYTES): void {
    try {
      const missing = this.#target() - this.bytes;
      if (missing >= PIECE_BYTES) this.#grow(Math.min(missing, bytes));
    } catch {
      // A disk without room has none for the reserve; it is filled again later.
    }
  }

  /**
   * Frees one piece. Returns false where nothing is left. With `share`, it also returns false where only the part for
   * vital writes is left.
   */
  give(share = false): boolean {
    const size = this.bytes;
    this.#whole = Math.max(this.#whole, size);
    if (size === 0 || (share && size - PIECE_BYTES < this.#whole * KEPT_PART)) return false;
    try {
      this.#open((file) => {
        ftruncateSync(file, Math.max(0, size - PIECE_BYTES));
        // Some file systems free the blocks of a file only with the next commit of their journal.
        fsyncSync(file);
      });
      return true;
    } catch {
      return false;
    }
  }

  /** Frees space for the start of a daemon on a full disk, at most half of the reserve. */
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

  /** Appends random bytes: a compressing file system would reserve no space for zeros. */
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
