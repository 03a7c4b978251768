import type { DecisionPolicy } from '../../model/decision_config.ts';
import type { Plan, PlanLeg } from '../../model/engagement.ts';
import type { FleetRow } from '../../model/fleet.ts';
import type { Track } from '../../model/track.ts';
import type { PlanVehicle } from './rim.ts';

/** Lower a vehicle does not set out: what stands about it is behind it then. */
export const LEAST_LIFT_M = 20;
/** What is known of the ground and of where it stands differs by less: as high as it may and no higher. */
const UNDER_CEILING_M = 5;

/** How high a vehicle takes off for a track: as high as that flies, within what it may. */
export function liftFor({ row, performance }: PlanVehicle, { position }: Track, { limits }: DecisionPolicy): number {
  const [theirs, ours] = [position?.alt_hae_m ?? null, row.position?.alt_hae_m ?? null];
  const wished = theirs === null || ours === null ? LEAST_LIFT_M : Math.max(LEAST_LIFT_M, theirs - ours);
  const ceiling = Math.min(limits.max_ceiling_agl_m, performance.ceiling_agl_m ?? Number.POSITIVE_INFINITY);
  return Math.max(1, Math.round(Math.min(wished, ceiling - UNDER_CEILING_M)));
}

/** It stands on the ground and could take off now. */
export function canLiftOff({ landed, verbs }: FleetRow): boolean {
  return landed === 'on_ground' && verbs.some(({ verb, available }) => verb === 'takeoff' && available);
}

/** The take-off that a leg begins after; null where it begins at once. */
export function liftoffOf(legs: readonly PlanLeg[], leg: PlanLeg): PlanLeg | null {
  if (leg.verb === 'takeoff') return null;
  return legs.find(({ verb, asset_id }) => verb === 'takeoff' && asset_id === leg.asset_id) ?? null;
}

/** What a vehicle does after its take-off; undefined where that is all. */
export function nextOf({ legs }: Pick<Plan, 'legs'>, assetId: string): PlanLeg | undefined {
  return legs.find((leg) => leg.asset_id === assetId && liftoffOf(legs, leg) !== null);
}

/** How high a take-off goes, 0 where there is none. */
export function heightOf(liftoff: PlanLeg | null): number {
  return liftoff?.params.kind === 'value' ? (liftoff.params.height_m ?? 0) : 0;
}
