import type { ChartPosition } from '../../../geo/position.ts';
import type { Behaviour } from './behaviour.ts';
import { limitsAt, round, tightestM, toHeight, toPlace } from './steer.ts';

/** Speed on the circle as a share of the cruise speed. It is at least 1.1 times the minimum speed. */
const LEISURE = 0.6;

/** Circles the position where the behaviour begins. */
export function loiter(radiusM: number, heightM: number): Behaviour {
  let centre: Pick<ChartPosition, 'eastM' | 'northM'> | null = null;
  return (air, i) => {
    centre ??= { eastM: air.eastM[i] as number, northM: air.northM[i] as number };
    const limits = limitsAt(air, i);
    const speed = Math.max(limits.cruiseMps * LEISURE, limits.minMps * 1.1);
    const radius = limits.hovers ? radiusM : Math.max(radiusM, tightestM(limits, speed));
    toHeight(air, i, heightM);
    round(air, i, centre.eastM, centre.northM, radius, speed, 1);
    return false;
  };
}

/** Stays at the position where the behaviour begins. Fixed-wing aircraft circle it as tightly as they can. */
export function hold(heightM: number): Behaviour {
  let at: Pick<ChartPosition, 'eastM' | 'northM'> | null = null;
  let circling: Behaviour | null = null;
  return (air, i, atS) => {
    at ??= { eastM: air.eastM[i] as number, northM: air.northM[i] as number };
    const limits = limitsAt(air, i);
    if (!limits.hovers) {
      circling ??= loiter(tightestM(limits, limits.minMps), heightM);
      return circling(air, i, atS);
    }
    toHeight(air, i, heightM);
    toPlace(air, i, at.eastM, at.northM, limits.cruiseMps);
    return false;
  };
}
