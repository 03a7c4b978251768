import { stringify } from 'yaml';
import type { DecisionConfig } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import type { Doctrine, DoctrineVersion } from '../../model/doctrine.ts';
import type { Hold } from '../../model/hold.ts';
import type { DiscoveryView } from '../../model/link.ts';
import type { Region } from '../../model/region.ts';
import type { Retention } from '../../model/retention.ts';
import type { Zone } from '../../model/zone.ts';
import { defaultDoctrine } from '../../registry/doctrine/defaults.ts';
import { doctrineHash } from '../../registry/doctrine/hash.ts';

/** Samples of settings that operators change, in addition to those of samples.ts. */
const at = '2025-06-01T12:00:00.000Z';
const row = { version: 1, created_at: '2025-06-01T06:30:00.000Z', updated_at: at };

export const sampleZoneSpec = {
  name: 'apron',
  kind: 'protected',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [16.36, 48.2],
        [16.38, 48.2],
        [16.38, 48.21],
        [16.36, 48.21],
        [16.36, 48.2],
      ],
    ],
  },
  ceiling_m: 120,
  schedule: { from: '22:00', to: '06:00', days: ['fri', 'sat'], tz: 'Europe/Vienna' },
} as const;

export const sampleZone: Zone = {
  id: '5e0f6a52-0d3c-8a11-9c55-0000000000c1',
  name: 'apron',
  kind: 'protected',
  geometry: { type: 'Point', coordinates: [16.37, 48.205], radius_m: 800 },
  floor_m: null,
  ceiling_m: 120,
  datum: 'agl',
  priority: 5,
  applies_to: { affiliations: [], cooperative: [] },
  alarm: { on: ['enter'], level: 'warning', dwell_s: 30, eta_s: 60, hysteresis_m: 20 },
  schedule: null,
  enabled: true,
  ...row,
};

export const sampleRegionSpec = {
  name: 'airport',
  geometry: { type: 'Point', coordinates: [16.37, 48.205], radius_m: 8_000 },
  ground_alt_hae_m: 226,
  tz: 'Europe/Vienna',
} as const;

export const sampleRegion: Region = {
  id: '5e0f6a52-0d3c-8a11-9c55-0000000000c2',
  name: 'airport',
  geometry: { type: 'Point', coordinates: [16.37, 48.205], radius_m: 8_000 },
  ground_alt_hae_m: 226,
  tz: 'Europe/Vienna',
  posture: null,
  default_view: { lat: 48.205, lon: 16.37, zoom: 13, bearing_deg: 0, pitch_deg: 0 },
  ...row,
};

export const sampleDecisionConfig: DecisionConfig = {
  version: 3,
  updated_at: at,
  updated_by: 'user:anna',
  ...defaultPolicy,
};

export const sampleDiscovery: DiscoveryView = {
  enabled: true,
  links: [
    {
      link_id: '5e0f6a52-0d3c-8a11-9c55-0000000000a1',
      name: 'rid',
      discover: 'list',
      command: 'deny',
      effective: { discover: 'list', command: 'deny', reason: "the link's own policy lets no command out" },
    },
  ],
};

export const sampleHold: Hold = {
  id: '5e0f6a52-0d3c-4a11-9c55-0000000000c1',
  track_id: null,
  since: '2025-06-01T10:00:00.000Z',
  until: '2025-06-01T12:00:00.000Z',
  reason: 'case 17/25',
  created_at: '2025-06-01T12:30:00.000Z',
  created_by: 'user:anna',
};

export const sampleRetention: Retention = {
  days: 60,
  bytes: 40_000_000_000,
  used_bytes: 1_203_405_000,
  held_bytes: 0,
  clock: { trust: 'rtc', prunes: true, reason: null, ran_s: 864_000 },
  note: null,
  updated_at: '2025-06-01T12:30:00.000Z',
  updated_by: 'user:anna',
};

/** Sample of the built-in doctrine, before any import, with one of the settings. */
export const sampleDoctrine: Doctrine = {
  version: 0,
  hash: doctrineHash(defaultDoctrine),
  ...defaultDoctrine,
  settings: [
    {
      key: 'decision.tracking.coast_s',
      value: 4,
      default: defaultPolicy.tracking.coast_s,
      unit: 's',
      min: 0.1,
      max: 3_600,
      description: 'time without an observation after which the position is a prediction, s',
      trace: [
        { layer: 'default', value: defaultPolicy.tracking.coast_s, by: null, at: null },
        { layer: 'workspace', value: 4, by: 'user:anna', at: '2025-06-01T12:00:00.000Z' },
      ],
    },
  ],
  firing: { zone_entry: { count: 0, suppressed: 0, last_at: null, last_track_id: null } },
};

export const sampleDoctrineText = (): string => stringify({ ...sampleDoctrine }, { aliasDuplicateObjects: false });

export const sampleDoctrineVersion: DoctrineVersion = {
  ...{ version: 3, hash: doctrineHash(defaultDoctrine) },
  ...{ saved_at: '2025-06-01T12:00:00.000Z', saved_by: 'anna' },
};
