import { defaultPolicy } from '../../model/decision_defaults.ts';
import type { Recording } from '../../model/recording.ts';
import type { WhatIf } from '../../model/what_if.ts';

export const sampleRecording: Recording = {
  id: '5e0f6a52-0d3c-4a11-9c55-0000000000d1',
  name: 'night watch',
  state: 'stopped',
  reason: null,
  started_at: '2025-06-01T22:00:00.000Z',
  started_by: 'user:anna',
  ended_at: '2025-06-01T22:10:00.000Z',
  from_at: '2025-06-01T22:00:00.000Z',
  to_at: '2025-06-01T22:10:00.000Z',
  bytes: 18_204_311,
  segments: 10,
  gaps: 0,
  dropped_records: 0,
  dropped_bytes: 0,
  max_s: 86_400,
  max_bytes: 1_073_741_824,
  links: [{ id: '5e0f6a52-0d3c-4a11-9c55-0000000000b2', name: 'rid', protocol: 'mavlink' }],
};

export const sampleWhatIf: WhatIf = {
  recording_id: sampleRecording.id,
  policy: {
    recorded: { version: 4, ...defaultPolicy },
    asked: { ...defaultPolicy, posture: 'high' },
  },
  threats: [
    {
      track_id: '5e0f6a52-0d3c-8a11-9c55-0000000000f1',
      number: 'T-0042',
      was: { level: 'medium', score: 52, at: '2025-06-01T22:04:11.000Z' },
      is: { level: 'high', score: 64, at: '2025-06-01T22:03:58.000Z' },
    },
  ],
  alerts: { only_recorded: [], only_asked: [], both: 2 },
};
