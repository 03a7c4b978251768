import { z } from 'zod';
import { assetDomains, assetKinds, capabilitySchema } from './catalog.ts';
import { freeFormRule, isBounded } from './free_form.ts';
import { fitSchema } from './payload.ts';
import { performanceSchema } from './performance.ts';
import { name, stored, uuid, wholeBetween, words } from './scalar.ts';
import { placementSchema } from './sensor.ts';
import { affiliations, provenances } from './track.ts';

/**
 * Asset kind of foreign transmitters. Assets of every other kind belong to the own force; they are friends unless an
 * assignment gives another affiliation.
 */
export const NON_FORCE = 'emitter';

/**
 * Key of a platform that is received by radio: its Remote ID serial, or another identity with which it was discovered.
 */
export const assetKey = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[\x20-\x7e]*$/, 'must have only printable ASCII characters, as transmitters send them');

/** Specification of an asset by its operators. Unknown keys are stored unchanged. */
export const assetSpecSchema = z
  .looseObject({
    model: name.nullish().describe('name of a catalog entry'),
    remote_id_serial: assetKey.nullish(),
    cot_uid: assetKey
      .nullish()
      .describe('uid of the asset in TAK (Cursor on Target); counts as a claim, on links that prove the sender'),
    domain: z.enum(assetDomains).nullish(),
    provenance: z.enum(provenances).nullish(),
    payloads: fitSchema.nullish().describe('changed only by `/assets/{id}/payloads`'),
    mavlink: z
      .strictObject({ sysid: wholeBetween(1, 255), compid: wholeBetween(0, 255).optional() })
      .nullish()
      .describe('MAVLink identity; telemetry counts only over a link that proves the sender'),
    notes: z.string().max(10_000).nullish(),
    tags: z.array(words(60)).max(64).nullish(),
  })
  .refine(isBounded, freeFormRule)
  .meta({ id: 'AssetSpec' });
export type AssetSpec = z.infer<typeof assetSpecSchema>;

/** Placement of an asset: either its own position (`lat`, `lon`), or the asset that carries it (`carried_by`). */
const shape = placementSchema.shape;
export const assetPlacementSchema = z
  .strictObject({ ...shape, lat: shape.lat.optional(), lon: shape.lon.optional() })
  .meta({ id: 'AssetPlacement', description: 'The place is that of the carrier with `carried_by`, else lat and lon' });
export type AssetPlacement = z.infer<typeof assetPlacementSchema>;

export const connections = ['online', 'stale', 'offline', 'never'] as const;
export type Connection = (typeof connections)[number];

const row = z.strictObject({
  id: uuid,
  workspace_id: z.string(),
  environment: z.enum(['live', 'sim']),
  name: z.string(),
  kind: z.enum(assetKinds),
  domain: z.enum(assetDomains).nullable(),
  provenance: z.enum(provenances),
  affiliation: z.enum(affiliations),
  paired: z.boolean().describe('true if a key binds the asset to a platform on a link'),
  connection: z.enum(connections).describe("state of the asset's telemetry over a link that proves the sender"),
  spec: assetSpecSchema,
  performance: performanceSchema.nullable(),
  placement: assetPlacementSchema.nullable(),
  payloads: fitSchema.nullable().describe('null inherits the payloads of the model; an empty list means no payload'),
  ...stored,
});

export const assetSchema = row.meta({
  id: 'Asset',
  description: 'Platform, sensor or station of the operator, or an emitter known by its key',
});
export type Asset = z.infer<typeof row>;

const from = z.enum(['own', 'model']).describe('source of the values: `own` if the row overrides any of them');

/** An asset with the values that it inherits from its model. */
export const resolvedAssetSchema = row
  .extend({
    resolved: z.strictObject({
      performance: z.strictObject({ from, value: performanceSchema }),
      payloads: z.strictObject({ from, value: fitSchema }),
      capability: z.strictObject({ from, value: capabilitySchema }),
    }),
  })
  .meta({ id: 'ResolvedAsset' });
export type ResolvedAsset = z.infer<typeof resolvedAssetSchema>;
