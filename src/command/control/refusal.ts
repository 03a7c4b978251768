import type { CommandParams } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Verb } from '../../model/verb.ts';
import { whyNot } from '../fleet/available.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import { wayOf } from './procedures.ts';
import type { ControlRim, Way } from './rim.ts';

/** What a vehicle of a plan is told. */
export type Leg = { asset_id: string; verb: Verb; params: CommandParams };

/** Why a vehicle is not told this now, after those before it were sent; null where nothing stands against it. */
export function refusalOf(
  rim: ControlRim,
  verb: Verb,
  params: CommandParams,
  asset: { id: string; name: string },
  vehicle: Vehicle,
  before: readonly Leg[] = [],
): Refusal | null {
  const { fleet } = rim;
  const refusal = whyNot(verb, vehicle, fleet.standing(vehicle), rim.nowMs());
  if (refusal) return refusal;
  const way = wayOf(rim, vehicle, asset.id, verb, params);
  if (way === null) return null;
  const blocked = 'reason' in way ? way : rim.wayRefusal(vehicle, asset.id, way, waysOf(rim, before));
  return blocked && { reason: blocked.reason, text: `${verb} is not available on ${asset.name}: ${blocked.text}` };
}

/** Where vehicles will go that are sent first. */
function waysOf(rim: ControlRim, legs: readonly Leg[]): Map<Vehicle, Way> {
  const sent = new Map<Vehicle, Way>();
  for (const { asset_id: assetId, verb, params } of legs) {
    const vehicle = rim.fleet.vehicleOf(assetId);
    const way = vehicle && wayOf(rim, vehicle, assetId, verb, params);
    if (vehicle && way && 'to' in way) sent.set(vehicle, way);
  }
  return sent;
}
