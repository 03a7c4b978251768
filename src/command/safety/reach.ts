import { Chart } from '../../geo/flat/chart.ts';
import type { Heights } from '../../geo/geoid.ts';
import type { Geodetic, LatLon } from '../../geo/position.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import { type Move, metres } from './move.ts';

/** Least height above ground, m. Below it, an error in height could put a vehicle into the ground. */
const LOWEST_AGL_M = 2;

/** Bounds on range, height and speed of a movement. */
export type Reach = {
  limits: DecisionPolicy['limits'];
  performance: PlatformPerformance;
  /** Take-off position; null if unknown. Its height is used as ground height if no region has one. */
  home: Geodetic | null;
  /** Position of the radio that commands the vehicle; null if unknown. `Airspace` passes the take-off position. */
  box: LatLon | null;
  heights: Heights;
};

/**
 * Returns a refusal if a move is too far, too high, too low or too fast; else null. A vehicle that is beyond a limit
 * already may move back towards the limit.
 */
export function reachRefusal(move: Move, reach: Reach): Refusal | null {
  const { limits, performance, home, box } = reach;
  const rangeM = Math.min(limits.max_range_m, performance.max_range_m ?? Number.POSITIVE_INFINITY);
  return (
    farFrom(move, home, rangeM, 'the take-off point') ??
    farFrom(move, box, performance.link_range_m ?? Infinity, 'this station, beyond the range of the link') ??
    offHeight(move, reach) ??
    aboveServiceCeiling(move, reach) ??
    tooFast(move, reach)
  );
}

function farFrom({ from, to }: Move, middle: LatLon | null, mostM: number, what: string) {
  if (!middle) return null;
  const chart = new Chart(middle, to.altHaeM);
  const [now, then] = [Math.hypot(...chart.spotOf(from)), Math.hypot(...chart.spotOf(to))];
  if (then <= mostM || then < now) return null;
  const text = `the path ends ${metres(then)} from ${what}; the limit is ${metres(mostM)}`;
  return { reason: 'out_of_range', text } as const;
}

/** Returns a refusal if a move ends too high or too low above ground, or the ground height is unknown; else null. */
function offHeight({ from, to }: Move, { limits, performance, home, heights }: Reach): Refusal | null {
  const groundM = heights.groundAltHaeM(to.latDeg, to.lonDeg) ?? home?.altHaeM ?? null;
  if (groundM === null) {
    const text =
      'the ground height is unknown at the end of the path and at the take-off point, so the height of the path above ground is unknown too';
    return { reason: 'no_position', text };
  }
  const mostM = Math.min(limits.max_ceiling_agl_m, performance.ceiling_agl_m ?? Number.POSITIVE_INFINITY);
  const heightM = to.altHaeM - groundM;
  if (heightM > mostM && to.altHaeM >= from.altHaeM) {
    const text = `the path ends ${metres(heightM)} above ground; the limit is ${metres(mostM)}`;
    return { reason: 'policy_denied', text };
  }
  if (heightM >= LOWEST_AGL_M || to.altHaeM > from.altHaeM) return null;
  const where = heightM < 0 ? `${metres(-heightM)} below ground` : `${metres(heightM)} above ground`;
  return {
    reason: 'policy_denied',
    text: `the path ends ${where}; it must end at least ${LOWEST_AGL_M} m above ground`,
  };
}

/** Returns a refusal if a move ends above the height at which the vehicle can still fly, in thin air; else null. */
function aboveServiceCeiling({ from, to }: Move, { performance, heights }: Reach): Refusal | null {
  const { ceiling_msl_m: mostM } = performance;
  if (mostM === undefined || to.altHaeM < from.altHaeM) return null;
  const overM = to.altHaeM - heights.haeOfMsl(mostM, to.latDeg, to.lonDeg);
  if (overM <= 0) return null;
  const text = `the path ends ${metres(mostM + overM)} above sea level; the limit of the vehicle is ${metres(mostM)}`;
  return { reason: 'policy_denied', text };
}

/** Returns a refusal of a speed above the limits; else null. It serves movements and ordered speeds. */
export function tooFast(
  { speedMps }: Pick<Move, 'speedMps'>,
  { limits, performance }: Pick<Reach, 'limits' | 'performance'>,
): Refusal | null {
  const mostMps = Math.min(limits.max_speed_mps, performance.max_speed_mps ?? Number.POSITIVE_INFINITY);
  if (speedMps <= mostMps) return null;
  return {
    reason: 'policy_denied',
    text: `the speed would be ${speedMps.toFixed(1)} m/s; the limit is ${mostMps.toFixed(1)} m/s`,
  };
}
