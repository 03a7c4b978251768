import { ABSENT, FLYING } from './flight/air.ts';
import type { ActorKind, Member } from './member.ts';
import type { Sky } from './sensors/sky.ts';

/** Where something really is, and how it moves in the local axes there. */
export type TruthPoint = {
  /** The actor's; of a swarm's third, `swarm-3`. */
  id: string;
  kind: ActorKind;
  lat: number;
  lon: number;
  altHaeM: number;
  eastMps: number;
  northMps: number;
  upMps: number;
  airborne: boolean;
  /** Off: not there yet, or gone, or hidden. */
  visible: boolean;
};

/** Of all that is there, which claims are not. */
export function truthOf(sky: Sky): TruthPoint[] {
  const points: TruthPoint[] = [];
  for (const member of sky.stage.members) if (!member.isGhost) points.push(pointOf(member, sky));
  return points;
}

function pointOf(member: Member, sky: Sky): TruthPoint {
  const { body, id, kind } = member;
  const { air, site } = sky;
  const { latDeg, lonDeg, altHaeM } = site.placeOf(sky.eastM(body), sky.northM(body), sky.heightM(body));
  const [east, north] = [air.eastMps[body] as number, air.northMps[body] as number];
  const turn = site.northAt(latDeg, lonDeg);
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  return {
    id,
    kind,
    lat: latDeg,
    lon: lonDeg,
    altHaeM,
    eastMps: east * cos - north * sin,
    northMps: east * sin + north * cos,
    upMps: air.climbMps[body] as number,
    airborne: air.state[body] === FLYING,
    visible: air.state[body] !== ABSENT && !sky.stage.isHidden(member, sky.atS),
  };
}
