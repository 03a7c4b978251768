import type { RejectReason, Rejects } from '../../../model/link.ts';
import { type FrameView, inspectFrame, MAX_FRAME, STX_V1, STX_V2 } from './frame.ts';
import { SequenceCounter } from './sequence.ts';

/** A half-received frame older than this is given up: at any usable line speed a whole frame comes in less. */
const MAX_HELD_MS = 1000;

/** Callback for each good frame, with its sender's counters. `bytes` and `view` hold only during the call. */
type FrameTaker<Context> = (bytes: Uint8Array, view: FrameView, sequence: SequenceCounter, context: Context) => void;

export type FramingShared<Context> = {
  /** Each call of `receive` is one datagram. */
  datagrams: boolean;
  rejects: Rejects;
  view: FrameView;
  take: FrameTaker<Context>;
};

/**
 * Finds the frames in one sender's bytes. After a false start byte the search goes on at the next byte, so that no
 * frame behind it is lost. At most one begun frame (under 280 bytes) is kept between calls.
 *
 * Each refusal covers the bytes that its header claims; noise without a start byte covers 280 bytes (the longest
 * frame). Covered bytes are not counted again, and a good frame ends the cover. Thus a corrupted frame counts one
 * `crc`, and noise one `malformed` for each 280 bytes, whatever start bytes are in it.
 */
export class Framing<Context> {
  readonly sequence = new SequenceCounter();
  readonly #shared: FramingShared<Context>;
  /** Room for the begun frame and as many bytes again, so that it can be ended in place. Made when first needed. */
  #hold: Uint8Array | null = null;
  #held = 0;
  #heldSinceMs = 0;
  /** Number of bytes ahead that a counted refusal covers. */
  #covered = 0;

  constructor(shared: FramingShared<Context>) {
    this.#shared = shared;
  }

  /** Number of bytes kept from former calls; always below the longest frame. */
  get held(): number {
    return this.#held;
  }

  receive(bytes: Uint8Array, atMs: number, context: Context): void {
    let at = this.#held > 0 ? this.#resume(bytes, atMs, context) : 0;
    at = this.#scan(bytes, at, bytes.length, bytes.length, context);
    if (at < bytes.length) this.#keep(bytes, at, atMs);
    else if (this.#shared.datagrams && this.#held === 0) this.#covered = 0;
  }

  /** Refuses the half frame of a sender that is gone. */
  drop(): void {
    if (this.#held > 0) this.#refuse('length', this.#held);
    this.#held = 0;
    this.#covered = 0;
  }

  /** Continues the begun frame; returns the position in `bytes` after it. */
  #resume(bytes: Uint8Array, atMs: number, context: Context): number {
    const { datagrams, view } = this.#shared;
    // A datagram that starts with a frame is not the rest of another.
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
    // Still incomplete, so every byte was taken: a frame that starts in the hold ends within 280 bytes of new ones.
    this.#shift(at, end, atMs);
    return bytes.length;
  }

  /** Refuses the first held start byte: it is false, or its frame was cut. The bytes after it may hold whole frames. */
  #giveUpFirst(atMs: number, context: Context): void {
    const hold = this.#room();
    this.#refuse('length', this.#held);
    const at = this.#scan(hold, 1, this.#held, this.#held, context);
    this.#shift(at, this.#held, atMs);
  }

  /** Takes the frames in the held bytes and refuses the rest, when no more bytes will follow. */
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

  /** Moves the bytes from `at` to the front. A later start byte begins its own waiting time of 1 s. */
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
   * Counts the refusal of a start byte (a false start, or a cut frame of `size` bytes), unless an earlier refusal
   * covers it.
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
