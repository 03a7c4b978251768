/**
 * Pressure altitude by the ICAO standard atmosphere (ICAO Doc 7488, troposphere). Valid below 11 km, which covers what a
 * box watches.
 */

const STANDARD_HPA = 1_013.25;
/** Temperature at sea level over its decrease with height, 288.15 K / 0.0065 K/m. */
const SCALE_M = 288.15 / 0.0065;
/** g·M/(R·L) = 9.80665 · 0.0289644 / (8.31446 · 0.0065). */
const EXPONENT = 5.25588;

/** Height above the surface of 1013.25 hPa, m, of a height above mean sea level where the sea level has `qnhHpa`. */
export function pressureAltitudeM(mslM: number, qnhHpa: number): number {
  const hpa = qnhHpa * (1 - mslM / SCALE_M) ** EXPONENT;
  return SCALE_M * (1 - (hpa / STANDARD_HPA) ** (1 / EXPONENT));
}
