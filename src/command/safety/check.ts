import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Course } from './course.ts';
import { crewedRefusal } from './crewed.ts';
import type { Fence } from './fence.ts';
import { keepInRefusal } from './keep_in.ts';
import { keepOutRefusal } from './keep_out.ts';
import { type Move, wayOf } from './move.ts';
import { type OwnPlatform, ownTrafficRefusal } from './own_traffic.ts';
import { type Reach, reachRefusal } from './reach.ts';
import { standoffRefusal } from './standoff.ts';

/** What a movement is held against. */
export type Surroundings = {
  /** Those that hold now: see `holding`. */
  fences: readonly Fence[];
  /** Of all tracks that are followed: see `courseOf`. */
  courses: readonly Course[];
  /** Of ours, all but the one that moves. */
  platforms: readonly OwnPlatform[];
  policy: Pick<DecisionPolicy, 'limits' | 'engagement'>;
  /** Of the one that moves: the asset it is bound to, by which its own track is known. */
  assetId: string | null;
  reach: Omit<Reach, 'limits'>;
  /** Of the command, where it asks for more than the policy. */
  standoffM?: number;
};

type OpenPlace = { lat: number; lon: number; altHaeM: number | null };
export type AskedMove = Omit<Move, 'from' | 'to'> & { from: OpenPlace | null; to: OpenPlace };

/** Why a movement must not be begun, or go on, or null: the first of all reasons, what is worst to break first. */
export function moveRefusal(asked: AskedMove, around: Surroundings): Refusal | null {
  const move = knownMove(asked);
  if ('reason' in move) return move;
  const { limits, engagement } = around.policy;
  const way = wayOf(move);
  const others = around.courses.filter(({ track }) => track.asset_id === null || track.asset_id !== around.assetId);
  const standoffM = Math.max(engagement.standoff_m, around.standoffM ?? 0);
  const strangers = others.filter(({ track }) => track.affiliation !== 'friend');
  return (
    first(others, (course) => crewedRefusal(way, move.speedMps, move.verb, course, limits.crewed_separation_m)) ??
    first(around.fences, (fence) =>
      fence.zone.kind === 'keep_out' ? keepOutRefusal(way, fence, limits.keep_out_margin_m) : null,
    ) ??
    keepInRefusal(
      way,
      around.fences.filter(({ zone }) => zone.kind === 'keep_in'),
    ) ??
    first(strangers, (course) => standoffRefusal(way, course, standoffM)) ??
    first(around.platforms, (other) => ownTrafficRefusal(way, move.speedMps, other)) ??
    reachRefusal(move, { ...around.reach, limits })
  );
}

function first<T>(of: readonly T[], judge: (one: T) => Refusal | null): Refusal | null {
  for (const one of of) {
    const refusal = judge(one);
    if (refusal) return refusal;
  }
  return null;
}

/** What is not known cannot be held against anything. */
function knownMove({ from, to, ...rest }: AskedMove): Move | Refusal {
  if (!from) return { reason: 'no_position', text: 'it is not known where the vehicle is' };
  if (from.altHaeM === null || !Number.isFinite(from.altHaeM)) {
    return { reason: 'no_position', text: 'it is not known how high the vehicle is' };
  }
  if (to.altHaeM === null || !Number.isFinite(to.altHaeM)) {
    return { reason: 'no_position', text: 'it is not known how high above the ellipsoid it is to fly' };
  }
  return { ...rest, from: { ...from, altHaeM: from.altHaeM }, to: { ...to, altHaeM: to.altHaeM } };
}
