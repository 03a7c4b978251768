import { ABSENT, FLYING } from '../aircraft/flight/air.ts';
import { lies } from '../kernel/spans.ts';
import type { Member } from '../population/member.ts';
import type { TruePlace } from '../score/truth.ts';
import type { Sky } from '../sensors/sky.ts';

/** True position and motion of a member. */
export function truthOf(member: Member, sky: Sky): TruePlace {
  const { body, id, kind } = member;
  const { air, site } = sky;
  const { latDeg, lonDeg, altHaeM } = site.placeOf(sky.eastM(body), sky.northM(body), sky.heightM(body));
  const [east, north] = [air.eastMps[body] as number, air.northMps[body] as number];
  const turn = site.northAt(latDeg, lonDeg);
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  return {
    ...{ id, kind, latDeg, lonDeg, altHaeM },
    eastMps: east * cos - north * sin,
    northMps: east * sin + north * cos,
    upMps: air.climbMps[body] as number,
    airborne: air.state[body] === FLYING,
    visible: air.state[body] !== ABSENT && !lies(sky.atS, member.hidden),
  };
}
