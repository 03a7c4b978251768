import type { Enu, Geodetic } from '../../geo/position.ts';
import type { ScenarioSensor } from '../../model/scenario.ts';
import type { Site } from '../kernel/site.ts';
import type { Sky } from './sky.ts';

/** Effective radius of the earth for radio waves, m: four thirds of the real radius. */
const BENT_EARTH_M = 8_495_000;
/** Least height of sensor and target that is used for the horizon, m. */
const LEAST_MAST_M = 2;
const FULL_CIRCLE = 2 * Math.PI;
const DEGREE = Math.PI / 180;

/**
 * The probability of detection is `pd` up to this share of the maximum range. It then falls, to the share
 * `LEFT_AT_END` of `pd` at the maximum range.
 */
const ROLL_OFF_FROM = 0.85;
const LEFT_AT_END = 0.25;

/**
 * Returns the probability of detection at `rangeM`. `reachM` is the maximum range, `pd` the probability for a near
 * target.
 */
export function detectionAt(pd: number, rangeM: number, reachM: number): number {
  if (rangeM > reachM) return 0;
  const over = (rangeM / reachM - ROLL_OFF_FROM) / (1 - ROLL_OFF_FROM);
  return over <= 0 ? pd : pd * (1 - (1 - LEFT_AT_END) * over * over);
}

/**
 * Measures range and direction of bodies in the local axes of the sensor. The axes are rotated to the sensor's
 * position, because 10 km from the origin "up" is another direction. `reaches` writes its measurement into the fields.
 */
export class Seeing {
  rangeM = 0;
  /** Azimuth clockwise from true north, 0 to 2π. */
  azimuthRad = 0;
  elevationRad = 0;
  readonly position: Geodetic;
  readonly #place: Enu;
  readonly #axes: readonly [Axis, Axis, Axis];
  readonly #placement: ScenarioSensor['placement'];
  readonly #horizonM: number;

  constructor(placement: ScenarioSensor['placement'], site: Site) {
    this.#placement = placement;
    this.position = site.geodeticOf(placement);
    const { latDeg, lonDeg, altHaeM } = this.position;
    this.#place = site.frame.toEnu(latDeg, lonDeg, altHaeM);
    const turn = site.frame.turnFrom(latDeg, lonDeg);
    this.#axes = [turn.vector(1, 0, 0), turn.vector(0, 1, 0), turn.vector(0, 0, 1)];
    this.#horizonM = horizonM(placement.height_m ?? 0);
  }

  /** Measures a body. Returns false if the body is outside the covered sector or range, or below the horizon. */
  reaches(body: number, sky: Sky): boolean {
    const [eastM, northM, heightM] = [sky.eastM(body), sky.northM(body), sky.heightM(body)];
    this.#measure(eastM, northM, sky.site.upOf(eastM, northM, heightM));
    return this.#covers(heightM);
  }

  /** Measures from the sensor to a position in the site's axes. */
  #measure(eastM: number, northM: number, upM: number): void {
    const [e, n, u] = [eastM - this.#place.eastM, northM - this.#place.northM, upM - this.#place.upM];
    const [a, b, c] = this.#axes;
    const east = a.east * e + a.north * n + a.up * u;
    const north = b.east * e + b.north * n + b.up * u;
    const up = c.east * e + c.north * n + c.up * u;
    this.rangeM = Math.sqrt(east * east + north * north + up * up);
    const azimuth = Math.atan2(east, north);
    this.azimuthRad = azimuth < 0 ? azimuth + FULL_CIRCLE : azimuth;
    this.elevationRad = Math.atan2(up, Math.sqrt(east * east + north * north));
  }

  #covers(heightM: number): boolean {
    const { min_range_m, max_range_m, azimuth_deg, hfov_deg } = this.#placement;
    if (this.rangeM < min_range_m || this.rangeM > max_range_m) return false;
    if (this.rangeM > this.#horizonM + horizonM(heightM)) return false;
    if (hfov_deg >= 360) return true;
    const off = Math.abs(this.azimuthRad / DEGREE - azimuth_deg) % 360;
    return Math.min(off, 360 - off) <= hfov_deg / 2;
  }
}

type Axis = { east: number; north: number; up: number };

function horizonM(heightM: number): number {
  return Math.sqrt(2 * BENT_EARTH_M * Math.max(heightM, LEAST_MAST_M));
}
