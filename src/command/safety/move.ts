import { Chart, type Spot } from '../../geo/flat/chart.ts';
import type { Point } from '../../geo/flat/lines.ts';
import type { Verb } from '../../model/verb.ts';

export type Place = { lat: number; lon: number; altHaeM: number };

/** So well a vehicle keeps to the way it was told, m: no way is clear of an edge by less. */
export const FLYING_ACCURACY_M = 5;

/** Straight from where a vehicle is to where it is to be, its height changing evenly. */
export type Move = { from: Place; to: Place; speedMps: number; verb?: Verb };

/** A move on the chart about its beginning. Heights are those above the ellipsoid: the earth's bend is not in them. */
export type Way = {
  chart: Chart;
  from: Point;
  to: Point;
  /** On the ground, and in space. */
  groundM: number;
  lengthM: number;
};

export function wayOf({ from, to }: Pick<Move, 'from' | 'to'>): Way {
  const chart = new Chart(from.lat, from.lon, from.altHaeM);
  const [eastM, northM] = chart.spotOf(to);
  const groundM = Math.hypot(eastM, northM);
  return {
    chart,
    from: [0, 0, from.altHaeM],
    to: [eastM, northM, to.altHaeM],
    groundM,
    lengthM: Math.hypot(groundM, to.altHaeM - from.altHaeM),
  };
}

export function groundOf([eastM, northM]: Point): Spot {
  return [eastM, northM];
}

/** A distance as a person reads it: never one that looks longer than it is. */
export function metres(m: number): string {
  return m < 10 ? `${Math.floor(m * 10) / 10} m` : `${Math.floor(m)} m`;
}
