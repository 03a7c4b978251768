import type { VerbState } from '../../model/fleet.ts';
import type { CommandParams, ParamKind, Verb } from '../../model/verb.ts';

/** A field of the form of a verb; `place`, `track`, `asset` and `zone` name the target. */
export type VerbField =
  | 'place'
  | 'track'
  | 'asset'
  | 'zone'
  | 'height_m'
  | 'speed_mps'
  | 'radius_m'
  | 'direction'
  | 'standoff_m'
  | 'zoom'
  | 'mode';
/** Content of the form, as typed. */
export type Filled = Readonly<Partial<Record<VerbField, string>>>;

const targetOf: Partial<Record<ParamKind, VerbField>> = {
  point: 'place',
  track: 'track',
  asset: 'asset',
  zone: 'zone',
};
/** Fields of each verb besides the target. A kind of parameters without a target, such as `value`, has only these. */
const others: Partial<Record<Verb, readonly VerbField[]>> = {
  takeoff: ['height_m'],
  goto: ['height_m', 'speed_mps'],
  orbit: ['height_m', 'radius_m', 'direction', 'speed_mps'],
  shadow: ['standoff_m', 'speed_mps'],
  escort: ['standoff_m'],
  search: ['height_m'],
  set_speed: ['speed_mps'],
  look_at: ['height_m'],
  zoom: ['zoom'],
  set_mode: ['mode'],
};
/** Fields that are left out for a track, which has a height of its own. Heights are above the take-off point. */
const ofPlacesOnly: ReadonlySet<VerbField> = new Set(['height_m']);
const needed: ReadonlySet<VerbField> = new Set(['place', 'track', 'asset', 'zone', 'zoom', 'mode']);

/** Fields of a verb for one kind of its parameters, in the order of the form. */
export function fieldsOf(verb: Verb, kind: ParamKind): VerbField[] {
  const target = targetOf[kind];
  const besides = (others[verb] ?? []).filter((field) => kind !== 'track' || !ofPlacesOnly.has(field));
  return kind === 'none' ? [] : [...(target ? [target] : []), ...besides];
}

export function isNeeded(verb: Verb, field: VerbField): boolean {
  return (
    needed.has(field) || (field === 'height_m' && verb === 'takeoff') || (field === 'speed_mps' && verb === 'set_speed')
  );
}

/** Minimum and maximum of a number, by the platform's limits where it has some; null for a field that is no number. */
export function boundsOf(field: VerbField, { limits }: Pick<VerbState, 'limits'>): { min: number; max: number } | null {
  if (field === 'height_m') return { min: 1, max: limits.ceiling_agl_m ?? 10_000 };
  if (field === 'speed_mps') return { min: limits.min_speed_mps ?? 0.1, max: limits.max_speed_mps ?? 200 };
  if (field === 'radius_m' || field === 'standoff_m') return { min: 1, max: limits.link_range_m ?? 100_000 };
  return field === 'zoom' ? { min: 0, max: 100 } : null;
}

/** Parameters from the form, or the first field that is missing or out of its limits. */
export function paramsOf(
  state: Pick<VerbState, 'verb' | 'limits'>,
  kind: ParamKind,
  filled: Filled,
): { params: CommandParams } | { missing: VerbField } {
  const values: Record<string, string | number> = {};
  for (const field of fieldsOf(state.verb, kind)) {
    const text = filled[field]?.trim() ?? '';
    if (text === '' && !isNeeded(state.verb, field)) continue;
    const value = readField(field, text, state);
    if (value === null) return { missing: field };
    Object.assign(values, value);
  }
  // The height of a place is above the take-off point; for a take-off the height is the single value.
  if (kind !== 'value' && 'height_m' in values) {
    const { height_m: height, ...rest } = values;
    return { params: { kind, ...rest, height_takeoff_m: height } as CommandParams };
  }
  return { params: { kind, ...values } as CommandParams };
}

function readField(field: VerbField, text: string, state: Pick<VerbState, 'limits'>): object | null {
  if (field === 'place') return placeOf(text);
  if (field === 'track' || field === 'asset' || field === 'zone') return text === '' ? null : { [`${field}_id`]: text };
  if (field === 'direction') return text === 'clockwise' || text === 'counter_clockwise' ? { direction: text } : null;
  if (field === 'mode') return text === '' ? null : { mode: text };
  const bounds = boundsOf(field, state);
  const value = text === '' ? Number.NaN : Number(text);
  return bounds !== null && value >= bounds.min && value <= bounds.max ? { [field]: value } : null;
}

/** Latitude and longitude in decimal degrees, separated by a comma, semicolon or space. */
function placeOf(text: string): { lat: number; lon: number } | null {
  const [lat = Number.NaN, lon = Number.NaN, ...more] = text.split(/[\s,;]+/).map(Number);
  return more.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;
}
