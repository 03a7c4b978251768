import type { DecisionPolicy } from '../model/decision_config.ts';
import type { DoctrineBody } from '../model/doctrine.ts';
import type { PlanLeg } from '../model/engagement.ts';
import type { Refusal } from '../model/fleet.ts';
import type { ThreatLevel } from '../model/posture.ts';
import type { Track } from '../model/track.ts';
import { ableOf } from './able.ts';
import type { EngagementDeps, MatrixRow, PlanningProfile, PlanVehicle } from './deps.ts';
import type { MatchVehicle } from './matching.ts';
import { Plane } from './plane.ts';

/** A track that the doctrine offers something about. */
export type Case = {
  track: Track;
  level: ThreatLevel;
  /** 0 to 100. */
  score: number;
  row: MatrixRow;
  /** The asset of ours that an escort would protect. */
  wardId: string | null;
};

/** Greatest number of vehicles listed with the reason why they take no part; a person reads no more. */
export const MOST_REASONS = 32;

/** Why a vehicle takes no part; without an asset id, why there is no plan. */
export type Dropped = Refusal & { assetId: string | null };
/**
 * Draft of one response to one track. `cost` lowers the score of the plan: the mean cost of its vehicles, or a constant
 * of the response; 0 without a vehicle.
 */
export type Drafted = { legs: PlanLeg[]; cost: number; dropped: Dropped[] };

type Advice = Pick<EngagementDeps, 'check' | 'energy' | 'risks'>;

/** A vehicle in the plane of the round. Planning uses only own vehicles with a position. */
export type Placed = { vehicle: PlanVehicle; assetId: string; at: MatchVehicle };

/** Inputs of one round of planning, all of one moment. */
export type Round = {
  cases: readonly Case[];
  policy: DecisionPolicy;
  policyVersion: number;
  doctrine: DoctrineBody;
  profile: PlanningProfile;
  tracks: readonly Track[];
  placed: readonly Placed[];
  /** Vehicles that cannot be used in any plan of the round. */
  left: readonly Dropped[];
  plane: Plane;
  utcMs: number;
  advice: Advice;
};

/** Profile for a doctrine that lists none. A round uses the first profile of the doctrine, as no person has chosen one. */
const plainProfile: PlanningProfile = {
  id: 'plain',
  weights: { time: 0.4, energy: 0.2, sensor_fit: 0.2, link_range: 0.1, separation: 0.1 },
  max_assets: 1,
  reserve_pct: 25,
};

type Given = Omit<Round, 'placed' | 'left' | 'plane' | 'profile'> & { fleet: readonly PlanVehicle[] };

export function roundOf({ fleet, ...given }: Given): Round {
  const profile = given.doctrine.planning_profiles[0] ?? plainProfile;
  const first = given.cases.find(({ track }) => track.position !== null)?.track.position;
  const plane = new Plane(first ?? { lat: 0, lon: 0 });
  const placed: Placed[] = [];
  const left: Dropped[] = [];
  // Sorted, so that the order of the input does not matter: the same moment gives the same plans.
  for (const vehicle of [...fleet].sort((a, b) => (a.row.key < b.row.key ? -1 : 1))) {
    const { asset_id: assetId, position, home, name } = vehicle.row;
    if (assetId === null || !vehicle.row.adopted) {
      left.push({ assetId, reason: 'not_adopted', text: `${name} is nobody’s: adopt it first` });
    } else if (position === null) {
      left.push({ assetId, reason: 'no_position', text: `${name} reports no position` });
    } else {
      const { eastM, northM } = plane.spot(home ?? position);
      const able = ableOf(vehicle, given.policy, profile.reserve_pct);
      placed.push({ vehicle, assetId, at: { ...able, ...plane.spot(position), home: { eastM, northM } } });
    }
  }
  return { ...given, profile, placed, left, plane };
}
