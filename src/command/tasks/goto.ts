import { Chart } from '../../geo/flat/chart.ts';
import { Circling } from '../control/circling.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import type { Steer } from './fly.ts';

/** It is there, and stands. */
const THERE_M = 2;
const STANDS_MPS = 1;
/** An aircraft that circles keeps its height no better than this. */
const CIRCLES_HIGH_M = 20;
/** Straight to a place; a height that is not said is the one it flies at. */
export function steerTo(
  place: { lat: number; lon: number; altHaeM: number | null },
  vehicle: Vehicle,
  speedMps: number | null,
): Steer {
  let altHaeM = place.altHaeM;
  let startM: number | null = null;
  const circling = vehicle.type === 'fixed_wing' ? new Circling(place) : null;
  return (own) => {
    altHaeM ??= own.altHaeM;
    const apartM = Math.hypot(...new Chart(own.lat, own.lon).spotOf(place));
    startM ??= Math.max(apartM, 1);
    const ownMps = Math.hypot(own.eastMps, own.northMps);
    const isHigh = Math.abs(altHaeM - own.altHaeM) <= (circling ? CIRCLES_HIGH_M : THERE_M);
    // What cannot stand is there once it circles.
    const isAt = circling ? circling.see(own, own.nowMs) : apartM <= THERE_M && ownMps < STANDS_MPS;
    const isThere = isHigh && isAt;
    return {
      to: { lat: place.lat, lon: place.lon, altHaeM },
      speedMps,
      phase: 'going',
      distanceM: apartM,
      etaS: ownMps > STANDS_MPS ? apartM / ownMps : null,
      progress: Math.max(0, Math.min(1, 1 - apartM / startM)),
      breach: false,
      done: isThere ? 'it is there' : null,
    };
  };
}
