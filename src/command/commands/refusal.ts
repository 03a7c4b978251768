import { whyNot } from '../../fleet/available.ts';
import type { Vehicle } from '../../fleet/vehicle.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { CommandParams, Verb } from '../../model/verb.ts';
import type { ControlDeps, Leg } from '../deps.ts';
import { firstLegOf } from '../guidance/procedures.ts';

/** One command of a plan. */
type PlannedCommand = { asset_id: string; verb: Verb; params: CommandParams };

/** Steps of a plan that come before a command. */
export type Given = {
  /**
   * Height of a take-off that precedes the command, m; 0 for none. If it is above 0, the check asks whether the vehicle
   * can take off, and the command's path begins at this height.
   */
  liftM?: number;
  /** Earlier commands of the plan, to other vehicles. */
  before?: readonly PlannedCommand[];
};

/** Returns why a command is refused now; null if it is allowed. */
export function refusalOf(
  deps: ControlDeps,
  verb: Verb,
  params: CommandParams,
  asset: { id: string; name: string },
  vehicle: Vehicle,
  { liftM = 0, before = [] }: Given = {},
): Refusal | null {
  const { fleet } = deps;
  const refusal = whyNot(liftM > 0 ? 'takeoff' : verb, vehicle, fleet.standing(vehicle), deps.nowMs());
  if (refusal) return refusal;
  const leg = firstLegOf({ deps, vehicle, assetId: asset.id, verb, params, liftM });
  if (leg === null) return null;
  const blocked = 'reason' in leg ? leg : deps.legRefusal(vehicle, asset.id, leg, legsOf(deps, before));
  return blocked && { reason: blocked.reason, text: `${verb} is not available on ${asset.name}: ${blocked.text}` };
}

/**
 * Returns the last leg of each vehicle that has one in the earlier commands. After a take-off, the vehicle's leg begins
 * at the height of the take-off.
 */
function legsOf(deps: ControlDeps, before: readonly PlannedCommand[]): Map<Vehicle, Leg> {
  const sent = new Map<Vehicle, Leg>();
  const lifted = new Map<string, number>();
  for (const { asset_id: assetId, verb, params } of before) {
    if (verb === 'takeoff' && params.kind === 'value') lifted.set(assetId, params.height_m ?? 0);
    const vehicle = deps.fleet.vehicleOf(assetId);
    const liftM = verb === 'takeoff' ? 0 : lifted.get(assetId);
    const leg = vehicle && firstLegOf({ deps, vehicle, assetId, verb, params, ...(liftM ? { liftM } : {}) });
    if (vehicle && leg && 'to' in leg) sent.set(vehicle, leg);
  }
  return sent;
}
