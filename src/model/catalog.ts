import { z } from 'zod';
import { freeFormRule, isBounded } from './free_form.ts';
import { fitSchema, payloadKinds } from './payload.ts';
import { performanceSchema } from './performance.ts';
import {
  between,
  count,
  name,
  namedObject,
  notNegative,
  positiveUpTo,
  seenVersion,
  stored,
  timestamp,
  uuid,
} from './scalar.ts';
import { modalities } from './sensor.ts';
import { paramKinds, verbNames } from './verb.ts';

export const assetKinds = ['platform', 'sensor', 'station', 'dock', 'relay', 'team', 'emitter', 'other'] as const;
export type AssetKind = (typeof assetKinds)[number];
export const assetDomains = ['air', 'land', 'sea_surface', 'subsurface'] as const;
export type AssetDomain = (typeof assetDomains)[number];

export const airframes = [
  'multirotor',
  'fixed_wing',
  'vtol',
  'helicopter',
  'airship',
  'balloon',
  'rover',
  'boat',
  'submersible',
  'fixed_site',
  'other',
] as const;

/** Aircraft types of Remote ID's Basic ID (ASTM F3411-22a), in the order of their codes. */
export const uaTypes = [
  'none',
  'aeroplane',
  'helicopter_or_multirotor',
  'gyroplane',
  'hybrid_lift',
  'ornithopter',
  'glider',
  'kite',
  'free_balloon',
  'captive_balloon',
  'airship',
  'parachute',
  'rocket',
  'tethered_powered',
  'ground_obstacle',
  'other',
] as const;

const domain = z.enum(assetDomains);

/** A type of platform or sensor, as its maker describes it. */
export const catalogSpecSchema = z
  .strictObject({
    maker: name,
    model: name,
    aliases: z.array(name).max(32),
    domain,
    airframe: z.enum(airframes),
    ua_type: z.enum(uaTypes).optional().describe('aircraft type as in Remote ID'),
    ua_class: z.enum(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6']).nullable(),
    performance: performanceSchema,
    payloads: fitSchema,
    placement_defaults: z.strictObject({
      elevation_deg: between(-90, 90).optional(),
      hfov_deg: positiveUpTo(360).optional(),
      vfov_deg: positiveUpTo(180).optional(),
      min_range_m: between(0, 1_000_000).optional(),
      max_range_m: positiveUpTo(1_000_000).optional(),
    }),
    remote_id: z.strictObject({ serial_prefixes: z.array(z.string().regex(/^[0-9A-HJ-NP-Z]{4,20}$/)).max(32) }),
    control: z.strictObject({
      protocol: z.enum(['mavlink', 'none']),
      autopilot: z.enum(['ardupilot', 'px4', 'other']).nullable().optional(),
    }),
    verbs: z.array(z.enum(verbNames)).max(32),
    symbology: z.strictObject({ sidc: z.string().max(40).optional(), cot_type: z.string().max(60).optional() }),
  })
  .partial()
  .refine(isBounded, freeFormRule)
  .meta({ id: 'CatalogSpec' });
export type CatalogSpec = z.infer<typeof catalogSpecSchema>;

/** Capabilities that follow from a spec: the verbs of a platform and its sensing ranges. */
export const capabilitySchema = namedObject('CapabilityProfile', {
  verbs: z.array(
    z.strictObject({
      verb: z.enum(verbNames),
      params: z.array(z.enum(paramKinds)),
      limits: z.record(z.string(), z.number()),
    }),
  ),
  concurrent_tasks: count,
  telemetry_hz: notNegative.nullable(),
  carries: z.array(z.enum(payloadKinds)),
  detects: z.array(z.strictObject({ modality: z.enum(modalities), range_m: z.number().nullable() })),
  evaluated_at: timestamp,
});
export type CapabilityProfile = z.infer<typeof capabilitySchema>;

/** Model of a platform or sensor: its name, kind and specification. */
export type CatalogModel = { name: string; kind: AssetKind; spec: CatalogSpec };

export const builtinSchema = namedObject('BuiltinPlatform', {
  name: z.string(),
  kind: z.enum(assetKinds),
  spec: catalogSpecSchema,
  capability: capabilitySchema,
});

export const catalogEntrySchema = namedObject('CatalogEntry', {
  id: uuid,
  kind: z.enum(assetKinds),
  name: z.string(),
  spec: catalogSpecSchema,
  builtin: z.boolean().describe('true for a copy of a built-in platform'),
  ...stored,
});
export type CatalogEntry = z.infer<typeof catalogEntrySchema>;

export const catalogCreateSchema = namedObject('CatalogEntryCreate', {
  kind: z.enum(assetKinds),
  name,
  spec: catalogSpecSchema,
});
export type CatalogCreate = z.infer<typeof catalogCreateSchema>;

export const catalogUpdateSchema = z
  .strictObject({
    spec: catalogSpecSchema,
    kind: z.enum(assetKinds).nullish(),
    name: name.nullish(),
    version: seenVersion,
  })
  .meta({ id: 'CatalogEntryUpdate', description: 'Absent and null fields stay unchanged' });
export type CatalogUpdate = z.infer<typeof catalogUpdateSchema>;
