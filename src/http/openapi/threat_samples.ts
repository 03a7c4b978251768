import type { Threat } from '../../model/threat.ts';

/** Sample of a threat: a multirotor on its way to a fence. */
export const sampleThreat: Threat = {
  track_id: '5e0f6a52-0d3c-8a11-9c55-00000000002a',
  score: 47.5,
  level: 'medium',
  trend: 'rising',
  factors: [
    {
      id: 'approach',
      value: 31.2,
      unit: 's',
      weight: 25,
      contribution: 20,
      text: 'As it flies it is in apron in 31 s (± 2 s).',
    },
    {
      id: 'no_remote_id',
      value: 1,
      unit: null,
      weight: 10,
      contribution: 10,
      text: 'It sends no Remote ID, which is required here.',
    },
    { id: 'proximity', value: 412, unit: 'm', weight: 10, contribution: 9.5, text: 'It is 412 m from apron.' },
    {
      id: 'unidentified',
      value: 1,
      unit: null,
      weight: 8,
      contribution: 8,
      text: 'It reports no identity: look at it to find out what it is.',
    },
  ],
  nearest_zone: {
    id: '5e0f6a52-0d3c-8a11-9c55-0000000000c1',
    kind: 'protected',
    distance_m: 412,
    inside: false,
    depth_m: null,
    eta_s: 31.2,
    eta_sigma_s: 1.9,
  },
  nearest_protected: {
    ...{ asset_id: null, zone_id: '5e0f6a52-0d3c-8a11-9c55-0000000000c1' },
    ...{ distance_m: 412, inside: false },
  },
  cpa: { asset_id: null, zone_id: '5e0f6a52-0d3c-8a11-9c55-0000000000c1', distance_m: 0, in_s: 31.2 },
  group_id: null,
  peak_score: 47.5,
  first_at: '2025-06-01T12:00:00.000Z',
  acknowledged: null,
  dismissed: null,
  dismissal_ended: null,
  policy_version: 3,
};
