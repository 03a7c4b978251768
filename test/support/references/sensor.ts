import { degree, enuOf, type Geodetic, jacobian, turnOf } from './earth.ts';
import { at, column, diagonal, listed, type Matrix, plus, times, transposed } from './matrix.ts';

/** A sensor at a place, and what it covers: metres and degrees. */
export type Sensor = {
  site: Geodetic;
  place: Geodetic;
  rangeM: readonly [least: number, most: number];
  azimuthDeg: number;
  widthDeg: number;
  elevationDeg: readonly [least: number, most: number];
};

/** A place of the site in the sensor's own east, north and up. */
export function fromSensor(s: Sensor, p: readonly number[]): number[] {
  const stands = enuOf(s.site, s.place);
  return listed(times(transposed(turnOf(s.site, s.place)), column(p.map((v, i) => v - at(stands, i)))));
}

/** Azimuth from north and elevation, rad; slant range, m. */
export function polarOf(s: Sensor, p: readonly number[]): number[] {
  const [e, n, u] = fromSensor(s, p) as [number, number, number];
  const range = Math.hypot(e, n, u);
  return [Math.atan2(e, n), Math.asin(u / range), range];
}

/** The same place from azimuth, elevation and range. */
export function placeOfPolar(s: Sensor, [azimuth, elevation, range]: readonly number[]): number[] {
  const [a, e, r] = [azimuth ?? Number.NaN, elevation ?? Number.NaN, range ?? Number.NaN];
  const own = [r * Math.cos(e) * Math.sin(a), r * Math.cos(e) * Math.cos(a), r * Math.sin(e)];
  return listed(plus(times(turnOf(s.site, s.place), column(own)), column(enuOf(s.site, s.place))));
}

/** The covariance of that place by numeric gradients. */
export function spreadOfPolar(s: Sensor, z: readonly number[], variance: readonly number[]): Matrix {
  const byPolar = jacobian((polar) => placeOfPolar(s, polar), z, [1e-3, 1e-3, 1]);
  return times(byPolar, diagonal(variance), transposed(byPolar));
}

/** Rows: how azimuth, elevation and range change with the place. */
export function sightGradients(s: Sensor, p: readonly number[]): Matrix {
  const [e, n] = fromSensor(s, p) as [number, number, number];
  const step = Math.hypot(e, n) * 2e-3;
  const [azimuth] = polarOf(s, p) as [number];
  const unwrapped = (q: readonly number[]) =>
    polarOf(s, q).map((v, i) => (i === 0 ? azimuth + wrapped(v - azimuth) : v));
  return jacobian(unwrapped, p, [step, step, step]);
}

/** An angle brought between −π and π. */
export const wrapped = (angle: number): number => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/** How far within its cover a place lies, by what of it is nearest: m or rad, negative outside. */
export function depthInCover(s: Sensor, p: readonly number[], sigmaM: number): number {
  const [azimuth, elevation, range] = polarOf(s, p) as [number, number, number];
  const slack = Math.min((2 * sigmaM) / Math.max(range, 1), 1);
  const fromMiddle = Math.abs(wrapped(azimuth - s.azimuthDeg * degree));
  return Math.min(
    s.rangeM[1] - 2 * sigmaM - range,
    range - s.rangeM[0] - 2 * sigmaM,
    elevation - s.elevationDeg[0] * degree - slack,
    s.elevationDeg[1] * degree - slack - elevation,
    s.widthDeg >= 360 ? Number.POSITIVE_INFINITY : (s.widthDeg / 2) * degree - slack - fromMiddle,
  );
}
