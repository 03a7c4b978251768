import type { CommandParams } from '../../model/command.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Verb } from '../../model/verb.ts';
import { heightOf, saysHeight } from '../control/procedures.ts';
import type { ControlRim } from '../control/rim.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import type { Steer } from './fly.ts';
import { steerTo } from './goto.ts';

/** What a task flies by, as its parameters say; or why there is nothing to fly by. */
export function steerOf(
  rim: ControlRim,
  vehicle: Vehicle,
  _assetId: string,
  verb: Verb,
  params: CommandParams,
): { steer: Steer; standoffM?: number } | Refusal {
  if (verb === 'goto' && params.kind === 'point') {
    const altHaeM = heightOf(rim, vehicle, params);
    if (altHaeM === null && saysHeight(params)) return unknownHeight;
    return { steer: steerTo({ lat: params.lat, lon: params.lon, altHaeM }, vehicle, params.speed_mps ?? null) };
  }
  return { reason: 'not_advertised', text: `${verb} is not flown` };
}

const unknownHeight: Refusal = { reason: 'no_position', text: 'it is not known what the height is above there' };
