import { invalidInput } from '../../../model/fault.ts';
import { checksum } from './crc.ts';
import { CHECKSUM_SIZE, HEADER_V1, HEADER_V2, INCOMPAT_SIGNED, SIGNATURE_SIZE, STX_V1, STX_V2 } from './frame.ts';
import { type KnownMessage, knownMessage } from './known.ts';
import { writeSignature } from './signing.ts';
import type { SigningClock } from './signing_clock.ts';

export type FrameFields = {
  /** MAVLink version; 2 if absent. */
  version?: 1 | 2;
  sysid: number;
  compid: number;
  /** Sequence number, taken modulo 256. */
  seq: number;
  msgid: number;
  /** Payload up to the message's full length; missing bytes count as zero. */
  payload: Uint8Array;
  /** Signature; only MAVLink 2 has one. */
  sign?: { key: Uint8Array; linkId: number; timestamp: number };
};

/**
 * Encodes one frame. In MAVLink 2 trailing zeros of the payload are omitted, but the first byte is always sent. In
 * MAVLink 1 the payload has the message's length without extension fields. Throws a Fault if the message is unknown or
 * the payload is longer than the message. In MAVLink 1 an id above 255 or a signature is a Fault too.
 */
export function encodeFrame(fields: FrameFields): Buffer {
  const known = knownMessage(fields.msgid);
  if (known === undefined) throw invalidInput(`MAVLink message ${fields.msgid} is not known.`);
  if (fields.payload.length > known.maxLength) {
    const sentence = `${known.name} has at most ${known.maxLength} payload bytes; ${fields.payload.length} were given.`;
    throw invalidInput(sentence);
  }
  return fields.version === 1 ? encodeV1(fields, known) : encodeV2(fields, known);
}

function encodeV1({ sysid, compid, seq, msgid, payload, sign }: FrameFields, known: KnownMessage): Buffer {
  if (msgid > 255 || sign) {
    throw invalidInput(`MAVLink 1 cannot carry ${known.name}${sign ? ' with a signature' : ''}.`);
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

/**
 * Returns the length of a payload without trailing zeros. The MAVLink guide keeps the first byte even if it is
 * zero.
 */
function lengthWithoutZeros(payload: Uint8Array): number {
  let length = payload.length;
  while (length > 1 && payload[length - 1] === 0) length--;
  return length;
}

function writeChecksum(frame: Buffer, at: number, known: KnownMessage): void {
  frame.writeUInt16LE(checksum(frame, 1, at, known.crcExtra), at);
}

type MavlinkEncoderOptions = {
  version?: 1 | 2;
  sysid: number;
  compid: number;
  /** Returns the signer of the next frame; null without a key. */
  signing?: () => FrameSigner | null;
};

export type FrameSigner = { key: Uint8Array; linkId: number; clock: SigningClock };

/**
 * Encodes the messages of one component on one link. Keeps the sequence number. With a key, signs each frame with a
 * timestamp later than the previous one.
 */
export class MavlinkEncoder {
  readonly #options: MavlinkEncoderOptions;
  #seq = 0;

  constructor(options: MavlinkEncoderOptions) {
    this.#options = options;
  }

  /**
   * Encodes the next message. Call it again to repeat a message, because receivers refuse a signed frame that is sent
   * twice.
   */
  encode({ msgid, payload }: Pick<FrameFields, 'msgid' | 'payload'>): Buffer {
    const { version = 2, sysid, compid } = this.#options;
    const signing = this.#options.signing?.() ?? null;
    const seq = this.#seq;
    this.#seq = (seq + 1) & 0xff;
    const frame = { version, sysid, compid, seq, msgid, payload };
    if (!signing) return encodeFrame(frame);
    const { key, linkId, clock } = signing;
    return encodeFrame({ ...frame, sign: { key, linkId, timestamp: clock.next() } });
  }
}
