import { randomFillSync } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const RESERVE_FILE = 'reserve';

const RESERVE_BYTES = 16 * 1024 * 1024;
/**
 * Size of the piece that is freed at once, bytes. It is enough for some commits, and small because other programs may
 * take the freed space.
 */
const PIECE_BYTES = 128 * 1024;
/** Largest share that the reserve may take of the free space, so that it does not fill a small disk by itself. */
const MOST_PART = 1 / 8;
/**
 * Share of the reserve that is kept for vital writes. Records of refused requests may use only the rest, because anyone
 * can cause them in any number.
 */
const KEPT_PART = 3 / 4;
/**
 * Free space that the start of a daemon needs, bytes: for the shared-memory file and the first frames of the
 * write-ahead log.
 */
const START_BYTES = 1024 * 1024;

/**
 * Disk space reserved for writes that must succeed on a full disk. These are revocations, sign-ins, commands,
 * approvals, acknowledgements, and people's decisions about tracks, with their audit rows. A failed write frees one
 * piece and is then tried again.
 */
export class DiskReserve {
  readonly #path: string;
  /** Largest size of the reserve at a call of `give` since the start, bytes. */
  #whole = 0;

  constructor(dataDir: string) {
    this.#path = join(dataDir, RESERVE_FILE);
  }

  get bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Enlarges the reserve towards its full size, by at most `bytes`. A disk without free space is not a failure. */
  fill(bytes = RESERVE_BYTES): void {
    try {
      const missing = this.#target() - this.bytes;
      if (missing >= PIECE_BYTES) this.#grow(Math.min(missing, bytes));
    } catch {
      // The disk has no free space for the reserve; a later call fills it.
    }
  }

  /**
   * Frees one piece. Returns false if nothing is left or the file cannot be shortened. With `share`, also returns false
   * if only the part for vital writes is left.
   */
  give(share = false): boolean {
    const size = this.bytes;
    this.#whole = Math.max(this.#whole, size);
    if (size === 0 || (share && size - PIECE_BYTES < this.#whole * KEPT_PART)) return false;
    try {
      this.#open((file) => {
        ftruncateSync(file, Math.max(0, size - PIECE_BYTES));
        // The sync is needed because some file systems free the blocks of a file only with the next commit of their
        // journal.
        fsyncSync(file);
      });
      return true;
    } catch {
      return false;
    }
  }

  /** Frees the space that the start of a daemon needs on a full disk, at most about half of the reserve. */
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

  /** Appends random bytes to the file, because a compressing file system would reserve no space for zeros. */
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
