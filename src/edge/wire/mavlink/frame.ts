import type { RejectReason } from '../../../model/link.ts';
import { checksum } from './crc.ts';
import { type KnownMessage, knownMessage } from './known.ts';

export const STX_V1 = 0xfe;
export const STX_V2 = 0xfd;
export const HEADER_V1 = 6;
export const HEADER_V2 = 10;
export const CHECKSUM_SIZE = 2;
export const SIGNATURE_SIZE = 13;
/** Largest payload that the length byte can state, bytes. */
export const MAX_PAYLOAD = 255;
/** Longest frame, bytes: a signed MAVLink 2 frame with a full payload. */
export const MAX_FRAME = HEADER_V2 + MAX_PAYLOAD + CHECKSUM_SIZE + SIGNATURE_SIZE;

/**
 * Incompatibility flag of signed frames. A frame with any other flag set must be dropped (MAVLink guide, packet
 * serialization).
 */
export const INCOMPAT_SIGNED = 1;

/** Position and header of a frame. `inspectFrame` overwrites a given view, so that it allocates nothing. */
export type FrameView = {
  /** Offset of the start byte. */
  at: number;
  /** Length of the whole frame according to its header, bytes. */
  size: number;
  payloadAt: number;
  payloadLength: number;
  seq: number;
  sysid: number;
  compid: number;
  /** True if the frame has a signature, which is not verified yet. */
  hasSignature: boolean;
  /** Definition of the message; valid only after the verdict `good`. */
  known: KnownMessage;
};

/**
 * Verdict on a possible frame. `incomplete`: not refused yet, but bytes are missing. Any other verdict except `good`
 * is the reason why no frame starts here.
 */
type FrameVerdict = 'good' | 'incomplete' | Extract<RejectReason, 'crc' | 'length' | 'malformed' | 'unknown_type'>;

const nothing: KnownMessage = { msgid: -1, name: '', crcExtra: 0, minLength: 0, maxLength: 0 };

export function newFrameView(): FrameView {
  return {
    at: 0,
    size: 0,
    payloadAt: 0,
    payloadLength: 0,
    seq: 0,
    sysid: 0,
    compid: 0,
    hasSignature: false,
    known: nothing,
  };
}

/**
 * Checks whether a frame starts at `at`, where a start byte is; the bytes up to `end` are available. Refuses as soon
 * as the header is wrong, without waiting for the stated length, because most start bytes in noise are false.
 */
export function inspectFrame(bytes: Uint8Array, at: number, end: number, view: FrameView): FrameVerdict {
  return bytes[at] === STX_V2 ? inspectV2(bytes, at, end, view) : inspectV1(bytes, at, end, view);
}

function inspectV2(bytes: Uint8Array, at: number, end: number, view: FrameView): FrameVerdict {
  if (end - at < 3) return 'incomplete';
  const length = bytes[at + 1] as number;
  const flags = bytes[at + 2] as number;
  const hasSignature = (flags & INCOMPAT_SIGNED) !== 0;
  view.size = HEADER_V2 + length + CHECKSUM_SIZE + (hasSignature ? SIGNATURE_SIZE : 0);
  if ((flags & ~INCOMPAT_SIGNED) !== 0) return 'malformed';
  if (end - at < HEADER_V2) return 'incomplete';
  const msgid = (bytes[at + 7] as number) | ((bytes[at + 8] as number) << 8) | ((bytes[at + 9] as number) << 16);
  const known = knownMessage(msgid);
  if (known === undefined) return 'unknown_type';
  if (end - at < view.size) return 'incomplete';
  view.hasSignature = hasSignature;
  return judgeWhole(bytes, at, at + 4, at + HEADER_V2, length, known, view);
}

/**
 * Checks a MAVLink 1 frame, which has no truncation: a payload shorter than the message is refused. A longer payload
 * is accepted up to `maxLength`, because some senders append extension fields against the rule.
 */
function inspectV1(bytes: Uint8Array, at: number, end: number, view: FrameView): FrameVerdict {
  if (end - at < HEADER_V1) return 'incomplete';
  const length = bytes[at + 1] as number;
  view.size = HEADER_V1 + length + CHECKSUM_SIZE;
  const known = knownMessage(bytes[at + 5] as number);
  if (known === undefined) return 'unknown_type';
  if (length < known.minLength || length > known.maxLength) return 'length';
  if (end - at < view.size) return 'incomplete';
  view.hasSignature = false;
  return judgeWhole(bytes, at, at + 2, at + HEADER_V1, length, known, view);
}

/** Checks a complete frame. `seqAt` is the offset of sequence number, system id and component id. */
function judgeWhole(
  bytes: Uint8Array,
  at: number,
  seqAt: number,
  payloadAt: number,
  length: number,
  known: KnownMessage,
  view: FrameView,
): FrameVerdict {
  const end = payloadAt + length;
  const stated = (bytes[end] as number) | ((bytes[end + 1] as number) << 8);
  if (checksum(bytes, at + 1, end, known.crcExtra) !== stated) return 'crc';
  view.payloadAt = payloadAt;
  view.payloadLength = length;
  view.at = at;
  view.seq = bytes[seqAt] as number;
  view.sysid = bytes[seqAt + 1] as number;
  view.compid = bytes[seqAt + 2] as number;
  view.known = known;
  return 'good';
}
