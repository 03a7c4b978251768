import type { RejectReason } from '../../../model/link.ts';
import { MESSAGE_SIZE, messageTypes } from '../odid/decode25.ts';
import { MAX_PACK_MESSAGES } from '../odid/pack.ts';

/** Remote ID of one radio frame (ASTM F3411-22a), before its messages are decoded. */
export type RadioBroadcast = {
  transport: 'wifi_beacon' | 'wifi_nan' | 'bt4' | 'bt5';
  /** Address of the transmitter, lower case with colons. */
  mac: string;
  /** The transmitter's own counter of its broadcasts, modulo 256. */
  counter: number;
  /** 1 to 9 messages of 25 bytes, one behind the other. */
  messages: Uint8Array;
  rssiDbm: number | null;
  freqMhz: number | null;
};

/** Takes the outcome of one frame. A frame that is not about Remote ID gives neither. */
export type RadioSink = { emit(broadcast: RadioBroadcast): void; reject(reason: RejectReason): void };

const PACK_HEADER = 3;

/**
 * Counter and messages of an envelope whose content begins at `at`: a pack, or one bare message. `length` where the
 * pack is cut, states a message size other than 25, or a count other than 1 to 9.
 */
export function readEnvelope(content: Uint8Array): Pick<RadioBroadcast, 'counter' | 'messages'> | RejectReason {
  const [counter, head] = content;
  if (counter === undefined || head === undefined) return 'length';
  if (head >> 4 !== messageTypes.pack) {
    return content.length === 1 + MESSAGE_SIZE ? { counter, messages: content.subarray(1) } : 'length';
  }
  const [, , size, count = 0] = content;
  const begin = 1 + PACK_HEADER;
  const end = begin + count * MESSAGE_SIZE;
  if (size !== MESSAGE_SIZE || count === 0 || count > MAX_PACK_MESSAGES || end > content.length) return 'length';
  return { counter, messages: content.subarray(begin, end) };
}

/** Address at `at` in the order of 802.11. */
export function macAt(bytes: Uint8Array, at: number): string {
  return Array.from(bytes.subarray(at, at + 6), (byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/** Address at `at` in the order of Bluetooth, which sends the last byte first. */
export function reversedMacAt(bytes: Uint8Array, at: number): string {
  return macAt(Uint8Array.from(bytes.subarray(at, at + 6)).reverse(), 0);
}
