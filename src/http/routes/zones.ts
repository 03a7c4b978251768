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
        'A GeoJSON Polygon or MultiPolygon with holes, a Point with `radius_m`, or a LineString with `width_m`; these numbers ' +
        'stand in the geometry, beside `coordinates`. Edges are the shortest ways over the earth. `floor_m` and `ceiling_m` are ' +
        'over `datum` (`agl` the ground, `msl` the sea, `hae` the ellipsoid). What is no area is 400 and names the ring and position.',
      changed: '`geometry`, `applies_to`, `alarm` and `schedule` are replaced whole; absent fields stay unchanged.',
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
        'A Polygon or MultiPolygon with holes, or a Point with `radius_m`; not a LineString. `ground_alt_hae_m` is the height of ' +
        'the ground above the ellipsoid: from it tracks over the region get `alt_agl_m` where no source reports it. Where regions lie ' +
        'in each other the smallest counts. `posture` stands above that of the workspace.',
      changed:
        '`geometry` and `default_view` are replaced whole; absent fields stay unchanged. Tracks follow as they move.',
    },
    row: regionSchema,
    spec: regionSpecSchema,
    patch: regionPatchSchema,
    examples: { row: sampleRegion, spec: sampleRegionSpec, patch: { ground_alt_hae_m: 487 } },
    role: 'operator',
    part: ({ regions }) => regions,
  }),
];
