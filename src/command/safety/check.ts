import type { Geodetic } from '../../geo/position.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Refusal } from '../../model/fleet.ts';
import { crewedRefusal } from './crewed.ts';
import type { Fence } from './fence.ts';
import { keepInRefusal } from './keep_in.ts';
import { keepOutRefusal } from './keep_out.ts';
import { localLegOf, type Move } from './move.ts';
import { type OwnPlatform, ownTrafficRefusal } from './own_traffic.ts';
import type { Path } from './path.ts';
import { type Reach, reachRefusal } from './reach.ts';
import { standoffRefusal } from './standoff.ts';

/** Facts against which a movement is checked. */
export type Surroundings = {
  /** Fences in force now: see `holding`. */
  fences: readonly Fence[];
  /** Paths of tracks (see `pathOf`), without those of the moving vehicle's own telemetry. */
  paths: readonly Path[];
  /** Our own platforms, without the moving one. */
  platforms: readonly OwnPlatform[];
  policy: Pick<DecisionPolicy, 'limits' | 'engagement'>;
  /** Asset of the moving vehicle, by which its own track is recognised; null for none. */
  assetId: string | null;
  reach: Omit<Reach, 'limits'>;
  /** Standoff that the command requests, m. The larger standoff of command and policy applies. */
  standoffM?: number;
};

/** A requested movement. `from` is null if the vehicle's position is unknown; unknown heights are NaN. */
type AskedMove = Omit<Move, 'from'> & { from: Geodetic | null };

/**
 * Returns the refusal of a movement, at its start or in flight; null if it is permitted. Of several reasons the most
 * serious one is returned.
 */
export function moveRefusal(asked: AskedMove, around: Surroundings): Refusal | null {
  const move = knownMove(asked);
  if ('reason' in move) return move;
  const { limits, engagement } = around.policy;
  const leg = localLegOf(move);
  const others = around.paths.filter(({ track }) => track.asset_id === null || track.asset_id !== around.assetId);
  const standoffM = Math.max(engagement.standoff_m, around.standoffM ?? 0);
  const strangers = others.filter(({ track }) => track.affiliation !== 'friend');
  return (
    first(others, (path) => crewedRefusal(leg, move.speedMps, move.verb, path, limits.crewed_separation_m)) ??
    first(around.fences, (fence) =>
      fence.zone.kind === 'keep_out' ? keepOutRefusal(leg, fence, limits.keep_out_margin_m) : null,
    ) ??
    keepInRefusal(
      leg,
      around.fences.filter(({ zone }) => zone.kind === 'keep_in'),
    ) ??
    first(strangers, (course) => standoffRefusal(leg, course, standoffM)) ??
    first(around.platforms, (other) => ownTrafficRefusal(leg, move.speedMps, other)) ??
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

/** Refuses a movement with an unknown position or height, because it could not be checked. */
function knownMove({ from, to, ...rest }: AskedMove): Move | Refusal {
  if (!from) return { reason: 'no_position', text: 'the position of the vehicle is unknown' };
  if (!Number.isFinite(from.altHaeM)) {
    return { reason: 'no_position', text: 'the height of the vehicle is unknown' };
  }
  if (!Number.isFinite(to.altHaeM)) {
    return { reason: 'no_position', text: 'the height above the ellipsoid of the place to fly to is unknown' };
  }
  return { ...rest, from, to };
}
