import { z } from 'zod';
import { altAglM, altHaeM, count, courseDeg, lat, lon, name, timestamp, uuid } from './scalar.ts';

export const modalities = [
  'remote_id',
  'radar',
  'rf',
  'camera',
  'acoustic',
  'lidar',
  'adsb',
  'telemetry',
  'human',
  'simulated',
] as const;
export type Modality = (typeof modalities)[number];

export const sensorStates = ['operational', 'degraded', 'silent', 'fault', 'off', 'unknown'] as const;
export type SensorState = (typeof sensorStates)[number];

/** Where a sensor stands and what it can see. Angles in degrees, distances in metres. */
export const placementSchema = z
  .strictObject({
    lat,
    lon,
    alt_hae_m: altHaeM.optional(),
    alt_agl_m: altAglM.optional(),
    azimuth_deg: courseDeg.optional(),
    elevation_deg: z.number().min(-90).max(90).optional(),
    hfov_deg: z.number().positive().max(360).optional(),
    vfov_deg: z.number().positive().max(180).optional(),
    min_range_m: z.number().min(0).max(1_000_000).optional(),
    max_range_m: z.number().positive().max(1_000_000).optional(),
    mount: z.enum(['fixed', 'mobile', 'carried']).optional(),
    carried_by: uuid.optional(),
    surveyed_at: timestamp.optional(),
    sigma_m: z.number().positive().max(100_000).optional(),
  })
  .meta({ id: 'Placement' });
export type Placement = z.infer<typeof placementSchema>;

/** What a person or the configuration declares of a sensor. */
export const sensorSpecSchema = z.strictObject({
  name,
  modality: z.enum(modalities),
  placement: placementSchema.nullish(),
  heartbeat_s: z.number().min(1).max(86_400).default(60).describe('silent after so long without a sign of life'),
});
export type SensorSpec = z.infer<typeof sensorSpecSchema>;

export const sensorSchema = z
  .strictObject({
    id: uuid,
    asset_id: uuid.nullable(),
    name: z.string(),
    modality: z.enum(modalities),
    state: z.enum(sensorStates),
    reasons: z.array(z.string()),
    placement: placementSchema.nullable(),
    coverage: z
      .strictObject({ min_range_m: z.number(), max_range_m: z.number(), azimuth_deg: z.number(), hfov_deg: z.number() })
      .nullable(),
    rates: z.strictObject({ obs_per_s: z.number() }),
    rejects: z.record(z.string(), count),
    latency_ms: z.strictObject({ p50: z.number(), p95: z.number() }).nullable(),
    clock_offset_ms: z.number().nullable(),
    bias: z.strictObject({ range_m: z.number(), azimuth_deg: z.number() }),
    last_obs_at: timestamp.nullable(),
    link_id: uuid.nullable(),
    declared_by: z.enum(['asset', 'payload', 'link', 'manual']),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({
    id: 'Sensor',
    description: 'Something that observes. A silent sensor and a clear sky are different states.',
  });
export type Sensor = z.infer<typeof sensorSchema>;
