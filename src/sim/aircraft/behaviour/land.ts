import type { ChartPosition } from '../../../geo/position.ts';
import { type Air, GROUNDED } from '../flight/air.ts';
import type { Behaviour } from './behaviour.ts';
import { limitsAt, toPlace } from './steer.ts';

/** Height below which an aircraft descends gently, m. */
const FLARE_M = 6;
const TOUCHDOWN_MPS = 0.7;

/** Descends at the position where the behaviour begins. Fixed-wing aircraft glide straight ahead instead. */
export function land(): Behaviour {
  let at: Pick<ChartPosition, 'eastM' | 'northM'> | null = null;
  return (air, i) => {
    if (air.state[i] === GROUNDED) {
      air.wishClimbMps[i] = 0;
      return true;
    }
    at ??= { eastM: air.eastM[i] as number, northM: air.northM[i] as number };
    const limits = limitsAt(air, i);
    const height = air.heightM[i] as number;
    air.wishClimbMps[i] = height > FLARE_M ? -limits.descentMps : -Math.min(TOUCHDOWN_MPS, limits.descentMps);
    if (limits.hovers) toPlace(air, i, at.eastM, at.northM, limits.cruiseMps);
    else glide(air, i, limits.minMps);
    return false;
  };
}

function glide(air: Air, i: number, speedMps: number): void {
  const [east, north] = [air.airEastMps[i] as number, air.airNorthMps[i] as number];
  const now = Math.max(Math.hypot(east, north), 1e-6);
  air.wishEastMps[i] = (east / now) * speedMps;
  air.wishNorthMps[i] = (north / now) * speedMps;
}
