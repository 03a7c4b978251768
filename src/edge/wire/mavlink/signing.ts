import { createHash, timingSafeEqual } from 'node:crypto';
import { invalidInput } from '../../../model/fault.ts';
import type { SigningKey } from '../../../model/link.ts';
import { SIGNATURE_SIZE } from './frame.ts';
import { SIGNING_UNITS_PER_S, type SigningClock } from './signing_clock.ts';

export const KEY_SIZE = 32;
/** Number of hash bytes that are sent. */
const DIGEST_SIZE = 6;

/** Greatest age of the first timestamp of a new signing stream, units of 10 µs. */
const NEW_STREAM_LAG = 60 * SIGNING_UNITS_PER_S;

/** Greatest number of followed streams; only holders of the key can create one. */
const MAX_STREAMS = 1024;

/**
 * Newest accepted timestamp of one signing stream, units of 10 µs. It is persisted, so that replays are still refused
 * after a restart.
 */
export type SigningStream = StreamName & { timestamp: number };

/** Name of a signing stream: a component on one of its own links. */
export type StreamName = { sysid: number; compid: number; linkId: number };

/**
 * Returns the 32 bytes of a key that a person entered. A passphrase is hashed as in Mission Planner and MAVProxy:
 * SHA-256 of its UTF-8.
 */
export function keyBytes({ key: said = '', passphrase }: SigningKey): Buffer {
  if (passphrase !== undefined) return createHash('sha256').update(passphrase, 'utf8').digest();
  const key = Buffer.from(said, said.length === 2 * KEY_SIZE ? 'hex' : 'base64');
  // A key of zeros is refused, because it makes a vehicle stop signing.
  if (key.every((byte) => byte === 0)) throw invalidInput("'key' must not be all zeros");
  return key;
}

/**
 * Returns the first 6 bytes of SHA-256 over the key and the frame, from the start byte up to and including the
 * timestamp.
 */
export function signatureOf(key: Uint8Array, frameToTimestamp: Uint8Array): Uint8Array {
  return createHash('sha256').update(key).update(frameToTimestamp).digest().subarray(0, DIGEST_SIZE);
}

/** Writes link id, timestamp and signature at `at`, which follows the checksum. The frame must start at byte 0. */
export function writeSignature(frame: Buffer, at: number, key: Uint8Array, linkId: number, timestamp: number): void {
  frame[at] = linkId;
  frame.writeUIntLE(timestamp, at + 1, 6);
  frame.set(signatureOf(key, frame.subarray(0, at + 7)), at + 7);
}

/**
 * Verifies signatures with one key: the hash must be right, and the timestamp must be newer than the last timestamp of
 * its stream. The first timestamp of a stream must be at most 60 s old. A stream is identified by (sysid, compid, link
 * id).
 */
export class SignatureGate {
  readonly #key: Uint8Array;
  readonly #clock: SigningClock;
  /** `streamKey` of our own stream, whose frames are refused when they are sent back to us; null without one. */
  readonly #own: number | null;
  readonly #streams = new Map<number, number>();

  constructor(
    key: Uint8Array,
    clock: SigningClock,
    streams: readonly SigningStream[] = [],
    own: StreamName | null = null,
  ) {
    if (key.length !== KEY_SIZE) {
      throw invalidInput(`The signing key must have ${KEY_SIZE} bytes; this one has ${key.length}.`);
    }
    this.#key = key;
    this.#clock = clock;
    this.#own = own && streamKey(own.sysid, own.compid, own.linkId);
    for (const { sysid, compid, linkId, timestamp } of streams.slice(-MAX_STREAMS)) {
      this.#streams.set(streamKey(sysid, compid, linkId), timestamp);
    }
  }

  /** True if this gate verifies with the given key. */
  has(key: Uint8Array): boolean {
    return timingSafeEqual(this.#key, key);
  }

  /** Streams to persist, the most recently received one last. */
  get streams(): SigningStream[] {
    return [...this.#streams].map(([key, timestamp]) => ({
      sysid: key >> 16,
      compid: (key >> 8) & 0xff,
      linkId: key & 0xff,
      timestamp,
    }));
  }

  /** True if the frame of bytes `from` to `to` was signed by a holder of the key and is no replay. */
  admit(bytes: Uint8Array, from: number, to: number, sysid: number, compid: number): boolean {
    const at = to - SIGNATURE_SIZE;
    const expected = signatureOf(this.#key, bytes.subarray(from, at + 7));
    if (!timingSafeEqual(expected, bytes.subarray(at + 7, to))) return false;
    return this.#isFresh(streamKey(sysid, compid, bytes[at] as number), readTimestamp(bytes, at + 1));
  }

  #isFresh(stream: number, timestamp: number): boolean {
    if (stream === this.#own && timestamp <= this.#clock.last) return false;
    const last = this.#streams.get(stream);
    if (last === undefined) {
      // The floor is a time that has certainly passed. With it, old timestamps are refused even if the wall clock was
      // set back during a restart.
      const reference = Math.max(this.#clock.wall(), this.#clock.floor);
      if (timestamp < reference - NEW_STREAM_LAG) return false;
      this.#makeRoom();
    } else if (timestamp <= last) {
      return false;
    }
    this.#streams.delete(stream);
    this.#streams.set(stream, timestamp);
    this.#clock.received(timestamp);
    return true;
  }

  #makeRoom(): void {
    if (this.#streams.size < MAX_STREAMS) return;
    const oldest = this.#streams.keys().next();
    if (!oldest.done) this.#streams.delete(oldest.value);
  }
}

const streamKey = (sysid: number, compid: number, linkId: number): number => (sysid << 16) | (compid << 8) | linkId;

function readTimestamp(bytes: Uint8Array, at: number): number {
  let timestamp = 0;
  for (let i = 5; i >= 0; i--) timestamp = timestamp * 256 + (bytes[at + i] as number);
  return timestamp;
}
