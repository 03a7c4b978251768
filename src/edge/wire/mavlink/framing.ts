import type { RejectReason, Rejects } from '../../../model/link.ts';
import { type FrameView, inspectFrame, MAX_FRAME, STX_V1, STX_V2 } from './frame.ts';
import { SequenceCounter } from './sequence.ts';

/** Age from which an incomplete frame is given up, ms: at any usable line speed a whole frame arrives in less time. */
const MAX_HELD_MS = 1000;

/**
 * Called for each good frame, with the sender's sequence counter. `bytes` and `view` are valid only during the call.
 */
type FrameTaker<Context> = (bytes: Uint8Array, view: FrameView, sequence: SequenceCounter, context: Context) => void;

export type FramingShared<Context> = {
  /** True if each call of `receive` gets one datagram. */
  datagrams: boolean;
  rejects: Rejects;
  view: FrameView;
  take: FrameTaker<Context>;
};

/**
 * Finds the frames in the bytes of one sender. After a false start byte the search continues at the next byte, so that
 * it misses no frame. At most one incomplete frame (under 280 bytes) is kept between calls.
 *
 * Each refusal is counted once and covers as many bytes as the refused header states. Noise without a start byte is
 * covered in ranges of 280 bytes, the longest frame. Start bytes in a covered range are not counted again; a good frame
 * ends the range. A corrupted frame thus counts as one `crc`, and noise as one `malformed` for each 280 bytes.
 */
export class Framing<Context> {
  readonly sequence = new SequenceCounter();
  readonly #shared: FramingShared<Context>;
  /** Buffer for the incomplete frame and the bytes that complete it. Allocated when first needed. */
  #hold: Uint8Array | null = null;
  #held = 0;
  #heldSinceMs = 0;
  /** Number of following bytes that an already counted refusal covers. */
  #covered = 0;

  constructor(shared: FramingShared<Context>) {
    this.#shared = shared;
  }

  /** Number of bytes kept from previous calls; always less than the longest frame. */
  get held(): number {
    return this.#held;
  }

  receive(bytes: Uint8Array, atMs: number, context: Context): void {
    let at = this.#held > 0 ? this.#resume(bytes, atMs, context) : 0;
    at = this.#scan(bytes, at, bytes.length, bytes.length, context);
    if (at < bytes.length) this.#keep(bytes, at, atMs);
    else if (this.#shared.datagrams && this.#held === 0) this.#covered = 0;
  }

  /** Refuses the incomplete frame of a sender that is forgotten or evicted. */
  drop(): void {
    if (this.#held > 0) this.#refuse('length', this.#held);
    this.#held = 0;
    this.#covered = 0;
  }

  /** Continues the incomplete frame, or gives it up. Returns the position in `bytes` at which the search continues. */
  #resume(bytes: Uint8Array, atMs: number, context: Context): number {
    const { datagrams, view } = this.#shared;
    // A datagram that starts with a complete frame does not continue an earlier datagram.
    if (datagrams && startsWithFrame(bytes, view)) return this.#settle(context);
    if (Math.abs(atMs - this.#heldSinceMs) > MAX_HELD_MS) this.#giveUpFirst(atMs, context);
    return this.#held > 0 ? this.#extend(bytes, atMs, context) : 0;
  }

  #extend(bytes: Uint8Array, atMs: number, context: Context): number {
    const hold = this.#room();
    const before = this.#held;
    const taken = Math.min(bytes.length, MAX_FRAME);
    hold.set(bytes.subarray(0, taken), before);
    const end = before + taken;
    const at = this.#scan(hold, 0, end, before, context);
    if (at >= before) {
      this.#held = 0;
      return at - before;
    }
    // The frame is still incomplete. With 280 new bytes (`MAX_FRAME`) it would be complete, so there were fewer, and
    // all of them are in `#hold`.
    this.#shift(at, end, atMs);
    return bytes.length;
  }

  /**
   * Refuses the first kept start byte, which is false or belongs to a truncated frame. The bytes after it may contain
   * whole frames.
   */
  #giveUpFirst(atMs: number, context: Context): void {
    const hold = this.#room();
    this.#refuse('length', this.#held);
    const at = this.#scan(hold, 1, this.#held, this.#held, context);
    this.#shift(at, this.#held, atMs);
  }

  /** Takes the frames in the kept bytes and refuses the rest, because no more bytes will follow. */
  #settle(context: Context): number {
    const hold = this.#room();
    const end = this.#held;
    let at = 0;
    while (at < end) {
      at = this.#scan(hold, at, end, end, context);
      if (at >= end) break;
      this.#refuse('length', end - at);
      at++;
    }
    this.#held = 0;
    this.#covered = 0;
    return 0;
  }

  /**
   * Moves the bytes from `at` to the front of `#hold`. If this drops earlier bytes, the waiting time of 1 s begins
   * again, now for the start byte in front.
   */
  #shift(at: number, end: number, atMs: number): void {
    if (at > 0) {
      this.#room().copyWithin(0, at, end);
      this.#heldSinceMs = atMs;
    }
    this.#held = end - at;
  }

  #keep(bytes: Uint8Array, at: number, atMs: number): void {
    this.#room().set(bytes.subarray(at));
    this.#held = bytes.length - at;
    this.#heldSinceMs = atMs;
  }

  #room(): Uint8Array {
    this.#hold ??= new Uint8Array(2 * MAX_FRAME);
    return this.#hold;
  }

  /**
   * Takes every frame that starts before `limit`, reading bytes up to `end`. Returns the position of the first
   * incomplete frame, or the position after the last byte processed.
   */
  #scan(bytes: Uint8Array, from: number, end: number, limit: number, context: Context): number {
    const { view, take } = this.#shared;
    let at = from;
    while (at < limit) {
      const byte = bytes[at] as number;
      if (byte !== STX_V2 && byte !== STX_V1) {
        const start = at++;
        while (at < limit && bytes[at] !== STX_V2 && bytes[at] !== STX_V1) at++;
        this.#passNoise(at - start);
        continue;
      }
      const verdict = inspectFrame(bytes, at, end, view);
      if (verdict === 'incomplete') return at;
      if (verdict === 'good') {
        at += view.size;
        this.#covered = 0;
        take(bytes, view, this.sequence, context);
      } else {
        at++;
        this.#refuse(verdict, view.size);
      }
    }
    return at;
  }

  /**
   * Counts the refusal of a start byte that is false or belongs to a truncated frame, unless an earlier refusal covers
   * it. The new refusal covers `size` bytes, from the start byte on.
   */
  #refuse(reason: RejectReason, size: number): void {
    if (this.#covered > 0) {
      this.#covered--;
      return;
    }
    this.#shared.rejects[reason]++;
    this.#covered = size - 1;
  }

  #passNoise(length: number): void {
    if (length <= this.#covered) {
      this.#covered -= length;
      return;
    }
    const uncovered = length - this.#covered;
    const runs = Math.ceil(uncovered / MAX_FRAME);
    this.#shared.rejects.malformed += runs;
    this.#covered = runs * MAX_FRAME - uncovered;
  }
}

function startsWithFrame(bytes: Uint8Array, view: FrameView): boolean {
  const first = bytes[0];
  return (first === STX_V2 || first === STX_V1) && inspectFrame(bytes, 0, bytes.length, view) === 'good';
}
