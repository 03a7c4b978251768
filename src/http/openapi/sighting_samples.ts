import type { Sighting, Trails } from '../../model/sighting.ts';
import { sampleTrack } from './samples.ts';

const { id, number, state, provenance, affiliation, affiliation_basis, cooperative, identities } = sampleTrack;
const { classification, operator, takeoff, first_seen_at, last_seen_at } = sampleTrack;
const zone_id = '6f1d2c3b-0000-4000-8000-000000000021';

export const sampleSighting: Sighting = {
  ...{ track_id: id, number, state, provenance, affiliation, affiliation_basis, cooperative },
  integrity_verdict: 'consistent',
  ...{ identities, classification, operator, takeoff, first_seen_at, last_seen_at },
  highest_level: 'high',
  nearest: { kind: 'zone', id: zone_id, name: 'North fence', distance_m: 0, inside: true, at: last_seen_at },
  zones: [
    {
      ...{ zone_id, name: 'North fence', kind: 'protected' },
      ...{ entered_at: first_seen_at, left_at: last_seen_at, entries: 1 },
    },
  ],
  evidence: `/evidence/${id}`,
};

export const sampleTrails: Trails = {
  ...{ since: first_seen_at, until: last_seen_at, step_s: 5, thinned: false, cut: null },
  tracks: [
    {
      track_id: id,
      number,
      points: [
        {
          ...{ at: first_seen_at, state: 'confirmed', lat: 48.2103, lon: 16.3721 },
          ...{ alt_hae_m: 265.4, alt_msl_m: 221.1, alt_agl_m: 51.6 },
        },
      ],
    },
  ],
};
