import type { Refusal } from '../../model/fleet.ts';
import { type Motion, motionOf, nearestMeeting } from './motion.ts';
import { metres, type Place, type Way } from './move.ts';

/** Two of ours are kept apart by one of these, so far ahead as both fly. */
export const OWN_HORIZONTAL_M = 30;
export const OWN_VERTICAL_M = 15;
export const OWN_AHEAD_S = 60;
const SLACK_M = 0.05;

/** Another platform of ours: where it goes, where we sent it, else how it flies. */
export type OwnPlatform = {
  name: string;
  position: { lat: number; lon: number; altHaeM: number | null };
  /** Null where it is not known: it is taken to stand. */
  velocity: { eastMps: number; northMps: number; climbMps: number } | null;
  goesTo: { to: Place; speedMps: number } | null;
  onGround: boolean;
};

/**
 * Why a way may not be flown because of another platform of ours, or null. Of the contract's reasons it is `policy_denied`:
 * `busy` would say that this vehicle has something else to do, `keep_out` that a zone or a standoff is in the way, which no
 * other moment would clear; that two of ours are kept apart is a rule of ours, and holds until the other has passed.
 * Where they are near already, as after two starts side by side, they may go apart.
 */
export function ownTrafficRefusal(way: Way, speedMps: number, other: OwnPlatform): Refusal | null {
  if (other.onGround) return null;
  const [ours, theirs] = [motionOf(way, speedMps), motionOn(way, other)];
  const meeting = nearestMeeting(ours, theirs, OWN_AHEAD_S, OWN_VERTICAL_M);
  if (!meeting || meeting.distanceM >= OWN_HORIZONTAL_M) return null;
  const now = nearestMeeting(ours, theirs, 0, OWN_VERTICAL_M);
  const near = now !== null && now.distanceM < OWN_HORIZONTAL_M;
  if (near && meeting.distanceM >= now.distanceM - SLACK_M && endsApart(ours, theirs, now.distanceM)) return null;
  const when = meeting.inS < 1 ? 'now' : `in ${Math.round(meeting.inS)} s`;
  const text = `the way comes within ${metres(meeting.distanceM)} of our ${other.name} ${when}; ours are kept ${OWN_HORIZONTAL_M} m apart, or ${OWN_VERTICAL_M} m in height`;
  return { reason: 'policy_denied', text };
}

/** Whether they are farther from each other once both are where they go. */
function endsApart(ours: Motion, theirs: Motion, nowM: number): boolean {
  const at = (motion: Motion): Motion => {
    const inS = OWN_AHEAD_S;
    const last = motion.findLast((point) => point.inS <= inS) ?? motion[0];
    return last ? [{ inS: 0, at: last.at }] : [];
  };
  const end = nearestMeeting(at(ours), at(theirs), 0, OWN_VERTICAL_M);
  return end === null || end.distanceM > nowM + 1;
}

function motionOn({ chart }: Way, { position, velocity, goesTo }: OwnPlatform): Motion {
  const [eastM, northM] = chart.spotOf(position);
  const upM = position.altHaeM ?? Number.NaN;
  if (goesTo) {
    const [toEastM, toNorthM] = chart.spotOf(goesTo.to);
    const lengthM = Math.hypot(
      toEastM - eastM,
      toNorthM - northM,
      goesTo.to.altHaeM - (position.altHaeM ?? goesTo.to.altHaeM),
    );
    if (goesTo.speedMps > 0 && lengthM > 0) {
      return [
        { inS: 0, at: [eastM, northM, upM] },
        { inS: lengthM / goesTo.speedMps, at: [toEastM, toNorthM, goesTo.to.altHaeM] },
      ];
    }
  }
  const { eastMps = 0, northMps = 0, climbMps = 0 } = velocity ?? {};
  const end = [eastM + eastMps * OWN_AHEAD_S, northM + northMps * OWN_AHEAD_S, upM + climbMps * OWN_AHEAD_S] as const;
  return [
    { inS: 0, at: [eastM, northM, upM] },
    { inS: OWN_AHEAD_S, at: end },
  ];
}
