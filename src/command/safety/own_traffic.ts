import type { Geodetic } from '../../geo/position.ts';
import type { Refusal } from '../../model/fleet.ts';
import { type Motion, motionOf, nearestMeeting } from './motion.ts';
import { type LocalLeg, metres } from './move.ts';

/**
 * Two own vehicles must stay `OWN_HORIZONTAL_M` apart along the ground, or `OWN_VERTICAL_M` in height, m. The check
 * covers the next `OWN_AHEAD_S`, s.
 */
export const OWN_HORIZONTAL_M = 30;
const OWN_VERTICAL_M = 15;
const OWN_AHEAD_S = 60;
const SLACK_M = 0.05;

/**
 * Another platform of ours. Its expected motion is the flight to the place that it was ordered to (`goesTo`), else its
 * present velocity.
 */
export type OwnPlatform = {
  name: string;
  position: Geodetic;
  /** Null if unknown: the platform then counts as standing still. */
  velocity: { eastMps: number; northMps: number; climbMps: number } | null;
  goesTo: { to: Geodetic; speedMps: number } | null;
  onGround: boolean;
};

/**
 * Returns a refusal if a leg comes too near to another platform of ours; else null. The reason is `policy_denied`,
 * because the other reasons mean something else. `busy` would mean that this vehicle has another task. `keep_out` would
 * mean a zone or a standoff, which waiting does not clear. This separation is our own rule, and waiting clears it once
 * the other vehicle has passed. Vehicles that are too near already, as after take-offs side by side, may fly apart.
 */
export function ownTrafficRefusal(leg: LocalLeg, speedMps: number, other: OwnPlatform): Refusal | null {
  if (other.onGround) return null;
  const [ours, theirs] = [motionOf(leg, speedMps), motionOn(leg, other)];
  const meeting = nearestMeeting(ours, theirs, OWN_AHEAD_S, OWN_VERTICAL_M);
  if (!meeting || meeting.distanceM >= OWN_HORIZONTAL_M) return null;
  const now = nearestMeeting(ours, theirs, 0, OWN_VERTICAL_M);
  const near = now !== null && now.distanceM < OWN_HORIZONTAL_M;
  if (near && meeting.distanceM >= now.distanceM - SLACK_M && endsApart(ours, theirs, now.distanceM)) return null;
  const when = meeting.inS < 1 ? 'now' : `in ${Math.round(meeting.inS)} s`;
  const text = `the path comes within ${metres(meeting.distanceM)} of our own vehicle ${other.name} ${when}; own vehicles are kept ${OWN_HORIZONTAL_M} m apart, or ${OWN_VERTICAL_M} m in height`;
  return { reason: 'policy_denied', text };
}

/** True if the two vehicles end their motions more than 1 m farther apart than now, or apart in height. */
function endsApart(ours: Motion, theirs: Motion, nowM: number): boolean {
  const at = (motion: Motion): Motion => {
    const last = motion.findLast((point) => point.inS <= OWN_AHEAD_S) ?? motion[0];
    return last ? [{ inS: 0, at: last.at }] : [];
  };
  const end = nearestMeeting(at(ours), at(theirs), 0, OWN_VERTICAL_M);
  return end === null || end.distanceM > nowM + 1;
}

function motionOn({ chart }: LocalLeg, { position, velocity, goesTo }: OwnPlatform): Motion {
  const { altHaeM } = position;
  const [eastM, northM] = chart.spotOf(position);
  const first = { inS: 0, at: [eastM, northM, altHaeM] as const };
  if (goesTo) {
    const [toEastM, toNorthM] = chart.spotOf(goesTo.to);
    const lengthM = Math.hypot(toEastM - eastM, toNorthM - northM, goesTo.to.altHaeM - altHaeM);
    if (goesTo.speedMps > 0 && lengthM > 0)
      return [first, { inS: lengthM / goesTo.speedMps, at: [toEastM, toNorthM, goesTo.to.altHaeM] }];
  }
  const { eastMps = 0, northMps = 0, climbMps = 0 } = velocity ?? {};
  const [alongM, acrossM, upM] = [eastMps * OWN_AHEAD_S, northMps * OWN_AHEAD_S, climbMps * OWN_AHEAD_S];
  return [first, { inS: OWN_AHEAD_S, at: [eastM + alongM, northM + acrossM, altHaeM + upM] }];
}
