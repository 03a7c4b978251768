import type { ControlRim } from '../control/rim.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import type { Vehicle as Flyer } from '../steering/vehicle.ts';
import type { OwnState } from './fly.ts';

/** What cannot stand in the air flies no slower than this where nobody says how slow it may. */
const WING_MPS = 12;
/** Nobody says how fast it can: so much faster than it cruises. */
const MOST_FAST = 1.5;

/** The vehicle as steering reckons with it: how fast it is, and how slow it must not be. */
export function flyerOf(
  rim: ControlRim,
  vehicle: Vehicle,
  assetId: string,
  { lat, lon, altHaeM, eastMps, northMps }: OwnState,
  askedMps: number | undefined,
): Flyer {
  const figures = rim.performance(assetId);
  const most = rim.policy().limits.max_speed_mps;
  const cruiseMps = Math.min(askedMps ?? rim.speedOf(vehicle, figures), most);
  const maxMps = Math.min(figures.max_speed_mps ?? MOST_FAST * cruiseMps, most);
  const minMps = vehicle.type === 'fixed_wing' ? (figures.min_speed_mps ?? WING_MPS) : 0;
  return {
    position: { lat, lon, altHaeM },
    velocity: { eastMps, northMps },
    ...{ cruiseMps: Math.min(cruiseMps, maxMps), maxMps, minMps },
  };
}
