import type { ScenarioPlace } from '../../../model/scenario.ts';
import type { Air } from '../flight/air.ts';
import type { Behaviour, Shift } from './behaviour.ts';
import { limitsAt, round, tightestM, toHeight, toPlace } from './steer.ts';

/** Target of a behaviour: a body, or a fixed place. */
export type Aim = { body: number } | { place: ScenarioPlace };

const aimEastM = (air: Air, aim: Aim): number => ('body' in aim ? (air.eastM[aim.body] as number) : aim.place.east_m);
const aimNorthM = (air: Air, aim: Aim): number =>
  'body' in aim ? (air.northM[aim.body] as number) : aim.place.north_m;
/** Returns the height of the target, m; undefined for a place without a height. */
const aimHeightM = (air: Air, aim: Aim): number | undefined =>
  'body' in aim ? (air.heightM[aim.body] as number) : aim.place.height_m;

/**
 * Flies to a target and stays there: hovering aircraft hover at it, fixed-wing aircraft circle it. `ownHeightM` is the
 * height to fly at if neither the target nor `heightM` gives one.
 */
export function approach(
  aim: Aim,
  speedMps: number | undefined,
  heightM: number | undefined,
  ownHeightM: number,
  shift: Shift,
): Behaviour {
  let isThere = false;
  const heightAt = (air: Air): number => {
    const height = heightM ?? aimHeightM(air, aim);
    return height === undefined ? ownHeightM : height + shift.upM;
  };
  return (air, i) => {
    const limits = limitsAt(air, i);
    const speed = speedMps || limits.cruiseMps;
    const eastM = aimEastM(air, aim) + shift.eastM;
    const northM = aimNorthM(air, aim) + shift.northM;
    toHeight(air, i, heightAt(air));
    const off = toPlace(air, i, eastM, northM, speed);
    if (limits.hovers) return false;
    const radius = tightestM(limits, Math.max(speed, limits.minMps));
    isThere = off < radius * (isThere ? 4 : 1);
    if (isThere) round(air, i, eastM, northM, radius, speed, 1);
    return false;
  };
}

type OrbitOptions = { radiusM: number; clockwise: boolean; speedMps: number | undefined; heightM: number };

/** Circles a target, and moves along with a moving target. */
export function orbit(aim: Aim, { radiusM, clockwise, speedMps, heightM }: OrbitOptions, shift: Shift): Behaviour {
  return (air, i) => {
    const speed = speedMps || limitsAt(air, i).cruiseMps;
    const eastM = aimEastM(air, aim) + shift.eastM;
    const northM = aimNorthM(air, aim) + shift.northM;
    toHeight(air, i, heightM + shift.upM);
    const [eastMps, northMps] = 'body' in aim ? [air.eastMps[aim.body], air.northMps[aim.body]] : [0, 0];
    round(air, i, eastM, northM, radiusM, speed, clockwise ? 1 : -1, eastMps, northMps);
    return false;
  };
}
