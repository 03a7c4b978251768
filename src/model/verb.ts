import { z } from 'zod';
import type { Autopilot, VehicleType } from './fleet.ts';
import type { PlatformPerformance } from './performance.ts';
import { altAglM, altHaeM, altMslM, between, heightTakeoffM, lat, lon, textUpTo, uuid } from './scalar.ts';

const distance = between(1, 100_000);
const speed = between(0.1, 200);
const heightFields = {
  alt_hae_m: altHaeM.optional(),
  alt_msl_m: altMslM.optional(),
  alt_agl_m: altAglM.optional(),
  height_takeoff_m: heightTakeoffM.optional(),
};
const orbiting = {
  radius_m: distance.optional(),
  direction: z.enum(['clockwise', 'counter_clockwise']).optional(),
  speed_mps: speed.optional(),
};

/**
 * Parameters of a command, by kind. The verb decides which fields are allowed; a command with another field is refused.
 */
export const commandParamsSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('point'), lat, lon, ...heightFields, ...orbiting }),
    z.strictObject({
      kind: z.literal('track'),
      track_id: uuid,
      standoff_m: distance.optional().describe('standoff, m; at least the standoff_m of the decision config'),
      height_offset_m: between(-500, 500).optional().describe('height above the track, m'),
      ...orbiting,
    }),
    z.strictObject({
      kind: z.literal('asset'),
      asset_id: uuid,
      standoff_m: distance.optional(),
      bearing_deg: z.number().min(0).lt(360).optional().describe('true bearing from the escorted asset, degrees'),
      height_offset_m: between(-500, 500).optional().describe('height above the asset, m'),
    }),
    z.strictObject({ kind: z.literal('zone'), zone_id: uuid, spacing_m: distance.optional(), ...heightFields }),
    z.strictObject({
      kind: z.literal('value'),
      height_m: between(1, 10_000).optional().describe('height above the take-off point, m'),
      speed_mps: speed.optional(),
      zoom: between(0, 100).optional().describe('percent of the range'),
      mode: textUpTo(60).optional(),
    }),
  ])
  .meta({ id: 'CommandParams' });
export type CommandParams = z.infer<typeof commandParamsSchema>;
export type ParamKind = CommandParams['kind'];
export type ParamsOf<K extends ParamKind> = Extract<CommandParams, { kind: K }>;
export const paramKinds = commandParamsSchema.options.map(({ shape }) => shape.kind.value);

/**
 * Fields that identify the target of a command: its kind, its position or its id. A command must have each of these
 * fields that exists in its kind of parameters.
 */
const identifying = ['kind', 'lat', 'lon', 'track_id', 'asset_id', 'zone_id'] as const;
type Identifying = (typeof identifying)[number];
export const identifyingFields: ReadonlySet<string> = new Set(identifying);

/** Height fields of a position, one for each vertical reference. A command may have at most one of them. */
export const heights = ['alt_hae_m', 'alt_msl_m', 'alt_agl_m', 'height_takeoff_m'] as const;

/** Required and optional fields of a verb, for one kind of parameters. */
export type VerbFields<F extends string = string> = { needed?: readonly F[]; taken?: readonly F[] };

/**
 * Class of a verb. `safer`: brings a platform to rest or home. `movement`: moves the platform. `observation`: uses its
 * payload, or requests its status.
 */
export type VerbClass = 'safer' | 'movement' | 'observation';

type Stack = Exclude<Autopilot, 'other'>;

/**
 * Data of one verb. `fleet/verbs.ts` decides its availability, and `command/guidance/procedures.ts` defines its
 * procedure.
 */
type VerbRow = {
  class: VerbClass;
  params: { [K in ParamKind]?: VerbFields<Exclude<keyof ParamsOf<K> & string, Identifying>> };
  /** Vehicle types that have the verb without any payload, by autopilot. */
  on?: Partial<Record<Stack, readonly VehicleType[]>>;
  /** Performance figures of the platform that limit the verb. */
  limits?: readonly (keyof PlatformPerformance)[];
  /** True if the verb is available only in flight; `hold` also shortly before a take-off. */
  inAir?: true;
  /**
   * True if the verb brings the vehicle to rest, home or to the ground. Such a verb is never refused because of low
   * energy or crewed traffic.
   */
  toRest?: true;
  /** True if other movements of the vehicle, or its `look_at`, continue during the verb. */
  alongside?: true;
  /** True if the verb has no end of its own: the vehicle stays on station until another command. */
  staysOnStation?: true;
};

