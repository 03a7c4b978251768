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

/** A track to which the doctrine offers a response. */
export type Case = {
  track: Track;
  level: ThreatLevel;
  /** Threat score, 0 to 100. */
  score: number;
  row: MatrixRow;
  /** Id of the own asset that an escort would protect; null if there is none. */
  wardId: string | null;
};

/** Greatest number of vehicles listed with a reason in a plan. People do not read more. */
export const MOST_REASONS = 32;

/**
 * Reason why a vehicle takes no part, or why there is no plan. `assetId` is null for a vehicle without an asset, and if
 * no vehicle is meant.
 */
export type Dropped = Refusal & { assetId: string | null };
/**
 * Draft of one response to one track. `cost` reduces the plan's score: the mean cost of the matched vehicles (0 if
 * there are none), or a constant of the response.
 */
export type Drafted = { legs: PlanLeg[]; cost: number; dropped: Dropped[] };

type Advice = Pick<EngagementDeps, 'check' | 'energy' | 'risks'>;

/**
 * An own vehicle with its position in the plane of the round. `serves` is the track label of the approved engagement
 * that it serves; null without one.
 */
export type Placed = { vehicle: PlanVehicle; assetId: string; at: MatchVehicle; serves: string | null };

/**
 * Lowest rank of threat level (index in `threatLevels`) that may take a camera in use, by asset id. `Infinity` for a
 * camera that no automatic start may take.
 */
export type CamerasInUse = ReadonlyMap<string, number>;

/** Inputs of one round of planning, all from the same moment. */
export type Round = {
  cases: readonly Case[];
  policy: DecisionPolicy;
  policyVersion: number;
  doctrine: DoctrineBody;
  profile: PlanningProfile;
  tracks: readonly Track[];
  placed: readonly Placed[];
  /** Vehicles that no plan of the round can use, with the reasons. */
  left: readonly Dropped[];
  plane: Plane;
  /** Cameras in use that the round may not take, by asset id. Empty for plans that people decide on. */
  cameras: CamerasInUse;
  utcMs: number;
  advice: Advice;
};

/**
 * Profile used if the doctrine lists none. Otherwise the doctrine's first profile is used, because people cannot choose
 * one.
 */
const plainProfile: PlanningProfile = {
  id: 'plain',
  weights: { time: 0.4, energy: 0.2, sensor_fit: 0.2, link_range: 0.1, separation: 0.1 },
  max_assets: 1,
  reserve_pct: 25,
};

type Given = Omit<Round, 'placed' | 'left' | 'plane' | 'profile'> & {
  fleet: readonly PlanVehicle[];
  serves(assetId: string): string | null;
};

export function roundOf({ fleet, serves, ...given }: Given): Round {
  const profile = given.doctrine.planning_profiles[0] ?? plainProfile;
  const first = given.cases.find(({ track }) => track.position !== null)?.track.position;
  const plane = new Plane(first ?? { lat: 0, lon: 0 });
  const placed: Placed[] = [];
  const left: Dropped[] = [];
  // Sorted, so that the same situation gives the same plans in whatever order the fleet is listed.
  for (const vehicle of [...fleet].sort((a, b) => (a.row.key < b.row.key ? -1 : 1))) {
    const { asset_id: assetId, position, home, name } = vehicle.row;
    if (assetId === null || !vehicle.row.adopted) {
      left.push({ assetId, reason: 'not_adopted', text: `${name} is not adopted: bind it to an asset first` });
    } else if (position === null) {
      left.push({ assetId, reason: 'no_position', text: `${name} reports no position` });
    } else {
      const { eastM, northM } = plane.spot(home ?? position);
      const able = ableOf(vehicle, given.policy, profile.reserve_pct);
      const at = { ...able, ...plane.spot(position), home: { eastM, northM } };
      placed.push({ vehicle, assetId, at, serves: serves(assetId) });
    }
  }
  return { ...given, profile, placed, left, plane };
}
