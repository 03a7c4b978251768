import type { DecisionConfig } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import type { DiscoveryView } from '../../model/link.ts';
import type { Region } from '../../model/region.ts';
import type { Zone } from '../../model/zone.ts';

/** Examples of what operators set, beside those of samples.ts. */
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
