import { at, built, column, listed, type Matrix, times, transposed } from './matrix.ts';

/** Latitude and longitude in degrees, height above the ellipsoid in metres. */
export type Geodetic = readonly [latDeg: number, lonDeg: number, heightM: number];

const semiMajorM = 6378137;
const semiMinorM = semiMajorM * (1 - 1 / 298.257223563);
export const degree = Math.PI / 180;

/** A place in earth-centred axes, m: the ellipse's point of that latitude, and up its normal. */
export function ecefOf([latDeg, lonDeg, heightM]: Geodetic): number[] {
  const [c, s] = [Math.cos(latDeg * degree), Math.sin(latDeg * degree)];
  const length = Math.hypot(semiMajorM * c, semiMinorM * s);
  const fromAxis = semiMajorM ** 2 * (c / length) + heightM * c;
  return [
    fromAxis * Math.cos(lonDeg * degree),
    fromAxis * Math.sin(lonDeg * degree),
    semiMinorM ** 2 * (s / length) + heightM * s,
  ];
}

/** Rows: east, north and up at a place. East is what up turns into with longitude; north completes the three. */
export function axesAt([latDeg, lonDeg]: readonly number[]): Matrix {
  const [lat, lon] = [(latDeg ?? Number.NaN) * degree, (lonDeg ?? Number.NaN) * degree];
  const up = [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
  const east = [-Math.sin(lon), Math.cos(lon), 0];
  return [east, cross(up, east), up];
}

const cross = (a: readonly number[], b: readonly number[]): number[] =>
  [0, 1, 2].map((i) => at(a, (i + 1) % 3) * at(b, (i + 2) % 3) - at(a, (i + 2) % 3) * at(b, (i + 1) % 3));

/** A place in the east, north and up of a site, m. */
export function enuOf(site: Geodetic, place: Geodetic): number[] {
  const from = ecefOf(site);
  return listed(times(axesAt(site), column(ecefOf(place).map((v, i) => v - at(from, i)))));
}

/** Turns the east, north and up of `place` into those of `site`. */
export const turnOf = (site: Geodetic, place: Geodetic): Matrix => times(axesAt(site), transposed(axesAt(place)));

const sphereM = 6_371_000;
const fromCentre = (p: readonly number[]): number[] => [at(p, 0), at(p, 1), at(p, 2) + sphereM];

/** The local vertical of a site's axes where `p` lies: away from the centre of a sphere that touches the site. */
export const verticalAt = (p: readonly number[]): number[] =>
  fromCentre(p).map((v) => v / Math.hypot(...fromCentre(p)));
/** Metres over that sphere. */
export const heightOver = (p: readonly number[]): number => Math.hypot(...fromCentre(p)) - sphereM;

/** Rows: the gradients of every number that `f` gives. */
export function jacobian(
  f: (p: readonly number[]) => readonly number[],
  p: readonly number[],
  steps: readonly number[],
): Matrix {
  const columns = p.map((_, j) => {
    const beside = (by: number) => f(p.map((v, k) => (j === k ? v + by * at(steps, j) : v)));
    const [far, near, minusNear, minusFar] = [beside(2), beside(1), beside(-1), beside(-2)];
    return near.map((v, i) => (8 * (v - at(minusNear, i)) - (at(far, i) - at(minusFar, i))) / (12 * at(steps, j)));
  });
  return built(columns[0]?.length ?? 0, p.length, (i, j) => at(columns[j], i));
}
