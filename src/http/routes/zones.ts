import { regionPatchSchema, regionSchema, regionSpecSchema } from '../../model/region.ts';
import { zonePatchSchema, zoneSchema, zoneSpecSchema } from '../../model/zone.ts';
import { sampleRegion, sampleRegionSpec, sampleZone, sampleZoneSpec } from '../openapi/settings_samples.ts';
import { crudRoutes } from './crud.ts';

export const zoneRoutes = [
  ...crudRoutes({
    path: '/zones',
    tag: 'zones',
    names: ['zone', 'zones'],
    says: {
      made:
        '`geometry` is a GeoJSON Polygon or MultiPolygon with holes, a Point with `radius_m`, or a LineString with ' +
        '`width_m`, which are fields beside `coordinates`. Edges are shortest paths over the earth. `floor_m` and ' +
        '`ceiling_m` are above `datum`: `agl` the ground, `msl` sea level, `hae` the ellipsoid. An invalid area is ' +
        'refused with 400, which names the ring and position.',
      changed:
        '`geometry`, `applies_to`, `alarm` and `schedule` are replaced as a whole; absent fields stay unchanged.',
    },
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
    says: {
      made:
        '`geometry` is a Polygon or MultiPolygon with holes, or a Point with `radius_m`, but not a LineString. ' +
        '`ground_alt_hae_m` is the height of the ground above the ellipsoid. Tracks over the region get `alt_agl_m` ' +
        'from it if no source reports this height. If regions overlap, the smallest applies. `posture` takes ' +
        'precedence over that of the workspace.',
      changed:
        '`geometry` and `default_view` are replaced as a whole; absent fields stay unchanged. Each track gets the new ' +
        'values with its next update.',
    },
    row: regionSchema,
    spec: regionSpecSchema,
    patch: regionPatchSchema,
    examples: { row: sampleRegion, spec: sampleRegionSpec, patch: { ground_alt_hae_m: 487 } },
    role: 'operator',
    part: ({ regions }) => regions,
  }),
];
