import type { RejectReason } from '../../../model/link.ts';
import { MESSAGE_SIZE, messageTypes } from '../odid/decode25.ts';
import { MAX_PACK_MESSAGES } from '../odid/pack.ts';

/** Transmitter of a radio frame, and the receiver's measurements of it. */
export type RadioSource = {
  transport: 'wifi_beacon' | 'wifi_nan' | 'bt4' | 'bt5';
  /** Address of the transmitter, lower case with colons. */
  mac: string;
  rssiDbm: number | null;
  freqMhz: number | null;
};

/** Remote ID of one radio frame (ASTM F3411-22a), before its messages are decoded. */
export type RadioBroadcast = RadioSource & {
  kind: 'odid';
  /** The transmitter's own counter of its broadcasts, modulo 256. */
  counter: number;
  /** True where the messages came as one pack. */
  pack: boolean;
  /** 1 to 9 messages of 25 bytes, one behind the other. */
  messages: Uint8Array;
};

/**
 * DJI DroneID (sub-command 0x10). Altitude, height and speeds are left out: published readers disagree about their units.
 */
export type DjiDroneId = RadioSource & {
  kind: 'dji_droneid';
  version: number;
  seq: number;
  /** Null where the aircraft declares it invalid, or sends a placeholder. */
  serial: string | null;
  latDeg: number | null;
  lonDeg: number | null;
  /** Place of the app; null in version 1, which has none. */
  operatorLatDeg: number | null;
  operatorLonDeg: number | null;
  homeLatDeg: number | null;
  homeLonDeg: number | null;
  productType: number;
  uuid: string | null;
  airborne: boolean;
  motorOn: boolean;
  /** False where the aircraft declares that it has no fix; its place is a claim all the same. */
  gpsValid: boolean;
};

/** Flight purpose of DJI DroneID (sub-command 0x11). */
export type DjiPurpose = RadioSource & {
  kind: 'dji_purpose';
  serial: string | null;
  droneId: string | null;
  purpose: string | null;
};

/** The French electronic beacon (arrêté of 27 December 2019). */
export type FrenchBeacon = RadioSource & {
  kind: 'fr_beacon';
  /** Null where the beacon states none. */
  version: number | null;
  /** Identifier of 30 characters: maker, model, serial. */
  frId: string | null;
  /** Serial number of ANSI/CTA-2063-A. */
  ansiId: string | null;
  latDeg: number | null;
  lonDeg: number | null;
  altMslM: number | null;
  /** Above the place of take-off. */
  heightM: number | null;
  homeLatDeg: number | null;
  homeLonDeg: number | null;
  speedMps: number | null;
  courseDeg: number | null;
};

/** Content of one vendor element, service info or advertisement about an aircraft. */
export type RadioReport = RadioBroadcast | DjiDroneId | DjiPurpose | FrenchBeacon;

/** Takes the outcome of one frame. A frame that is not about an aircraft gives neither. */
export type RadioSink = { emit(report: RadioReport): void; reject(reason: RejectReason): void };

/** A report without its source, as the reader of a format gives it. */
export type WithoutSource<Report extends RadioSource> = Omit<Report, keyof RadioSource>;

/** Signal level, dBm; null outside the range of receivers (Bluetooth Core 5.4: −127 to 20, 127 unknown). */
export function levelOf(dbm: number): number | null {
  return dbm >= -127 && dbm <= 20 ? dbm : null;
}

const PACK_HEADER = 3;

/**
 * Content of an envelope that begins with its counter: a pack, or one bare message. `length` where the pack is cut,
 * states a message size other than 25, or a count other than 1 to 9.
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

/** Address at `at` in the order of 802.11. */
export function macAt(bytes: Uint8Array, at: number): string {
  let text = hexOfByte[bytes[at] ?? 0] ?? '';
  for (let i = 1; i < 6; i++) text += `:${hexOfByte[bytes[at + i] ?? 0]}`;
  return text;
}

/** Address at `at` in the order of Bluetooth, which sends the last byte first. */
export function reversedMacAt(bytes: Uint8Array, at: number): string {
  let text = hexOfByte[bytes[at + 5] ?? 0] ?? '';
  for (let i = 4; i >= 0; i--) text += `:${hexOfByte[bytes[at + i] ?? 0]}`;
  return text;
}
