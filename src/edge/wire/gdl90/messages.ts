import { framed } from './frame.ts';

/** Messages of GDL 90 (GDL 90 Data Interface Specification, 560-1058-00 rev A, section 3). Numbers are big-endian. */

const HEARTBEAT = 0;
const TRAFFIC = 20;

const METRES_PER_FT = 0.3048;
const MPS_PER_KT = 1_852 / 3_600;
const S_PER_DAY = 86_400;
/** Steps per degree: latitudes and longitudes are 24-bit fractions of half a circle. */
const SEMICIRCLE = 2 ** 23 / 180;
/** Altitude in steps of 25 ft from −1,000 ft; 0xfff means unknown. */
const ALTITUDE = { stepFt: 25, fromFt: -1_000, most: 0xffe, unknown: 0xfff };
const SPEED = { most: 0xffe, unknown: 0xfff };
/** Vertical velocity in steps of 64 ft/min. Greater values are clamped to 510 steps. */
const CLIMB = { stepFpm: 64, most: 510, unknown: 0x800 };

/** Emitter categories (section 3.5.1.10): none stated, and unmanned aircraft. */
export const categories = { unstated: 0, unmanned: 14 } as const;

/** Traffic report about one aircraft. Null means unknown. */
export type Traffic = {
  /** Self-assigned address of 24 bits; it is not an ICAO address. */
  address: number;
  lat: number;
  lon: number;
  /** Pressure altitude above 1013.25 hPa, m. */
  altPressureM: number | null;
  speedMps: number | null;
  courseDeg: number | null;
  climbMps: number | null;
  isExtrapolated: boolean;
  nic: number;
  nacp: number;
  category: number;
  /** Call sign; its first 8 letters and digits are sent. */
  callsign: string;
};

/** Address type 1: a self-assigned address (section 3.5.1.2). */
const SELF_ASSIGNED = 1;
const AIRBORNE = 0b1000;
const EXTRAPOLATED = 0b0100;
const TRUE_TRACK = 0b0001;
const CALLSIGN_CHARS = 8;

/**
 * Writes a heartbeat: the sender works, has no position of its own, and its seconds of the day are UTC (section 3.1).
 */
export function heartbeat(utcMs: number): Uint8Array {
  const s = Math.floor(utcMs / 1_000) % S_PER_DAY;
  return framed(Uint8Array.of(HEARTBEAT, 0x01, 0x01 | ((s >> 16) << 7), s & 0xff, (s >> 8) & 0xff, 0, 0));
}

/** Writes a traffic report (section 3.5). */
export function traffic(of: Traffic): Uint8Array {
  const bytes = new Uint8Array(28);
  const altitude = altitudeOf(of.altPressureM);
  const misc = AIRBORNE | (of.isExtrapolated ? EXTRAPOLATED : 0) | (of.courseDeg === null ? 0 : TRUE_TRACK);
  const [speed, climb] = [speedOf(of.speedMps), climbOf(of.climbMps)];
  bytes.set([TRAFFIC, SELF_ASSIGNED]);
  bytes.set(threeBytes(of.address), 2);
  bytes.set(threeBytes(fractionOf(of.lat)), 5);
  bytes.set(threeBytes(fractionOf(of.lon)), 8);
  bytes.set([altitude >> 4, ((altitude & 0xf) << 4) | misc, (of.nic << 4) | of.nacp], 11);
  bytes.set(threeBytes((speed << 12) | climb), 14);
  bytes[17] = Math.round(((of.courseDeg ?? 0) * 256) / 360) & 0xff;
  bytes[18] = of.category;
  bytes.set(new TextEncoder().encode(callsignOf(of.callsign)), 19);
  return framed(bytes);
}

const threeBytes = (value: number): number[] => [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];

/** Converts a latitude or longitude to its fraction. 180° east, which has no fraction of its own, becomes 180° west. */
const fractionOf = (deg: number): number => Math.round(deg * SEMICIRCLE) & 0xffffff;

function altitudeOf(m: number | null): number {
  if (m === null) return ALTITUDE.unknown;
  const steps = Math.round((m / METRES_PER_FT - ALTITUDE.fromFt) / ALTITUDE.stepFt);
  return Math.min(ALTITUDE.most, Math.max(0, steps));
}

function speedOf(mps: number | null): number {
  return mps === null ? SPEED.unknown : Math.min(SPEED.most, Math.round(Math.abs(mps) / MPS_PER_KT));
}

function climbOf(mps: number | null): number {
  if (mps === null) return CLIMB.unknown;
  const steps = Math.round(((mps / METRES_PER_FT) * 60) / CLIMB.stepFpm);
  return Math.min(CLIMB.most, Math.max(-CLIMB.most, steps)) & 0xfff;
}

const callsignOf = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, CALLSIGN_CHARS)
    .padEnd(CALLSIGN_CHARS);
