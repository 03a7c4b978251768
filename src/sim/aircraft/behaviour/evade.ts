import type { Chance } from '../../kernel/chance.ts';
import type { Behaviour } from './behaviour.ts';
import { hold } from './loiter.ts';
import { limitsAt, toHeight } from './steer.ts';

/** An escape ends at this multiple of the distance at which it begins (`withinM`). */
const RELIEF = 1.3;
/** Largest random deviation from the straight escape course, rad. A new one is drawn after 3 s to 8 s (`JINK_S`). */
const JINK_RAD = 0.6;
const JINK_S = [3, 8] as const;

/** Flees from a flying body that comes within `withinM` along the ground. Otherwise the aircraft holds its position. */
export function evade(from: number, withinM: number, heightM: number, chance: Chance): Behaviour {
  let isFleeing = false;
  let [jink, jinkUntilS] = [0, 0];
  let holding: Behaviour | null = null;
  return (air, i, atS) => {
    const east = (air.eastM[i] as number) - (air.eastM[from] as number);
    const north = (air.northM[i] as number) - (air.northM[from] as number);
    isFleeing = air.isFlying(from) && Math.hypot(east, north) < withinM * (isFleeing ? RELIEF : 1);
    if (!isFleeing) {
      holding ??= hold(heightM);
      return holding(air, i, atS);
    }
    holding = null;
    if (atS >= jinkUntilS) {
      jink = chance.between(-JINK_RAD, JINK_RAD);
      jinkUntilS = atS + chance.between(...JINK_S);
    }
    const course = Math.atan2(east, north) + jink;
    const { maxMps } = limitsAt(air, i);
    toHeight(air, i, heightM);
    air.wishEastMps[i] = maxMps * Math.sin(course);
    air.wishNorthMps[i] = maxMps * Math.cos(course);
    return false;
  };
}
