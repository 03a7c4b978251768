import type { Vehicle } from '../../fleet/vehicle.ts';
import { Chart } from '../../geo/flat/chart.ts';
import type { LatLon } from '../../geo/position.ts';
import { Circling } from './circling.ts';
import type { Steer } from './fly.ts';

/** Distance within which a standing vehicle has arrived at its place, m. */
const THERE_M = 2;
const STANDS_MPS = 1;
/** Greatest deviation from the ordered height at which a circling aircraft has arrived, m. */
const CIRCLES_HIGH_M = 20;
/**
 * Creates a function that steers straight to a place. Without an ordered height the vehicle keeps its height at the
 * first step.
 */
export function steerTo(place: LatLon & { altHaeM: number | null }, vehicle: Vehicle, speedMps: number | null): Steer {
  let altHaeM = place.altHaeM;
  let startM: number | null = null;
  const circling = vehicle.type === 'fixed_wing' ? new Circling(place) : null;
  return (own) => {
    const { position } = own;
    altHaeM ??= position.altHaeM;
    const apartM = Math.hypot(...new Chart(position).spotOf(place));
    startM ??= Math.max(apartM, 1);
    const ownMps = Math.hypot(own.eastMps, own.northMps);
    const isHigh = Math.abs(altHaeM - position.altHaeM) <= (circling ? CIRCLES_HIGH_M : THERE_M);
    // A fixed-wing vehicle has arrived once it circles.
    const isAt = circling ? circling.see(position, own, own.nowMs) : apartM <= THERE_M && ownMps < STANDS_MPS;
    const isThere = isHigh && isAt;
    return {
      point: { latDeg: place.latDeg, lonDeg: place.lonDeg, altHaeM },
      speedMps,
      phase: 'going',
      distanceM: apartM,
      etaS: ownMps > STANDS_MPS ? apartM / ownMps : null,
      progress: Math.max(0, Math.min(1, 1 - apartM / startM)),
      breach: false,
      done: isThere ? 'the vehicle has arrived' : null,
    };
  };
}
