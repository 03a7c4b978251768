import type { MatchSettings, MatchTarget, MatchVehicle } from '../../src/engagement/matching.ts';
import type { PairWhy } from '../../src/model/rows/layouts.ts';

/** Slow and plain: what native/assign.h reckons, found by looking instead of solving. */

export type ReferencePair = { why: PairWhy; cost: number; timeS: number; energyAfterPct: number; meets: boolean };

const STEP_S = 0.01;

/** The first moment at which a vehicle that flies straight can be within the standoff, by trying one after the other. */
export function meetingTime(vehicle: MatchVehicle, target: MatchTarget, horizonS: number): number {
  const { launchS, speedMps } = vehicle;
  for (let t = 0; t <= horizonS; t += STEP_S) {
    const de = target.eastM + target.velocity.eastMps * (launchS + t) - vehicle.eastM;
    const dn = target.northM + target.velocity.northMps * (launchS + t) - vehicle.northM;
    if (Math.hypot(de, dn) <= target.standoffM + speedMps * t) return t;
  }
  return Number.POSITIVE_INFINITY;
}

export function referencePair(
  vehicles: readonly MatchVehicle[],
  j: number,
  target: MatchTarget,
  { weights, stationS, horizonS }: MatchSettings,
): ReferencePair {
  const v = vehicles[j] as MatchVehicle;
  const refused = (why: PairWhy): ReferencePair => ({
    why,
    cost: Infinity,
    timeS: Infinity,
    energyAfterPct: v.energyPct,
    meets: false,
  });
  const meetS = meetingTime(v, target, horizonS);
  const flightS = Math.max(meetS, Math.abs(target.upM - v.upM) / v.climbMps);
  const timeS = flightS + v.launchS;
  if (!(timeS <= horizonS)) return refused('too_slow');
  const te = target.eastM + target.velocity.eastMps * (v.launchS + meetS) - v.eastM;
  const tn = target.northM + target.velocity.northMps * (v.launchS + meetS) - v.northM;
  const far = Math.hypot(te, tn);
  const part = meetS === 0 ? 0 : Math.max(0, far - target.standoffM) / far;
  const [meetE, meetN] = [v.eastM + te * part, v.northM + tn * part];
  const away = Math.hypot(meetE - v.home.eastM, meetN - v.home.northM);
  const used = v.drainPctS * (flightS + stationS + away / v.speedMps);
  const energyAfterPct = v.energyPct - used;
  if (away > v.reachM) return refused('out_of_reach');
  if (energyAfterPct < v.reservePct) return refused('low_energy');
  let crowd = 0;
  for (const [i, other] of vehicles.entries()) {
    if (i === j) continue;
    const near = fromSegment(other.eastM, other.northM, v.eastM, v.northM, meetE, meetN);
    crowd = Math.max(crowd, 1 - near / 500);
  }
  const seeing = v.seesM > 0 ? Math.min(1, target.standoffM / v.seesM) : 1;
  const cost =
    weights.time * (timeS / (timeS + 60)) +
    weights.energy * Math.min(1, Math.max(0, used / 100)) +
    weights.sensor_fit * seeing +
    weights.link_range * (away / v.reachM) +
    weights.separation * crowd;
  return { why: 'fits', cost, timeS, energyAfterPct, meets: meetS > 0 };
}

function fromSegment(pe: number, pn: number, ae: number, an: number, be: number, bn: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= 2_000; i++) {
    const part = i / 2_000;
    least = Math.min(least, Math.hypot(ae + (be - ae) * part - pe, an + (bn - an) * part - pn));
  }
  return least;
}

/** What the cheapest way costs to give each target one vehicle or none, by trying all; a target without costs `missed`. */
export function cheapest(costs: readonly (readonly number[])[], missed: readonly number[]): number {
  const tried = (row: number, taken: ReadonlySet<number>): number => {
    const of = costs[row];
    if (!of) return 0;
    let least = (missed[row] ?? 0) + tried(row + 1, taken);
    for (const [j, cost] of of.entries())
      if (!taken.has(j) && Number.isFinite(cost)) least = Math.min(least, cost + tried(row + 1, new Set(taken).add(j)));
    return least;
  };
  return tried(0, new Set());
}
