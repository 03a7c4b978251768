import { z } from 'zod';
import { connections } from './asset.ts';
import { positionSchema } from './position.ts';
import { altMslM, between, courseDeg, lat, lon, namedObject, notNegative, timestamp, uuid } from './scalar.ts';
import { provenances } from './track.ts';
import { paramKinds, verbNames } from './verb.ts';

export const autopilots = ['ardupilot', 'px4', 'other'] as const;
export type Autopilot = (typeof autopilots)[number];

/** Types of vehicles, derived from MAV_TYPE and named like the airframes of the catalog. */
export const vehicleTypes = [
  'multirotor',
  'helicopter',
  'fixed_wing',
  'vtol',
  'rover',
  'boat',
  'submersible',
  'airship',
  'other',
] as const;
export type VehicleType = (typeof vehicleTypes)[number];

export const landedStates = ['on_ground', 'in_air', 'takeoff', 'landing', 'unknown'] as const;
export type LandedState = (typeof landedStates)[number];

export const readinesses = ['ready', 'busy', 'not_ready', 'fault', 'unknown'] as const;
export type Readiness = (typeof readinesses)[number];

/** Controller of a vehicle at the moment, as far as its telemetry shows it. */
export const controlOwners = ['us', 'pilot', 'other_gcs', 'unknown'] as const;

/** Reasons why a verb is unavailable. The fleet row and the refusal of a command use the same reason and text. */
export const unavailableReasons = [
  'not_advertised',
  'link_down',
  'telemetry_stale',
  'no_position',
  'on_ground',
  'airborne',
  'not_armable',
  'low_energy',
  'out_of_range',
  'keep_out',
  'busy',
  'authority_elsewhere',
  'sensor_fault',
  'policy_denied',
  'discovery_off',
  'feature_off',
  'not_adopted',
  'id_conflict',
  'signing_missing',
  'crewed_traffic',
  'approval_required',
] as const;
export type UnavailableReason = (typeof unavailableReasons)[number];

/** Refusal of a verb: a reason code for programs and a sentence for people. */
export type Refusal = { reason: UnavailableReason; text: string };

export const verbStateSchema = namedObject('VerbState', {
  verb: z.enum(verbNames),
  available: z.boolean(),
  reason: z.enum(unavailableReasons).nullable(),
  text: z.string().nullable().describe('sentence with which a command would be refused'),
  params: z.array(z.enum(paramKinds)).describe('kinds of parameters that the verb takes'),
  limits: z.record(z.string(), z.number()).describe('limits of the platform for this verb, as in its capability'),
});
export type VerbState = z.infer<typeof verbStateSchema>;

export const fleetRowSchema = z
  .strictObject({
    key: z.string().describe('adoption key that binds an asset to the vehicle'),
    aliases: z.array(z.string()).describe('other keys of the vehicle; each also binds an asset'),
    asset_id: uuid.nullable(),
    name: z.string(),
    adopted: z.boolean(),
    connection: z.enum(connections),
    readiness: z.enum(readinesses),
    autopilot: z.enum(autopilots).nullable(),
    vehicle_type: z.enum(vehicleTypes).nullable(),
    sysid: z.int().nullable(),
    compid: z.int().nullable(),
    link_id: uuid.nullable().describe('link that carries the commands to the vehicle'),
    link_ids: z.array(uuid).describe('all links with telemetry of the vehicle'),
    mode: z.string().nullable(),
    armed: z.boolean().nullable(),
    landed: z.enum(landedStates),
    position: positionSchema.nullable(),
    velocity: z
      .strictObject({ speed_mps: notNegative, course_deg: courseDeg.nullable(), climb_mps: z.number() })
      .nullable(),
    home: z.strictObject({ lat, lon, alt_msl_m: altMslM }).nullable(),
    energy_pct: between(0, 100).nullable().describe('last reported charge; null after 30 s without a report'),
    endurance_s: notNegative.nullable().describe('flight time left by energy and performance, s'),
    control: z.strictObject({ owner: z.enum(controlOwners) }),
    verbs: z.array(verbStateSchema),
    task_id: uuid.nullable(),
    health: z.array(z.strictObject({ severity: z.enum(['info', 'warning', 'critical']), text: z.string() })),
    last_seen_at: timestamp.nullable(),
    provenance: z.enum(provenances),
  })
  .meta({
    id: 'FleetRow',
    description: 'Friendly vehicle, received or adopted, with the verbs that are available now',
  });
export type FleetRow = z.infer<typeof fleetRowSchema>;
