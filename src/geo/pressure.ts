/**
 * Pressure altitude by the ICAO standard atmosphere (ICAO Doc 7488, troposphere). It is valid below 11 km, and all
 * heights that matter here are lower.
 */

const STANDARD_HPA = 1_013.25;
/** Temperature at sea level divided by its decrease with height, m: 288.15 K / 0.0065 K/m. */
const SCALE_M = 288.15 / 0.0065;
/** g·M/(R·L) = 9.80665 · 0.0289644 / (8.31446 · 0.0065). */
const EXPONENT = 5.25588;

/**
 * Returns the height above the pressure surface of 1013.25 hPa, m, for a height `mslM` above mean sea level. `qnhHpa`
 * is the pressure at mean sea level, hPa.
 */
export function pressureAltitudeM(mslM: number, qnhHpa: number): number {
  const hpa = qnhHpa * (1 - mslM / SCALE_M) ** EXPONENT;
  return SCALE_M * (1 - (hpa / STANDARD_HPA) ** (1 / EXPONENT));
}
