import { Chart } from '../../geo/flat/chart.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { Refusal, VehicleType } from '../../model/fleet.ts';
import type { PlatformPerformance } from '../../model/performance.ts';

/** A part of a flight: distance over the ground, climb (negative: descent), speed on the leg, and time of hovering. */
export type EnergyLeg = { distanceM: number; climbM?: number; speedMps?: number; stayS?: number };

/** Performance assumed if the performance of a vehicle is unknown: the performance of a weak vehicle of its type. */
export type Weak = { cruiseMps: number; enduranceS: number; climbMps: number; descentMps: number };

const rotor: Weak = { cruiseMps: 8, enduranceS: 900, climbMps: 2, descentMps: 1 };
const wing: Weak = { cruiseMps: 14, enduranceS: 1_800, climbMps: 2, descentMps: 2 };
export const WEAK: Record<VehicleType, Weak> = {
  multirotor: rotor,
  helicopter: rotor,
  fixed_wing: wing,
  vtol: wing,
  airship: { cruiseMps: 5, enduranceS: 1_800, climbMps: 1, descentMps: 1 },
  rover: { cruiseMps: 1, enduranceS: 1_800, climbMps: 1, descentMps: 1 },
  boat: { cruiseMps: 1.5, enduranceS: 1_800, climbMps: 1, descentMps: 1 },
  submersible: { cruiseMps: 0.5, enduranceS: 1_800, climbMps: 0.3, descentMps: 0.3 },
  other: rotor,
};

/** Factor for the length of each leg: wind and turns make it longer than its straight line. */
const DETOUR = 1.2;
/** Returns the factor of the consumption above cruise speed: the square of the ratio of the speeds, at least 1. */
const fastFactor = (speedMps: number, cruiseMps: number): number => Math.max(1, speedMps / cruiseMps) ** 2;
/** Limit of `fastFactor`, reached at twice the cruise speed. */
const MOST_FAST = 4;

export type EnergyState = {
  performance: PlatformPerformance;
  vehicleType: VehicleType | null;
  /** Energy left, %; null if the vehicle does not report it. */
  energyPct: number | null;
  /** Flight time left as the vehicle reports it, s; null if it does not. */
  enduranceS: number | null;
  /** Reserve of the policy, %; the vehicle's own performance may demand more. */
  reservePct: number;
};

export type Energy = {
  /**
   * Energy left after all legs, %. Null if the present energy is unknown; negative if it does not suffice; 0 if nothing
   * is left now.
   */
  afterPct: number | null;
  /** Time to the end of the last leg, s. */
  timeS: number;
  feasible: boolean;
  /** Result as a sentence; with the reserve if the flight is not feasible. */
  text: string;
};

/**
 * Estimates the energy that is left after a flight. `legs` must contain the whole flight: out, on station, and back
 * home.
 */
export function energyFor(legs: readonly EnergyLeg[], state: EnergyState): Energy {
  const { performance, energyPct, enduranceS } = state;
  const weak = WEAK[state.vehicleType ?? 'other'];
  const cruiseMps = performance.cruise_speed_mps || weak.cruiseMps;
  let [timeS, costS] = [0, 0];
  for (const leg of legs) {
    const { flownS, fast } = legTime(leg, performance, weak, cruiseMps);
    timeS += flownS + (leg.stayS ?? 0);
    costS += flownS * fast + (leg.stayS ?? 0);
  }
  if (energyPct === null) {
    return { afterPct: null, timeS, feasible: false, text: 'the vehicle does not report its remaining energy' };
  }
  // `enduranceS`, the flight time left, limits the estimate if it is known. A full endurance of 0 s counts as unknown.
  const fullS = performance.endurance_s || weak.enduranceS;
  const leftS = Math.min(enduranceS ?? Number.POSITIVE_INFINITY, (fullS * energyPct) / 100);
  const afterPct = leftS > 0 ? energyPct * (1 - costS / leftS) : 0;
  const reservePct = Math.max(state.reservePct, performance.reserve_pct ?? 0);
  const feasible = leftS > 0 && afterPct >= reservePct;
  const known =
    performance.endurance_s || enduranceS !== null ? '' : `, estimated for a weak ${state.vehicleType ?? 'vehicle'}`;
  const lasts =
    afterPct > 0
      ? `the vehicle would return with ${Math.floor(afterPct)} % of its energy`
      : 'the energy of the vehicle does not last for the flight and the return';
  const back = `${lasts}${known}`;
  return { afterPct, timeS, feasible, text: feasible ? back : `${back}; its reserve is ${reservePct} %` };
}

function legTime(leg: EnergyLeg, performance: PlatformPerformance, weak: Weak, cruiseMps: number) {
  const { distanceM, climbM = 0 } = leg;
  const speedMps = leg.speedMps && leg.speedMps > 0 ? leg.speedMps : cruiseMps;
  const climbMps = performance.climb_rate_mps || weak.climbMps;
  const descentMps = performance.descent_rate_mps || weak.descentMps;
  // The climb is a separate vertical part, because most vehicles climb first when they return.
  const upS = climbM > 0 ? climbM / climbMps : -climbM / descentMps;
  const fast = Math.min(MOST_FAST, fastFactor(speedMps, cruiseMps));
  return { flownS: (distanceM * DETOUR) / speedMps + upS, fast };
}

/** Places that a vehicle visits in order; the last one is home. */
export type Round = {
  own: Geodetic;
  /**
   * Start of the leg after a take-off: the point above the take-off place. Null if the leg starts at the vehicle's
   * position.
   */
  from: Geodetic | null;
  to: Geodetic;
  home: Geodetic;
  /** Speed on the leg, m/s; null for the cruise speed. The return is always at cruise speed. */
  speedMps: number | null;
};

/**
 * Returns a refusal if the reserve of energy would not be left after a leg and the return home; else null. It applies
 * at the start of the leg and in flight.
 */
export function energyRefusal({ own, from, to, home, speedMps }: Round, state: EnergyState): Refusal | null {
  // A vehicle that reports no energy is not checked: autopilots return by themselves when they run low.
  if (state.energyPct === null) return null;
  const start = from ?? own;
  const leg = { ...legOf(start, to), ...(speedMps === null ? {} : { speedMps }) };
  const { feasible, text } = energyFor([legOf(own, start), leg, legOf(to, home)], state);
  return feasible ? null : { reason: 'low_energy', text };
}

function legOf(a: Geodetic, b: Geodetic): EnergyLeg {
  const distanceM = Math.hypot(...new Chart(a, a.altHaeM).spotOf(b));
  return { distanceM, climbM: b.altHaeM - a.altHaeM };
}
