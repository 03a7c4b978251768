import type { ScenarioSensor } from '../../../model/scenario.ts';
import type { Site } from '../site.ts';

/** The earth as waves bend round it: four thirds of its radius. */
const BENT_EARTH_M = 8_495_000;
/** Nothing that looks or listens stands lower. */
const LEAST_MAST_M = 2;
const FULL_CIRCLE = 2 * Math.PI;
const DEGREE = Math.PI / 180;

/** From which share of its reach on a sensor sees less, and what is left at its end. */
const ROLL_OFF_FROM = 0.85;
const LEFT_AT_END = 0.25;

/** How likely something is seen `rangeM` away with a reach of `reachM`, where up close it is `pd`. */
export function detectionAt(pd: number, rangeM: number, reachM: number): number {
  if (rangeM > reachM) return 0;
  const over = (rangeM / reachM - ROLL_OFF_FROM) / (1 - ROLL_OFF_FROM);
  return over <= 0 ? pd : pd * (1 - (1 - LEFT_AT_END) * over * over);
}

/**
 * Where a place lies for a sensor, in the local axes at the sensor itself: turned through the earth's, as 10 km from the
 * origin "up" is another direction. `look` writes what it finds into its own fields.
 */
export class Seeing {
  rangeM = 0;
  /** From true north, 0 to a full circle. */
  azimuthRad = 0;
  elevationRad = 0;
  readonly latDeg: number;
  readonly lonDeg: number;
  readonly altHaeM: number;
  readonly #place: readonly [number, number, number];
  readonly #axes: readonly [Axis, Axis, Axis];
  readonly #placement: ScenarioSensor['placement'];
  readonly #horizonM: number;

  constructor(placement: ScenarioSensor['placement'], site: Site) {
    this.#placement = placement;
    const { latDeg, lonDeg, altHaeM } = site.geodeticOf(placement);
    [this.latDeg, this.lonDeg, this.altHaeM] = [latDeg, lonDeg, altHaeM];
    const { east, north, up } = site.frame.toEnu(latDeg, lonDeg, altHaeM);
    this.#place = [east, north, up];
    const turn = site.frame.turnFrom(latDeg, lonDeg);
    this.#axes = [turn.vector(1, 0, 0), turn.vector(0, 1, 0), turn.vector(0, 0, 1)];
    this.#horizonM = horizonM(placement.height_m ?? 0);
  }

  /** At a place in the site's axes. */
  look(eastM: number, northM: number, upM: number): void {
    const [e, n, u] = [eastM - this.#place[0], northM - this.#place[1], upM - this.#place[2]];
    const [a, b, c] = this.#axes;
    const east = a.east * e + a.north * n + a.up * u;
    const north = b.east * e + b.north * n + b.up * u;
    const up = c.east * e + c.north * n + c.up * u;
    this.rangeM = Math.sqrt(east * east + north * north + up * up);
    const azimuth = Math.atan2(east, north);
    this.azimuthRad = azimuth < 0 ? azimuth + FULL_CIRCLE : azimuth;
    this.elevationRad = Math.atan2(up, Math.sqrt(east * east + north * north));
  }

  /** Whether what was looked at lies in the sector and between the ranges that are covered, and over the horizon. */
  covers(heightM: number): boolean {
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
