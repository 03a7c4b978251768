import { Fault } from '../../../model/fault.ts';
import { checksum } from './crc.ts';
import { CHECKSUM_SIZE, HEADER_V1, HEADER_V2, INCOMPAT_SIGNED, SIGNATURE_SIZE, STX_V1, STX_V2 } from './frame.ts';
import { type KnownMessage, knownMessage } from './known.ts';
import { writeSignature } from './signing.ts';
import type { SigningClock } from './signing_clock.ts';

export type FrameFields = {
  /** 2 where absent. */
  version?: 1 | 2;
  sysid: number;
  compid: number;
  /** Taken modulo 256. */
  seq: number;
  msgid: number;
  /** Up to the message's full length; what is missing counts as zero. */
  payload: Uint8Array;
  /** MAVLink 2 only. */
  sign?: { key: Uint8Array; linkId: number; timestamp: number };
};

/**
 * One frame. In MAVLink 2 the payload's trailing zeros are cut, but its first byte; in MAVLink 1 it has the message's length
 * without extension fields. Throws a Fault for a message, payload or signature that the version cannot carry.
 */
export function encodeFrame(fields: FrameFields): Buffer {
  const known = knownMessage(fields.msgid);
  if (known === undefined) throw new Fault('invalid_input', `MAVLink message ${fields.msgid} is not known.`);
  if (fields.payload.length > known.maxLength) {
    const sentence = `${known.name} has at most ${known.maxLength} payload bytes; ${fields.payload.length} were given.`;
    throw new Fault('invalid_input', sentence);
  }
  return fields.version === 1 ? encodeV1(fields, known) : encodeV2(fields, known);
}

function encodeV1({ sysid, compid, seq, msgid, payload, sign }: FrameFields, known: KnownMessage): Buffer {
  if (msgid > 255 || sign) {
    throw new Fault('invalid_input', `MAVLink 1 cannot carry ${known.name}${sign ? ' with a signature' : ''}.`);
  }
  const frame = Buffer.alloc(HEADER_V1 + known.minLength + CHECKSUM_SIZE);
  frame.set([STX_V1, known.minLength, seq & 0xff, sysid, compid, msgid]);
  frame.set(payload.subarray(0, known.minLength), HEADER_V1);
  writeChecksum(frame, HEADER_V1 + known.minLength, known);
  return frame;
}

function encodeV2({ sysid, compid, seq, msgid, payload, sign }: FrameFields, known: KnownMessage): Buffer {
  const length = lengthWithoutZeros(payload);
  const signatureAt = HEADER_V2 + length + CHECKSUM_SIZE;
  const frame = Buffer.alloc(signatureAt + (sign ? SIGNATURE_SIZE : 0));
  frame.set([STX_V2, length, sign ? INCOMPAT_SIGNED : 0, 0, seq & 0xff, sysid, compid]);
  frame.writeUIntLE(msgid, 7, 3);
  frame.set(payload.subarray(0, length), HEADER_V2);
  writeChecksum(frame, HEADER_V2 + length, known);
  if (sign) writeSignature(frame, signatureAt, sign.key, sign.linkId, sign.timestamp);
  return frame;
}

/** The MAVLink guide keeps the first byte even where it is zero. */
function lengthWithoutZeros(payload: Uint8Array): number {
  let length = payload.length;
  while (length > 1 && payload[length - 1] === 0) length--;
  return length;
}

function writeChecksum(frame: Buffer, at: number, known: KnownMessage): void {
  frame.writeUInt16LE(checksum(frame, 1, at, known.crcExtra), at);
}

export type MavlinkEncoderOptions = {
  version?: 1 | 2;
  sysid: number;
  compid: number;
  /** What signs now; null where there is no key. */
  signing?: () => FrameSigner | null;
};

export type FrameSigner = { key: Uint8Array; linkId: number; clock: SigningClock };

/** What one component says on one link: it owns the sequence number and signs each frame with a later timestamp. */
export class MavlinkEncoder {
  readonly #options: MavlinkEncoderOptions;
  #seq = 0;

  constructor(options: MavlinkEncoderOptions) {
    this.#options = options;
  }

  /** A message said again is encoded again: receivers refuse a frame that is sent twice when it is signed. */
  encode({ msgid, payload }: { msgid: number; payload: Uint8Array }): Buffer {
    const { version = 2, sysid, compid } = this.#options;
    const signing = this.#options.signing?.() ?? null;
    const seq = this.#seq;
    this.#seq = (seq + 1) & 0xff;
    if (!signing) return encodeFrame({ version, sysid, compid, seq, msgid, payload });
    const sign = { key: signing.key, linkId: signing.linkId, timestamp: signing.clock.next() };
    return encodeFrame({ version, sysid, compid, seq, msgid, payload, sign });
  }
}
