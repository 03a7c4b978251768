import type { Vehicle } from '../../fleet/vehicle.ts';
import { haeOfMsl } from '../../geo/geoid.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { CommandParams } from '../../model/verb.ts';
import type { ControlDeps } from '../deps.ts';

export const unknownHeight: Refusal = {
  reason: 'no_position',
  text: 'the height cannot be converted: the ground height at the place, or the position of the vehicle, is unknown',
};

/**
 * Returns the height in the parameters, m above the ellipsoid. Null if they contain no height, or if the reference of
 * the height (such as the ground) is unknown. For a zone, the reference at the position of the vehicle is used.
 */
export function heightOf(
  deps: Pick<ControlDeps, 'groundAltHaeM'>,
  vehicle: Vehicle,
  params: CommandParams,
): number | null {
  if (params.kind !== 'point' && params.kind !== 'zone') return null;
  const at = params.kind === 'point' ? { latDeg: params.lat, lonDeg: params.lon } : vehicle.place;
  if (params.alt_hae_m !== undefined) return params.alt_hae_m;
  if (at === null) return null;
  if (params.alt_msl_m !== undefined) return haeOfMsl(params.alt_msl_m, at.latDeg, at.lonDeg);
  if (params.alt_agl_m !== undefined) {
    const ground = deps.groundAltHaeM(at.latDeg, at.lonDeg);
    return ground === null ? null : ground + params.alt_agl_m;
  }
  const position = vehicle.position?.value;
  if (params.height_takeoff_m === undefined || !position) return null;
  return haeOfMsl(position.altMslM - position.relativeAltM + params.height_takeoff_m, at.latDeg, at.lonDeg);
}

/** True if the parameters contain a height, whatever its reference. */
export function saysHeight(params: CommandParams): boolean {
  return ['alt_hae_m', 'alt_msl_m', 'alt_agl_m', 'height_takeoff_m'].some((field) => field in params);
}
