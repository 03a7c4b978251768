import type { Behaviour, Shift } from './behaviour.ts';
import { limitsAt, toHeight, toPlace } from './steer.ts';

/** Speed below which the course of the leader is uncertain, m/s. The formation then keeps the last course. */
const POINTS_MPS = 1;

type Station = { rightM: number; aheadM: number; aboveM: number };

/** Keeps a station relative to a leader and to the leader's course. */
export function formation(leader: number, { rightM, aheadM, aboveM }: Station, shift: Shift): Behaviour {
  let course = 0;
  return (air, i) => {
    const [eastMps, northMps] = [air.eastMps[leader] as number, air.northMps[leader] as number];
    if (air.speedMps(leader) > POINTS_MPS) course = Math.atan2(eastMps, northMps);
    const [sin, cos] = [Math.sin(course), Math.cos(course)];
    const eastM = (air.eastM[leader] as number) + rightM * cos + aheadM * sin + shift.eastM;
    const northM = (air.northM[leader] as number) - rightM * sin + aheadM * cos + shift.northM;
    toHeight(air, i, Math.max(0, (air.heightM[leader] as number) + aboveM + shift.upM));
    toPlace(air, i, eastM, northM, limitsAt(air, i).maxMps, eastMps, northMps);
    return false;
  };
}
