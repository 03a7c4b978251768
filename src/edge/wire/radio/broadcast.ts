import type { RejectReason } from '../../../model/link.ts';
import { MESSAGE_SIZE, messageTypes } from '../odid/decode25.ts';
import { MAX_PACK_MESSAGES } from '../odid/pack.ts';

/** Transmitter of a radio frame, and the receiver's measurements of the frame. */
export type RadioSource = {
  transport: 'wifi_beacon' | 'wifi_nan' | 'bt4' | 'bt5';
  /** MAC address of the transmitter, lower case with colons. */
  mac: string;
  rssiDbm: number | null;
  freqMhz: number | null;
};

/** Remote ID of one radio frame (ASTM F3411-22a), before its messages are decoded. */
export type RadioBroadcast = RadioSource & {
  kind: 'odid';
  /** Counter of the transmitter's broadcasts, modulo 256. */
  counter: number;
  /** True if the messages came as one message pack. */
  pack: boolean;
  /** 1 to 9 messages of 25 bytes, concatenated. */
  messages: Uint8Array;
};

/**
 * DJI DroneID (sub-command 0x10). Altitude, height and speeds are left out, because published decoders disagree about
 * their units.
 */
export type DjiDroneId = RadioSource & {
  kind: 'dji_droneid';
  version: number;
  seq: number;
  /** Serial number; null if the aircraft marks it as invalid, or sends a placeholder. */
  serial: string | null;
  latDeg: number | null;
  lonDeg: number | null;
  /** Position of the pilot's app; null if it is unknown, and in version 1, which has none. */
  operatorLatDeg: number | null;
  operatorLonDeg: number | null;
  homeLatDeg: number | null;
  homeLonDeg: number | null;
  productType: number;
  uuid: string | null;
  airborne: boolean;
  motorOn: boolean;
  /** False if the aircraft reports that it has no fix. Its position is reported as a claim nevertheless. */
  gpsValid: boolean;
};

/** Flight purpose in DJI DroneID (sub-command 0x11). */
export type DjiPurpose = RadioSource & {
  kind: 'dji_purpose';
  serial: string | null;
  droneId: string | null;
  purpose: string | null;
};

/** French electronic beacon (arrêté of 27 December 2019). */
export type FrenchBeacon = RadioSource & {
  kind: 'fr_beacon';
  /** Version of the format; null if the beacon states none. */
  version: number | null;
  /** Identifier of 30 characters: manufacturer, model, serial. */
  frId: string | null;
  /** Serial number in the form of ANSI/CTA-2063-A. */
  ansiId: string | null;
  latDeg: number | null;
  lonDeg: number | null;
  altMslM: number | null;
  /** Height above the take-off position. */
  heightM: number | null;
  homeLatDeg: number | null;
  homeLonDeg: number | null;
  speedMps: number | null;
  courseDeg: number | null;
};

/** Content about an aircraft from one vendor element, service info or advertisement. */
export type RadioReport = RadioBroadcast | DjiDroneId | DjiPurpose | FrenchBeacon;

/**
 * Receives the outcomes of frames: reports, and reasons of refusals. A frame that is not about an aircraft has no
 * outcome.
 */
export type RadioSink = { emit(report: RadioReport): void; reject(reason: RejectReason): void };

/** Report without its source, as the reader of a format returns it. */
export type WithoutSource<Report extends RadioSource> = Omit<Report, keyof RadioSource>;

/** Returns a signal level, dBm; null outside the range of receivers (Bluetooth Core 5.4: −127 to 20, 127 unknown). */
export function levelOf(dbm: number): number | null {
  return dbm >= -127 && dbm <= 20 ? dbm : null;
}

const PACK_HEADER = 3;

/**
 * Reads a Remote ID envelope that begins with its counter: a message pack, or one bare message. `length` if the pack
 * is truncated, states a message size other than 25, or a count other than 1 to 9. `length` too if the bare message has
 * not 25 bytes.
 */
export function readEnvelope(content: Uint8Array): WithoutSource<RadioBroadcast> | RejectReason {
  const [counter, head] = content;
  if (counter === undefined || head === undefined) return 'length';
  if (head >> 4 !== messageTypes.pack) {
    const isWhole = content.length === 1 + MESSAGE_SIZE;
    return isWhole ? { kind: 'odid', counter, pack: false, messages: content.subarray(1) } : 'length';
  }
  const [, , size, count = 0] = content;
  const begin = 1 + PACK_HEADER;
  const end = begin + count * MESSAGE_SIZE;
  if (size !== MESSAGE_SIZE || count === 0 || count > MAX_PACK_MESSAGES || end > content.length) return 'length';
  return { kind: 'odid', counter, pack: true, messages: content.subarray(begin, end) };
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Formats the address at `at` in the byte order of 802.11. */
export function macAt(bytes: Uint8Array, at: number): string {
  let text = hexOfByte[bytes[at] ?? 0] ?? '';
  for (let i = 1; i < 6; i++) text += `:${hexOfByte[bytes[at + i] ?? 0]}`;
  return text;
}

/** Formats the address at `at` in the byte order of Bluetooth, which sends the last byte first. */
export function reversedMacAt(bytes: Uint8Array, at: number): string {
  let text = hexOfByte[bytes[at + 5] ?? 0] ?? '';
  for (let i = 4; i >= 0; i--) text += `:${hexOfByte[bytes[at + i] ?? 0]}`;
  return text;
}
