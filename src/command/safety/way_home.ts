import { Chart } from '../../geo/flat/chart.ts';
import type { Refusal } from '../../model/fleet.ts';
import { type EnergyLeg, type EnergyState, energyFor } from './energy.ts';
import type { Place } from './move.ts';

/** Places that a vehicle flies to one after the other, home the last. */
export type Round = {
  own: Place;
  /** Where the way begins, if not where the vehicle is: above where it takes off. */
  from: Place | null;
  to: Place;
  home: Place;
  /** On the way; null as it cruises. It comes home as it cruises in any case. */
  speedMps: number | null;
};

/** Why a way must not be taken, or flown on: what it keeps of its energy would not be left when it is home again. */
export function energyRefusal({ own, from, to, home, speedMps }: Round, state: EnergyState): Refusal | null {
  // Who does not say how much there is, is not held to it: autopilots return by themselves when they run low.
  if (state.energyPct === null) return null;
  const start = from ?? own;
  const way = { ...legOf(start, to), ...(speedMps === null ? {} : { speedMps }) };
  const { feasible, text } = energyFor([legOf(own, start), way, legOf(to, home)], state);
  return feasible ? null : { reason: 'low_energy', text };
}

function legOf(a: Place, b: Place): EnergyLeg {
  const distanceM = Math.hypot(...new Chart(a.lat, a.lon, a.altHaeM).spotOf(b));
  return { distanceM, climbM: b.altHaeM - a.altHaeM };
}
