import { stringify } from 'yaml';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import type { Doctrine } from '../../model/doctrine.ts';
import { defaultDoctrine } from '../../registry/doctrine/defaults.ts';
import { contentHash } from '../../registry/doctrine/hash.ts';

/** What holds where nothing was imported, with one of its settings. */
export const sampleDoctrine: Doctrine = {
  version: 0,
  ...defaultDoctrine,
  settings: [
    {
      key: 'decision.tracking.coast_s',
      value: 4,
      default: defaultPolicy.tracking.coast_s,
      unit: 's',
      min: 0.1,
      max: 3_600,
      description: 'silent for so long its place is a prediction',
      trace: [
        { layer: 'default', value: defaultPolicy.tracking.coast_s, by: null, at: null },
        { layer: 'workspace', value: 4, by: 'user:anna', at: '2025-06-01T12:00:00.000Z' },
      ],
    },
  ],
  firing: { zone_entry: { count: 0, suppressed: 0, last_at: null, last_track_id: null } },
};

export const sampleDoctrineText = stringify(
  { hash: contentHash(sampleDoctrine), ...sampleDoctrine },
  { aliasDuplicateObjects: false },
);
