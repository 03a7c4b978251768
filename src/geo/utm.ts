import type { LatLon } from './position.ts';

/** A position on the Universal Transverse Mercator grid of WGS 84. */
export type UtmPlace = { zone: number; isNorth: boolean; eastingM: number; northingM: number };

const SEMI_MAJOR_M = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const SCALE = 0.9996;
const FALSE_EASTING_M = 500_000;
const FALSE_NORTHING_M = 10_000_000;
const DEGREES = 180 / Math.PI;

const n = FLATTENING / (2 - FLATTENING);
const eccentricity = Math.sqrt(FLATTENING * (2 - FLATTENING));
/** Radius of the circle whose circumference is the length of the meridian, m (Karney 2011, equation 14). */
const RECTIFYING_M = (SEMI_MAJOR_M / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64 + n ** 6 / 256);

/** Coefficients β of Krüger's series from plane to sphere (Karney 2011, equation 36, to the sixth order). */
const beta = [
  n / 2 - (2 * n ** 2) / 3 + (37 * n ** 3) / 96 - n ** 4 / 360 - (81 * n ** 5) / 512 + (96_199 * n ** 6) / 604_800,
  n ** 2 / 48 + n ** 3 / 15 - (437 * n ** 4) / 1_440 + (46 * n ** 5) / 105 - (1_118_711 * n ** 6) / 3_870_720,
  (17 * n ** 3) / 480 - (37 * n ** 4) / 840 - (209 * n ** 5) / 4_480 + (5_569 * n ** 6) / 90_720,
  (4_397 * n ** 4) / 161_280 - (11 * n ** 5) / 504 - (830_251 * n ** 6) / 7_257_600,
  (4_583 * n ** 5) / 161_280 - (108_847 * n ** 6) / 3_991_680,
  (20_648_693 * n ** 6) / 638_668_800,
];

/**
 * Returns latitude and longitude of a position on the UTM grid: Krüger's series to the sixth order (Karney, Transverse
 * Mercator with an accuracy of a few nanometers, J. Geodesy 85, 2011). The error is far below 1 mm within 1 000 km of
 * the central meridian.
 */
export function latLonOfUtm({ zone, isNorth, eastingM, northingM }: UtmPlace): LatLon {
  const xi = (northingM - (isNorth ? 0 : FALSE_NORTHING_M)) / (SCALE * RECTIFYING_M);
  const eta = (eastingM - FALSE_EASTING_M) / (SCALE * RECTIFYING_M);
  let [xiSphere, etaSphere] = [xi, eta];
  beta.forEach((coefficient, i) => {
    const k = 2 * (i + 1);
    xiSphere -= coefficient * Math.sin(k * xi) * Math.cosh(k * eta);
    etaSphere -= coefficient * Math.cos(k * xi) * Math.sinh(k * eta);
  });
  const tauConformal = Math.sin(xiSphere) / Math.hypot(Math.sinh(etaSphere), Math.cos(xiSphere));
  const latDeg = Math.atan(geographicTangent(tauConformal)) * DEGREES;
  const fromMeridianDeg = Math.atan2(Math.sinh(etaSphere), Math.cos(xiSphere)) * DEGREES;
  return { latDeg, lonDeg: wrapped(6 * zone - 183 + fromMeridianDeg) };
}

/**
 * Returns the tangent of the geographic latitude for the tangent of a conformal latitude, by Newton's method (Karney
 * 2011, equations 19 to 21).
 */
function geographicTangent(tauConformal: number): number {
  let tau = tauConformal;
  for (let step = 0; step < 5; step++) {
    const root = Math.hypot(1, tau);
    const sigma = Math.sinh(eccentricity * Math.atanh((eccentricity * tau) / root));
    const found = tau * Math.hypot(1, sigma) - sigma * root;
    const slope = (1 - eccentricity ** 2) * root * Math.hypot(1, found);
    tau += ((tauConformal - found) / slope) * (1 + (1 - eccentricity ** 2) * tau ** 2);
  }
  return tau;
}

function wrapped(lonDeg: number): number {
  if (lonDeg > 180) return lonDeg - 360;
  return lonDeg < -180 ? lonDeg + 360 : lonDeg;
}
