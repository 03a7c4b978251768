import { z } from 'zod';
import {
  altAglM,
  altHaeM,
  between,
  count,
  courseDeg,
  lat,
  lon,
  name,
  namedObject,
  positiveUpTo,
  sigmaM,
  stored,
  timestamp,
  uuid,
} from './scalar.ts';

/**
 * Properties of each modality:
 *
 * - `ranges`: measures distance
 * - `cooperative`: the aircraft itself or another system reports, so the report is a claim
 * - `scans`: searches a volume around its own position, so its height above the ellipsoid must be known
 * - `fused`: reports tracks of another system; their sources are unknown, so they do not confirm reports of other
 *   sensors
 */
export const modalityTraits = {
  remote_id: { ranges: false, cooperative: true, scans: false, fused: false },
  radar: { ranges: true, cooperative: false, scans: true, fused: false },
  rf: { ranges: false, cooperative: false, scans: false, fused: false },
  camera: { ranges: false, cooperative: false, scans: true, fused: false },
  acoustic: { ranges: false, cooperative: false, scans: false, fused: false },
  lidar: { ranges: true, cooperative: false, scans: true, fused: false },
  adsb: { ranges: false, cooperative: true, scans: false, fused: false },
  telemetry: { ranges: false, cooperative: true, scans: false, fused: false },
  human: { ranges: false, cooperative: false, scans: false, fused: false },
  external: { ranges: false, cooperative: true, scans: false, fused: true },
  simulated: { ranges: false, cooperative: false, scans: false, fused: false },
} as const;
export type Modality = keyof typeof modalityTraits;
export const modalities = Object.keys(modalityTraits) as [Modality, ...Modality[]];

export const sensorStates = ['operational', 'degraded', 'silent', 'fault', 'off', 'unknown'] as const;
export type SensorState = (typeof sensorStates)[number];

/** Position and field of view of a sensor. Angles in degrees, distances in metres. */
export const placementSchema = namedObject('Placement', {
  lat,
  lon,
  alt_hae_m: altHaeM.optional(),
  alt_agl_m: altAglM.optional(),
  azimuth_deg: courseDeg.optional(),
  elevation_deg: between(-90, 90).optional(),
  hfov_deg: positiveUpTo(360).optional(),
  vfov_deg: positiveUpTo(180).optional(),
  min_range_m: between(0, 1_000_000).optional(),
  max_range_m: positiveUpTo(1_000_000).optional(),
  mount: z.enum(['fixed', 'mobile', 'carried']).optional(),
  carried_by: uuid.optional(),
  surveyed_at: timestamp.optional(),
  sigma_m: positiveUpTo(100_000).optional(),
});
export type Placement = z.infer<typeof placementSchema>;

const sigma = z
  .strictObject({
    h_m: sigmaM,
    v_m: sigmaM,
    range_m: sigmaM,
    azimuth_deg: positiveUpTo(180),
    elevation_deg: positiveUpTo(90),
    speed_mps: positiveUpTo(1_000),
  })
  .partial();

/** Detection model of a sensor. The tracker uses defaults for absent fields. */
export const detectionModelSchema = z
  .strictObject({
    pd: z.number().gt(0).lt(1).optional().describe('probability of detection within its coverage'),
    false_per_scan: between(0, 500).optional().describe('false plots per scan'),
    period_s: between(0.01, 3_600).optional().describe('seconds between scans'),
    rotating: z.boolean().optional().describe('true if the plots of a scan are measured one after another'),
    sigma: sigma.optional().describe('default standard deviations of observations'),
    min_elevation_deg: between(-90, 90).optional(),
    max_elevation_deg: between(-90, 90).optional(),
  })
  .refine(({ min_elevation_deg: min = -90, max_elevation_deg: max = 90 }) => min < max, {
    message: 'must have a min_elevation_deg below its max_elevation_deg',
  })
  .meta({ id: 'DetectionModel' });
export type DetectionModel = z.infer<typeof detectionModelSchema>;

/**
 * Default of `heartbeat_s`, s: a sensor counts as silent after this time without a sign of life. Sensors of a link have
 * the link's `silence_s` as their default.
 */
export const DEFAULT_HEARTBEAT_S = 60;

/** Declaration of a sensor by a person or the configuration. */
export const sensorSpecSchema = z.strictObject({
  name,
  modality: z.enum(modalities),
  placement: placementSchema.nullish(),
  heartbeat_s: between(1, 86_400)
    .default(DEFAULT_HEARTBEAT_S)
    .describe('seconds without a sign of life after which the sensor is silent'),
  quiet_ok: z
    .boolean()
    .optional()
    .describe(
      'true for a sensor that sends nothing under an empty sky: an open device or TCP connection is a sign of life',
    ),
  detection: detectionModelSchema.nullish(),
});
export type SensorSpec = z.infer<typeof sensorSpecSchema>;

/**
 * Trust in a sensor. `declared`: declared by a person, a file, an asset or a link. `proven`: receiver on a trusted link,
 * with signed messages, set up by an operator, known from an earlier run, or received from one host for 30 s.
 * `unproven`: any other receiver; another unproven receiver may take its place in a full sensor table.
 */
export const sensorTrusts = ['declared', 'proven', 'unproven'] as const;

export const sensorSchema = z
  .strictObject({
    id: uuid,
    asset_id: uuid.nullable(),
    name: z.string(),
    modality: z.enum(modalities),
    state: z.enum(sensorStates),
    reasons: z.array(z.string()),
    heartbeat_s: z.number().describe('deadline: seconds without a sign of life after which the sensor is silent'),
    quiet_ok: z.boolean(),
    trust: z.enum(sensorTrusts).describe('unproven receivers of an open link can displace each other'),
    placement: placementSchema.nullable(),
    detection: detectionModelSchema.nullable(),
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
    dependent_nodes: z
      .array(z.string())
      .describe('ids of the nodes on which the reports of a fusion node depend, as it states'),
    declared_by: z.enum(['asset', 'payload', 'link', 'manual']),
    ...stored,
  })
  .meta({
    id: 'Sensor',
    description: 'Sensor with its state. A silent sensor and a clear sky are different states.',
  });
export type Sensor = z.infer<typeof sensorSchema>;
