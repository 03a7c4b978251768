import { mslOfHae } from '../geo/geoid.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { Plan, PlanLeg } from '../model/engagement.ts';
import type { FleetRow } from '../model/fleet.ts';
import type { PlatformPerformance } from '../model/performance.ts';
import type { Track } from '../model/track.ts';
import type { PlanVehicle } from './deps.ts';

/** Least take-off height, m. At this height the vehicle is assumed to be above the obstacles around it. */
export const LEAST_LIFT_M = 20;
/** Margin below the ceiling, m. Larger than the errors of ground height and vehicle height. */
const UNDER_CEILING_M = 5;

/**
 * Returns the take-off height for a response to a track, m: the track's height above the vehicle, at least
 * `LEAST_LIFT_M`, but below the ceilings of policy and vehicle.
 */
export function liftFor({ row, performance }: PlanVehicle, { position }: Track, { limits }: DecisionPolicy): number {
  const [theirs, ours] = [position?.alt_hae_m ?? null, row.position?.alt_hae_m ?? null];
  const wished = theirs === null || ours === null ? LEAST_LIFT_M : Math.max(LEAST_LIFT_M, theirs - ours);
  const ceiling = Math.min(limits.max_ceiling_agl_m, performance.ceiling_agl_m ?? Infinity, climbOf(row, performance));
  return Math.max(1, Math.round(Math.min(wished, ceiling - UNDER_CEILING_M)));
}

/** Height from a vehicle on the ground up to its ceiling above sea level, m; infinite if either is unknown. */
function climbOf({ position }: FleetRow, { ceiling_msl_m: ceiling }: PlatformPerformance): number {
  const heightM = position?.alt_hae_m ?? null;
  if (position === null || heightM === null || ceiling === undefined) return Number.POSITIVE_INFINITY;
  return ceiling - mslOfHae(heightM, position.lat, position.lon);
}

/** Returns true if the vehicle is on the ground and could take off now. */
export function canLiftOff({ landed, verbs }: FleetRow): boolean {
  return landed === 'on_ground' && verbs.some(({ verb, available }) => verb === 'takeoff' && available);
}

/** Returns the take-off that precedes a leg; null if the leg begins at once. */
export function liftoffOf(legs: readonly PlanLeg[], leg: PlanLeg): PlanLeg | null {
  if (leg.verb === 'takeoff') return null;
  return legs.find(({ verb, asset_id }) => verb === 'takeoff' && asset_id === leg.asset_id) ?? null;
}

/** Returns the leg of a vehicle after its take-off; undefined if there is none. */
export function nextOf({ legs }: Pick<Plan, 'legs'>, assetId: string): PlanLeg | undefined {
  return legs.find((leg) => leg.asset_id === assetId && liftoffOf(legs, leg) !== null);
}

/** Height of a take-off, m; 0 without a take-off. */
export function heightOf(liftoff: PlanLeg | null): number {
  return liftoff?.params.kind === 'value' ? (liftoff.params.height_m ?? 0) : 0;
}
