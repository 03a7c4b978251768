import type { CaptureFrame } from './capture.ts';
import { frameLength, isMagic, MAX_FRAME_BYTES } from './mavlink_frame.ts';

/** Length of the time before each frame, bytes: microseconds since 1970, big-endian. */
const STAMP_BYTES = 8;
/** Number of bytes that are needed to judge a record: two records and the first bytes of a third. */
const VIEW_BYTES = 3 * STAMP_BYTES + 2 * MAX_FRAME_BYTES + 1;
const DAY_MS = 86_400_000;
const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/**
 * Reads the records of a MAVLink tlog. The length of each record leads to the next one. A search for the first byte of
 * a frame could be misled, because a time may contain this byte. After damage, reading continues at the next record
 * that another record or the end of the file follows. The time of this record must be in the years 2000 to 2099, or
 * within a day of the last record before the damage. Damaged bytes are reported and left out.
 */
export async function* tlogFrames(
  chunks: AsyncIterable<Buffer>,
  problem: (sentence: string) => void,
): AsyncGenerator<CaptureFrame> {
  const walk = new TlogWalk(problem);
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    yield* walk.records(held, false);
    held = held.subarray(walk.at);
    walk.at = 0;
  }
  yield* walk.records(held, true);
  walk.finish();
}

/**
 * Returns the number of bytes that are tlog records, for the detection of the format. `whole` is true if `head` is the
 * whole file.
 */
export function tlogBytes(head: Buffer, whole: boolean): number {
  let covered = 0;
  for (const frame of new TlogWalk(() => {}).records(head, whole)) covered += STAMP_BYTES + frame.bytes.length;
  return covered;
}

class TlogWalk {
  /** Position in the held bytes at which reading continues. */
  at = 0;
  readonly #problem: (sentence: string) => void;
  #offset = 0;
  #lastMs: number | null = null;
  #lostAt: number | null = null;

  constructor(problem: (sentence: string) => void) {
    this.#problem = problem;
  }

  *records(held: Buffer, isEnd: boolean): Generator<CaptureFrame> {
    while (isEnd ? this.at < held.length : held.length - this.at >= VIEW_BYTES) {
      const length = this.#recordAt(held, this.at, isEnd);
      if (length === 0) {
        this.#lostAt ??= this.#offset;
        this.#advance(1);
        continue;
      }
      this.finish();
      const atMs = stampMs(held, this.at);
      const bytes = held.subarray(this.at + STAMP_BYTES, this.at + length);
      this.#lastMs = atMs;
      this.#advance(length);
      yield { atMs, bytes };
    }
  }

  /** Reports the bytes that were left out since the last good record. */
  finish(): void {
    if (this.#lostAt === null) return;
    this.#problem(
      `${this.#offset - this.#lostAt} bytes from byte ${this.#lostAt} on were left out: they are not a tlog record`,
    );
    this.#lostAt = null;
  }

  #advance(bytes: number): void {
    this.at += bytes;
    this.#offset += bytes;
  }

  /** Returns the length of the record at `at`; 0 if there is no plausible record. */
  #recordAt(held: Buffer, at: number, isEnd: boolean): number {
    const length = chainedLength(held, at, isEnd);
    if (this.#lostAt !== null) return length > 0 && this.#isTimely(stampMs(held, at)) ? length : 0;
    return length > 0 ? length : this.#lastBeforeDamage(held, at, isEnd);
  }

  /**
   * Returns the length of the record at `at` if the record is good and damage follows it; else 0. A good record that
   * begins inside this record shows that the length in this record's header is damaged. The result is then 0.
   */
  #lastBeforeDamage(held: Buffer, at: number, isEnd: boolean): number {
    const length = recordLength(held, at);
    if (length === 0 || this.#lastMs === null || !this.#isTimely(stampMs(held, at))) return 0;
    for (let inside = at + 1; inside < at + length; inside++) {
      if (chainedLength(held, inside, isEnd) > 0 && this.#isTimely(stampMs(held, inside))) return 0;
    }
    return length;
  }

  #isTimely(ms: number): boolean {
    if (ms > EARLIEST_MS && ms < LATEST_MS) return true;
    return this.#lastMs !== null && Math.abs(ms - this.#lastMs) < DAY_MS;
  }
}

/**
 * Returns the length of the record at `at`, from the frame's header. 0 if no frame follows the time, if the record is
 * incomplete, or if its time is after the year 2099.
 */
function recordLength(held: Buffer, at: number): number {
  const frame = frameLength(held, at + STAMP_BYTES);
  if (frame === 0 || at + STAMP_BYTES + frame > held.length) return 0;
  return stampMs(held, at) < LATEST_MS ? STAMP_BYTES + frame : 0;
}

/** Returns the length of the record at `at` if another record or the end of the file follows; else 0. */
function chainedLength(held: Buffer, at: number, isEnd: boolean): number {
  const length = recordLength(held, at);
  const magicAt = at + length + STAMP_BYTES;
  if (magicAt >= held.length) return isEnd ? length : 0;
  return isMagic(held[magicAt]) && stampMs(held, at + length) < LATEST_MS ? length : 0;
}

function stampMs(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64BE(at)) / 1000;
}
