import { z } from 'zod';
import { assetKey, assetPlacementSchema, assetSpecSchema } from './asset.ts';
import { assetDomains, assetKinds } from './catalog.ts';
import { fitSchema } from './payload.ts';
import { performanceSchema } from './performance.ts';
import { count, name, namedObject, seenVersion } from './scalar.ts';
import { affiliations, provenances } from './track.ts';

export const assetCreateSchema = namedObject('AssetCreate', {
  name,
  spec: assetSpecSchema,
  kind: z.enum(assetKinds).nullish(),
});
export type AssetCreate = z.infer<typeof assetCreateSchema>;

export const assetFromCatalogSchema = namedObject('AssetFromCatalog', {
  name: name.describe('callsign'),
  catalog: name.describe('name of a catalog entry or a built-in platform'),
  domain: z.enum(assetDomains).nullish(),
  provenance: z.enum(provenances).nullish(),
  remote_id_serial: assetKey.nullish(),
});
export type AssetFromCatalog = z.infer<typeof assetFromCatalogSchema>;

/**
 * Change of an asset. The schema accepts any value of `spec`. A value that is not an object is refused later, with the
 * code `conflict`; the schema would refuse it with `invalid_input`.
 */
export const assetUpdateSchema = z
  .strictObject({
    spec: z
      .unknown()
      .refine((spec) => spec !== undefined, 'is missing: it must be an object')
      .meta({
        type: 'object',
        additionalProperties: true,
        description: 'replaces the whole spec except `payloads`; a value other than an object is 409',
      }),
    kind: z.enum(assetKinds).nullish(),
    model: name.nullish().describe('takes precedence over `spec.model`'),
    name: name.nullish(),
    performance: performanceSchema.nullish().describe('an empty object clears it'),
    placement: assetPlacementSchema.nullish().describe('an empty object clears it'),
    version: seenVersion,
  })
  .meta({ id: 'AssetUpdate', description: 'Absent and null fields stay unchanged' });
export type AssetUpdate = z.infer<typeof assetUpdateSchema>;

export const assetBindSchema = namedObject('AssetBind', { key: assetKey, version: seenVersion });
export type AssetBind = z.infer<typeof assetBindSchema>;

export const assetFitSchema = namedObject('AssetFit', {
  payloads: fitSchema.nullable().describe('all payloads; null inherits those of the model'),
  version: seenVersion,
});
export type AssetFit = z.infer<typeof assetFitSchema>;

/** Row of an import or export of assets. */
export const assetImportRowSchema = namedObject('AssetImportRow', {
  name,
  serial: assetKey.nullish(),
  model: name.nullish(),
  kind: z.enum(assetKinds).nullish(),
  affiliation: z.enum(affiliations).nullish(),
});
export type AssetImportRow = z.infer<typeof assetImportRowSchema>;

export const assetImportAnswerSchema = namedObject('AssetImportAnswer', {
  dry_run: z.boolean().describe('true if the import only reported its outcome and changed nothing'),
  created: count,
  updated: count,
  skipped: count.describe('rows without a change'),
  rejected: z.array(
    z.strictObject({
      row: z.int().min(1).describe('number of the rejected row, from 1 without the header'),
      error: z.string(),
    }),
  ),
});
export type AssetImportAnswer = z.infer<typeof assetImportAnswerSchema>;
