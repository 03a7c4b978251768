import { Chart } from '../../geo/flat/chart.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import type { Steer } from './fly.ts';

/** It is there, and stands. */
const THERE_M = 2;
const STANDS_MPS = 1;
/** What cannot stand circles: about so far from the point (WP_LOITER_RAD of ArduPlane is 60 m, NAV_LOITER_RAD of PX4 80 m). */
const CIRCLES_M = 150;

/** Straight to a place; a height that is not said is the one it flies at. */
export function steerTo(
  place: { lat: number; lon: number; altHaeM: number | null },
  vehicle: Vehicle,
  speedMps: number | null,
): Steer {
  let altHaeM = place.altHaeM;
  let startM: number | null = null;
  const canStand = vehicle.type !== 'fixed_wing';
  return (own) => {
    altHaeM ??= own.altHaeM;
    const apartM = Math.hypot(...new Chart(own.lat, own.lon).spotOf(place));
    startM ??= Math.max(apartM, 1);
    const ownMps = Math.hypot(own.eastMps, own.northMps);
    const isHigh = Math.abs(altHaeM - own.altHaeM) <= (canStand ? THERE_M : 20);
    const isThere = isHigh && (canStand ? apartM <= THERE_M && ownMps < STANDS_MPS : apartM <= CIRCLES_M);
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