const rotors = ['multirotor', 'helicopter'] as const;
const aircraft = [...rotors, 'fixed_wing', 'vtol'] as const;
const surface = [...aircraft, 'rover', 'boat'] as const;
const all = [...surface, 'submersible'] as const;
const both = (types: readonly VehicleType[]) => ({ ardupilot: types, px4: types });

const standoffSpeeds = ['min_speed_mps', 'max_speed_mps', 'link_range_m'] as const;

/**
 * All verbs. By design only `takeoff` arms a vehicle, and no verb disarms it, releases a payload or sends raw messages.
 */
const rows = {
  hold: { class: 'safer', params: { none: {} }, on: both(all), inAir: true, toRest: true },
  return_home: { class: 'safer', params: { none: {} }, on: both(surface), inAir: true, toRest: true },
  land: { class: 'movement', params: { none: {} }, on: both(aircraft), inAir: true, toRest: true },
  takeoff: {
    class: 'movement',
    params: { value: { needed: ['height_m'] } },
    on: both(aircraft),
    limits: ['ceiling_agl_m', 'climb_rate_mps'],
  },
  goto: {
    class: 'movement',
    params: { point: { taken: [...heights, 'speed_mps'] } },
    on: both(all),
    limits: ['max_speed_mps', 'max_range_m', 'link_range_m', 'ceiling_agl_m'],
    inAir: true,
  },
  orbit: {
    class: 'movement',
    params: {
      point: { taken: [...heights, 'radius_m', 'direction', 'speed_mps'] },
      track: { taken: ['radius_m', 'direction', 'speed_mps', 'standoff_m', 'height_offset_m'] },
    },
    on: both(aircraft),
    limits: ['min_speed_mps', 'max_speed_mps'],
    inAir: true,
    staysOnStation: true,
  },
  shadow: {
    class: 'movement',
    params: { track: { taken: ['standoff_m', 'height_offset_m', 'speed_mps'] } },
    on: both(surface),
    limits: standoffSpeeds,
    inAir: true,
    staysOnStation: true,
  },
  escort: {
    class: 'movement',
    params: { asset: { taken: ['standoff_m', 'bearing_deg', 'height_offset_m'] } },
    on: both(surface),
    limits: standoffSpeeds,
    inAir: true,
    staysOnStation: true,
  },
  search: {
    class: 'movement',
    params: { zone: { taken: ['spacing_m', ...heights] } },
    on: both(surface),
    limits: ['cruise_speed_mps', 'endurance_s', 'link_range_m'],
    inAir: true,
  },
  set_speed: {
    class: 'movement',
    params: { value: { needed: ['speed_mps'] } },
    on: both(surface),
    limits: ['min_speed_mps', 'max_speed_mps'],
    inAir: true,
    alongside: true,
  },
  look_at: {
    class: 'observation',
    params: { point: { taken: heights }, track: {} },
    on: both(rotors),
    staysOnStation: true,
  },
  zoom: { class: 'observation', params: { value: { needed: ['zoom'] } }, alongside: true },
  take_image: { class: 'observation', params: { none: {} }, alongside: true },
  start_video: { class: 'observation', params: { none: {} }, alongside: true },
  stop_video: { class: 'observation', params: { none: {} }, alongside: true },
  set_mode: { class: 'observation', params: { value: { needed: ['mode'] } }, alongside: true },
  request_status: { class: 'observation', params: { none: {} }, on: both(all), alongside: true },
} as const satisfies Record<string, VerbRow>;
export type Verb = keyof typeof rows;
export const verbs: Readonly<Record<Verb, VerbRow>> = rows;
export const verbNames = Object.keys(verbs) as [Verb, ...Verb[]];

export function isMovement(verb: Verb): boolean {
  return verbs[verb].class === 'movement';
}

/** Returns the kinds of parameters that a verb accepts. */
export function kindsOf(verb: Verb): ParamKind[] {
  return Object.keys(verbs[verb].params) as ParamKind[];
}

/** Returns the platform's known performance figures that limit a verb, by their names. */
export function boundsOf(verb: Verb, performance: PlatformPerformance): Record<string, number> {
  const known = (verbs[verb].limits ?? []).flatMap((figure) => {
    const value = performance[figure];
    return typeof value === 'number' ? [[figure, value] as const] : [];
  });
  return Object.fromEntries(known);
}

/** Returns true if vehicles of this type with this autopilot have the verb without any payload. */
export function isOn(verb: Verb, autopilot: Autopilot, type: VehicleType): boolean {
  return autopilot !== 'other' && (verbs[verb].on?.[autopilot]?.includes(type) ?? false);
}
