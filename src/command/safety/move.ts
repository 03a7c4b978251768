import { Chart } from '../../geo/flat/chart.ts';
import type { Geodetic, Point, Spot } from '../../geo/position.ts';
import type { Verb } from '../../model/verb.ts';

/** Accuracy with which a vehicle keeps to an ordered leg, m. A leg must stay at least this far from an edge. */
export const FLYING_ACCURACY_M = 5;

/** A straight movement with a uniform change of height. */
export type Move = { from: Geodetic; to: Geodetic; speedMps: number; verb?: Verb };

/** A movement on a chart (local plane) around its start. Heights are above the ellipsoid, not above the flat chart. */
export type LocalLeg = {
  chart: Chart;
  from: Point;
  to: Point;
  /** Length over the ground (`groundM`) and in space (`lengthM`), m. */
  groundM: number;
  lengthM: number;
};

export function localLegOf({ from, to }: Pick<Move, 'from' | 'to'>): LocalLeg {
  const chart = new Chart(from, from.altHaeM);
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

/** Formats a distance. It is rounded down, so that it never looks longer than it is. */
export function metres(m: number): string {
  return m < 10 ? `${Math.floor(m * 10) / 10} m` : `${Math.floor(m)} m`;
}
