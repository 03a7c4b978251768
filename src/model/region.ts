import { z } from 'zod';
import { areaSchema } from './geometry.ts';
import { postures } from './posture.ts';
import { altHaeM, between, lat, lon, name, namedObject, patchOf, stored, uuid } from './scalar.ts';
import { timeZone } from './time_zone.ts';

const groundAltHaeM = altHaeM
  .nullable()
  .describe('height of the ground above the WGS 84 ellipsoid, m; null if unknown');
const posture = z.enum(postures).nullable().describe('null for the posture of the workspace');
const view = z
  .strictObject({
    lat,
    lon,
    zoom: between(0, 24),
    bearing_deg: z.number().min(0).lt(360).default(0),
    pitch_deg: between(0, 85).default(0),
  })
  .nullable()
  .describe('first view of a map; null for the whole region');

const common = {
  name,
  geometry: areaSchema,
  ground_alt_hae_m: groundAltHaeM.default(null),
  tz: timeZone.default('UTC'),
  posture: posture.default(null),
  default_view: view.default(null),
};

/** Region as a request contains it. */
export const regionSpecSchema = namedObject('RegionSpec', common);
export type RegionSpec = z.infer<typeof regionSpecSchema>;

export const regionPatchSchema = z
  .strictObject(patchOf(common))
  .meta({ id: 'RegionPatch', description: 'Absent fields stay unchanged' });
export type RegionPatch = z.infer<typeof regionPatchSchema>;

export const regionSchema = z
  .strictObject({ id: uuid, ...common, ...stored })
  .meta({ id: 'Region', description: 'Area with its own ground height, time zone and posture' });
export type Region = z.infer<typeof regionSchema>;
