import type { Fields } from './fields.ts';

/**
 * Ranges of the Open Drone ID fields (ASTM F3411-22a section 5.4.5, MAVLink common.xml). Each reader takes a value that
 * is already in SI units. It gives null if the sender declared the value unknown, and NaN if the standard does
 * not allow the value. NaN never leaves the decoder: `allowed` makes it null.
 */

/**
 * Limits of altitudes and heights, m. A message states them as 16-bit numbers of 0.5 m steps above −1,000 m. The value
 * −1,000 m itself means unknown.
 */
export const UNKNOWN_ALTITUDE_M = -1000;
export const MAX_ALTITUDE_M = 31_767.5;

const UNKNOWN_SPEED_H_MPS = 255;
const MAX_SPEED_H_MPS = 254.25;

export const UNKNOWN_SPEED_V_MPS = 63;
const MAX_SPEED_V_MPS = 62;

export const UNKNOWN_DIRECTION_DEG = 361;

/** Limits of seconds after the full UTC hour; the end of the hour itself is allowed. 65,535 means unknown. */
export const UNKNOWN_SECONDS = 65_535;
export const MAX_SECONDS_AFTER_HOUR = 3600;

const MAX_LAT_E7 = 900_000_000;
const MAX_LON_E7 = 1_800_000_000;

/** Largest value of a field of four bits: status, accuracies, authentication page. */
export const MAX_NIBBLE = 15;

export function readAltitudeM(metres: number): number | null {
  if (metres === UNKNOWN_ALTITUDE_M) return null;
  return metres > UNKNOWN_ALTITUDE_M && metres <= MAX_ALTITUDE_M ? metres : Number.NaN;
}

export function readSpeedHMps(mps: number): number | null {
  if (mps === UNKNOWN_SPEED_H_MPS) return null;
  return mps <= MAX_SPEED_H_MPS ? mps : Number.NaN;
}

export function readSpeedVMps(mps: number): number | null {
  if (mps === UNKNOWN_SPEED_V_MPS) return null;
  return mps >= -MAX_SPEED_V_MPS && mps <= MAX_SPEED_V_MPS ? mps : Number.NaN;
}

export function readSecondsAfterHour(seconds: number): number | null {
  if (seconds === UNKNOWN_SECONDS) return null;
  return seconds >= 0 && seconds <= MAX_SECONDS_AFTER_HOUR ? seconds : Number.NaN;
}

/**
 * Reads a position in degrees. Two zero coordinates mean unknown and give nulls; one zero coordinate is valid.
 * Coordinates out of range give nulls too, with `isPossible` false.
 */
export function readPosition({ view }: Fields, at: number) {
  const latE7 = view.getInt32(at, true);
  const lonE7 = view.getInt32(at + 4, true);
  const isPossible = latE7 >= -MAX_LAT_E7 && latE7 <= MAX_LAT_E7 && lonE7 >= -MAX_LON_E7 && lonE7 <= MAX_LON_E7;
  const isPlaced = isPossible && (latE7 !== 0 || lonE7 !== 0);
  return { latDeg: isPlaced ? latE7 / 1e7 : null, lonDeg: isPlaced ? lonE7 / 1e7 : null, isPossible };
}

/** True for NaN, which stands for a value that the standard does not allow. */
export function isImpossible(value: number | null): boolean {
  return Number.isNaN(value);
}

/** Returns the value; null if it is unknown or not allowed. */
export function allowed(value: number | null): number | null {
  return Number.isNaN(value) ? null : value;
}
