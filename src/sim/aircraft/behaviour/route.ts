import type { ScenarioActor } from '../../../model/scenario.ts';
import type { Air } from '../flight/air.ts';
import type { Behaviour, Shift } from './behaviour.ts';
import { hold } from './loiter.ts';
import { limitsAt, tightestM, toHeight, toPlace } from './steer.ts';

/** Distance at which a hovering aircraft has reached a waypoint where it stays, m. */
const THERE_M = 2;
/**
 * Distance from a waypoint at which an aircraft that does not stop there turns to the next waypoint. It is `PASSING_S`
 * times the speed, but at least `PASSING_M`, m. Fixed-wing aircraft use 1.2 times their tightest turn radius instead,
 * also with `PASSING_M` as the minimum.
 */
const PASSING_S = 0.5;
const PASSING_M = 3;

/**
 * Flies from one waypoint to the next, and waits where the route demands it. The behaviour is complete at the last
 * waypoint, unless the route repeats. `heightM` applies until a waypoint has a height of its own.
 */
export function followRoute(route: ScenarioActor['route'], repeats: boolean, heightM: number, shift: Shift): Behaviour {
  let next = 0;
  let height = heightM;
  let waiting: { untilS: number; hold: Behaviour } | null = null;
  const passed = (): boolean => {
    next++;
    if (next < route.length) return false;
    if (repeats) next = 0;
    return !repeats;
  };
  return (air, i, atS) => {
    const waypoint = route[next];
    if (!waypoint) return true;
    if (waiting) {
      waiting.hold(air, i, atS);
      if (atS < waiting.untilS) return false;
      waiting = null;
      return passed();
    }
    const { wait_s, speed_mps, height_m, east_m, north_m } = waypoint;
    if (height_m !== undefined) height = height_m + shift.upM;
    toHeight(air, i, height);
    const off = toPlace(air, i, east_m + shift.eastM, north_m + shift.northM, speed_mps || limitsAt(air, i).cruiseMps);
    const stays = wait_s !== undefined || (next === route.length - 1 && !repeats);
    if (off > reachM(air, i, stays)) return false;
    if (!wait_s) return passed();
    waiting = { untilS: atS + wait_s, hold: hold(height) };
    return false;
  };
}

function reachM(air: Air, i: number, stays: boolean): number {
  const limits = limitsAt(air, i);
  const speed = air.speedMps(i);
  if (!limits.hovers) return Math.max(PASSING_M, 1.2 * tightestM(limits, speed));
  return stays ? THERE_M : Math.max(PASSING_M, PASSING_S * speed);
}
