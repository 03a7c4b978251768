import { ByteQueue } from '../capture/byte_queue.ts';
import { EXTENDED_REPORT, REPORT, reportsFit } from './hci.ts';

const COMMAND = 1;
const ACL = 2;
const SCO = 3;
export const EVENT = 4;
const ISO = 5;
const EVENT_HEADER = 3;
const LE_META = 0x3e;
/** Longest data packet that a controller sends, bytes (ACL of BR/EDR: 1,021). */
const LONGEST_DATA = 1_024;
/** Longest time in which a packet arrives, ms: at 9,600 baud the longest packet takes 1.1 s. */
const PACKET_MS = 2_000;

export type H4Sink = {
  /** Receives a whole packet from its type byte on. The bytes are valid only until the call returns. */
  packet(bytes: Buffer): void;
  /** Reports that a run of bytes without a packet has begun. */
  rubbish(): void;
};

/**
 * Splits an H4 stream (Bluetooth Core 5.4, volume 4, part A) into packets. H4 has neither a checksum nor a start mark.
 * After a framing error it continues at the next credible event. `sizeAfterRubbish` judges an event by its content or
 * by the packet after it.
 */
export class H4Framing {
  readonly #held = new ByteQueue();
  #isLost = false;
  #heldSinceMs = 0;

  get isPending(): boolean {
    return this.#held.length > 0;
  }

  push(chunk: Uint8Array, atMs: number, sink: H4Sink): void {
    const isStale = this.#held.length > 0 && Math.abs(atMs - this.#heldSinceMs) > PACKET_MS;
    // The rest of the kept packet is overdue, so its bytes are read without waiting for more.
    if (isStale) this.#held.drop(this.#readAll(this.#held.view(), sink, true));
    const isFresh = this.#held.length === 0;
    this.#held.append(chunk);
    const used = this.#readAll(this.#held.view(), sink, false);
    this.#held.drop(used);
    if (isFresh || used > 0) this.#heldSinceMs = atMs;
  }

  /**
   * Reads all whole packets and returns the number of bytes used. If `isLast`, no more bytes will come, so all bytes
   * are used.
   */
  #readAll(bytes: Buffer, sink: H4Sink, isLast: boolean): number {
    let at = 0;
    while (at < bytes.length) {
      const size = this.#isLost ? sizeAfterRubbish(bytes, at) : sizeAt(bytes, at);
      if (size === 'more' && !isLast) return at;
      if (typeof size === 'string') {
        this.#lose(sink);
        at++;
        continue;
      }
      const next = takenEvent(bytes, at, at + size);
      if (next === 'more' && !isLast) return at;
      if (typeof next === 'number') {
        // Bytes of this packet were lost, so its length reaches into the next packet, which begins at `next`.
        this.#lose(sink);
        at = next;
        continue;
      }
      this.#isLost = false;
      sink.packet(bytes.subarray(at, at + size));
      at += size;
    }
    return at;
  }

  #lose(sink: H4Sink): void {
    if (!this.#isLost) sink.rubbish();
    this.#isLost = true;
  }
}

type Size = number | 'more' | 'none';

/**
 * Length of the packet at `at` by its own header. `none` if its type is unknown or the length impossible; `more` if
 * bytes are missing.
 */
function sizeAt(bytes: Buffer, at: number): Size {
  const size = headerSizeAt(bytes, at);
  if (typeof size === 'string') return size;
  return at + size > bytes.length ? 'more' : size;
}

function headerSizeAt(bytes: Buffer, at: number): Size {
  const left = bytes.length - at;
  switch (bytes[at]) {
    case EVENT:
      if (left < EVENT_HEADER) return 'more';
      return bytes[at + 1] === 0 ? 'none' : EVENT_HEADER + (bytes[at + 2] ?? 0);
    case COMMAND:
    case SCO:
      return left < 4 ? 'more' : 4 + (bytes[at + 3] ?? 0);
    case ACL:
    case ISO: {
      if (left < 5) return 'more';
      const length = bytes.readUInt16LE(at + 3);
      return length > LONGEST_DATA ? 'none' : 5 + length;
    }
    default:
      return 'none';
  }
}

/**
 * Length of a packet at `at` after a framing error, where only events are accepted. An LE event is accepted if
 * advertising reports fill it exactly. Any other event is accepted if a packet or the end of the bytes follows it.
 */
function sizeAfterRubbish(bytes: Buffer, at: number): Size {
  if (bytes[at] !== EVENT) return 'none';
  const size = sizeAt(bytes, at);
  if (typeof size === 'string') return size;
  if (bytes[at + 1] === LE_META) return isReportAt(bytes, at) ? size : 'none';
  const next = bytes[at + size];
  return next === undefined || (next >= COMMAND && next <= ISO) ? size : 'none';
}

/**
 * Finds an event with advertising reports that begins inside the packet [begin, end), and returns its offset. The
 * packet has then lost bytes, so that its stated length reaches into the event. Null without such an event; `more` if
 * the end of the event is still to come. A packet is whole if another event follows it directly. Bytes inside it that
 * look like an event are then content, which a transmitter may choose.
 */
function takenEvent(bytes: Buffer, begin: number, end: number): number | 'more' | null {
  if (isEventAt(bytes, end)) return null;
  const isReport = bytes[begin] === EVENT && isReportAt(bytes, begin);
  for (let at = bytes.indexOf(EVENT, begin + 1); at !== -1 && at < end - 1; at = bytes.indexOf(EVENT, at + 1)) {
    if (bytes[at + 1] !== LE_META || !mayReport(bytes[at + EVENT_HEADER])) continue;
    const size = sizeAt(bytes, at);
    if (size === 'more') return 'more';
    if (typeof size === 'number' && (!isReport || at + size > end) && isReportAt(bytes, at)) return at;
  }
  return null;
}

/** True if an event begins at `at`. A complete LE event counts only if advertising reports fill it exactly. */
function isEventAt(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== EVENT || at + EVENT_HEADER > bytes.length) return false;
  const size = sizeAt(bytes, at);
  return size === 'more' || (typeof size === 'number' && (bytes[at + 1] !== LE_META || isReportAt(bytes, at)));
}

/** True if a byte is the kind of an event with advertising reports, or has not arrived yet. */
function mayReport(kind: number | undefined): boolean {
  return kind === undefined || kind === REPORT || kind === EXTENDED_REPORT;
}

function isReportAt(bytes: Buffer, at: number): boolean {
  const length = bytes[at + 2] ?? 0;
  return reportsFit(bytes.subarray(at + EVENT_HEADER, at + EVENT_HEADER + length));
}
