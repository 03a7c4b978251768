import type { DecisionPolicy } from '../model/decision_config.ts';
import type { Plan, PlanLeg } from '../model/engagement.ts';
import type { FleetRow } from '../model/fleet.ts';
import type { Track } from '../model/track.ts';
import type { PlanVehicle } from './deps.ts';

/** Least take-off height, m: the vehicle is then above the obstacles around it. */
export const LEAST_LIFT_M = 20;
/** Margin below the ceiling, m: the errors of the heights of ground and vehicle are smaller. */
const UNDER_CEILING_M = 5;

/** Take-off height for a track, m: the track's height, within the limits of the vehicle. */
export function liftFor({ row, performance }: PlanVehicle, { position }: Track, { limits }: DecisionPolicy): number {
  const [theirs, ours] = [position?.alt_hae_m ?? null, row.position?.alt_hae_m ?? null];
  const wished = theirs === null || ours === null ? LEAST_LIFT_M : Math.max(LEAST_LIFT_M, theirs - ours);
  const ceiling = Math.min(limits.max_ceiling_agl_m, performance.ceiling_agl_m ?? Number.POSITIVE_INFINITY);
  return Math.max(1, Math.round(Math.min(wished, ceiling - UNDER_CEILING_M)));
}

/** Whether the vehicle stands on the ground and could take off now. */
export function canLiftOff({ landed, verbs }: FleetRow): boolean {
  return landed === 'on_ground' && verbs.some(({ verb, available }) => verb === 'takeoff' && available);
}

/** The take-off that a leg begins after; null where it begins at once. */
export function liftoffOf(legs: readonly PlanLeg[], leg: PlanLeg): PlanLeg | null {
  if (leg.verb === 'takeoff') return null;
  return legs.find(({ verb, asset_id }) => verb === 'takeoff' && asset_id === leg.asset_id) ?? null;
}

/** Leg of a vehicle after its take-off; undefined where there is none. */
export function nextOf({ legs }: Pick<Plan, 'legs'>, assetId: string): PlanLeg | undefined {
  return legs.find((leg) => leg.asset_id === assetId && liftoffOf(legs, leg) !== null);
}

/** Height of a take-off, m; 0 where there is none. */
export function heightOf(liftoff: PlanLeg | null): number {
  return liftoff?.params.kind === 'value' ? (liftoff.params.height_m ?? 0) : 0;
}
