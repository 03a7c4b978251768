import type { CommandParams } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Verb } from '../../model/verb.ts';
import { whyNot } from '../fleet/available.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import { wayOf } from './procedures.ts';
import type { ControlRim, Way } from './rim.ts';

/** What a vehicle of a plan is told. */
export type Leg = { asset_id: string; verb: Verb; params: CommandParams };

/** What will have been done before a command. */
export type Given = {
  /** It has taken off to this height: it is asked now whether it can take off, and its way begins up there. */
  liftM?: number;
  /** Other vehicles were sent. */
  before?: readonly Leg[];
};

/** Why a vehicle is not told this now; null where nothing stands against it. */
export function refusalOf(
  rim: ControlRim,
  verb: Verb,
  params: CommandParams,
  asset: { id: string; name: string },
  vehicle: Vehicle,
  { liftM = 0, before = [] }: Given = {},
): Refusal | null {
  const { fleet } = rim;
  const refusal = whyNot(liftM > 0 ? 'takeoff' : verb, vehicle, fleet.standing(vehicle), rim.nowMs());
  if (refusal) return refusal;
  const way = wayOf(rim, vehicle, asset.id, verb, params, liftM);
  if (way === null) return null;
  const blocked = 'reason' in way ? way : rim.wayRefusal(vehicle, asset.id, way, waysOf(rim, before));
  return blocked && { reason: blocked.reason, text: `${verb} is not available on ${asset.name}: ${blocked.text}` };
}

/** Where vehicles will go that are sent first; of one that takes off before, from up there. */
function waysOf(rim: ControlRim, legs: readonly Leg[]): Map<Vehicle, Way> {
  const sent = new Map<Vehicle, Way>();
  const lifted = new Map<string, number>();
  for (const { asset_id: assetId, verb, params } of legs) {
    if (verb === 'takeoff' && params.kind === 'value') lifted.set(assetId, params.height_m ?? 0);
    const vehicle = rim.fleet.vehicleOf(assetId);
    const way = vehicle && wayOf(rim, vehicle, assetId, verb, params, verb === 'takeoff' ? 0 : lifted.get(assetId));
    if (vehicle && way && 'to' in way) sent.set(vehicle, way);
  }
  return sent;
}
