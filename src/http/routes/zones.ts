import { regionPatchSchema, regionSchema, regionSpecSchema } from '../../model/region.ts';
import { zonePatchSchema, zoneSchema, zoneSpecSchema } from '../../model/zone.ts';
import { sampleRegion, sampleRegionSpec, sampleZone, sampleZoneSpec } from '../openapi/settings_samples.ts';
import { crudRoutes } from './crud.ts';

export const zoneRoutes = [
  ...crudRoutes({
    path: '/zones',
    tag: 'zones',
    names: ['zone', 'zones'],
    row: zoneSchema,
    spec: zoneSpecSchema,
    patch: zonePatchSchema,
    examples: { row: sampleZone, spec: sampleZoneSpec, patch: { ceiling_m: 150 } },
    role: 'operator',
    part: ({ zones }) => zones,
  }),
  ...crudRoutes({
    path: '/regions',
    tag: 'zones',
    names: ['region', 'regions'],
    row: regionSchema,
    spec: regionSpecSchema,
    patch: regionPatchSchema,
    examples: { row: sampleRegion, spec: sampleRegionSpec, patch: { ground_alt_hae_m: 487 } },
    role: 'operator',
    part: ({ regions }) => regions,
  }),
];
