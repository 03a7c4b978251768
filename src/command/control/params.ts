import type { CommandParams } from '../../model/command.ts';
import { Fault } from '../../model/fault.ts';
import { type Verb, verbs } from '../../model/verb.ts';

type Fields = { needed?: readonly string[]; taken?: readonly string[] };

const heights = ['alt_hae_m', 'alt_msl_m', 'alt_agl_m', 'height_takeoff_m'];

/** What each verb takes of its parameters, by their kind; where they are and what they name is always needed. */
const fieldsOf: Record<Verb, Partial<Record<CommandParams['kind'], Fields>>> = {
  hold: { none: {} },
  return_home: { none: {} },
  land: { none: {} },
  takeoff: { value: { needed: ['height_m'] } },
  goto: { point: { taken: [...heights, 'speed_mps'] } },
  orbit: {
    point: { taken: [...heights, 'radius_m', 'direction', 'speed_mps'] },
    track: { taken: ['radius_m', 'direction', 'speed_mps', 'standoff_m', 'height_offset_m'] },
  },
  shadow: { track: { taken: ['standoff_m', 'height_offset_m', 'speed_mps'] } },
  escort: { asset: { taken: ['standoff_m', 'bearing_deg', 'height_offset_m'] } },
  search: { zone: { taken: ['spacing_m', ...heights] } },
  set_speed: { value: { needed: ['speed_mps'] } },
  look_at: { point: { taken: heights }, track: {} },
  zoom: { value: { needed: ['zoom'] } },
  take_image: { none: {} },
  start_video: { none: {} },
  stop_video: { none: {} },
  set_mode: { value: { needed: ['mode'] } },
  request_status: { none: {} },
};

const identifying: ReadonlySet<string> = new Set(['kind', 'lat', 'lon', 'track_id', 'asset_id', 'zone_id']);

/** Refuses parameters of another kind than the verb's, and fields that would be left unread. */
export function checkParams(verb: Verb, params: CommandParams): void {
  const fields = fieldsOf[verb][params.kind];
  if (!fields) {
    const kinds = verbs[verb].params.join(' or ');
    throw new Fault('invalid_input', `'params.kind' must be ${kinds} for ${verb}, and not ${params.kind}`);
  }
  const { needed = [], taken = [] } = fields;
  const given = Object.entries(params).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  for (const field of needed) {
    if (!given.includes(field)) throw new Fault('invalid_input', `'params.${field}' is needed by ${verb}`);
  }
  for (const field of given) {
    if (identifying.has(field) || needed.includes(field) || taken.includes(field)) continue;
    throw new Fault('invalid_input', `'params.${field}' is not taken by ${verb}`);
  }
  const told = heights.filter((field) => given.includes(field));
  if (told.length > 1) {
    throw new Fault('invalid_input', `'params' must say one height, and says ${told.join(' and ')}`);
  }
}

/** Whether two commands say the same of what they are about. */
export function sameParams(one: CommandParams, other: CommandParams): boolean {
  const sorted = (params: CommandParams): string =>
    JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}
