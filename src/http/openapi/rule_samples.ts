import type { Rule } from '../../model/rule.ts';

/** Samples of rules, in addition to those of samples.ts. */
const when: Rule['when'] = {
  all: [
    { field: 'track.zone', op: 'inside', value: 'protected' },
    { field: 'track.affiliation', op: 'in', value: ['unknown', 'hostile'] },
    { field: 'track.height_m', op: 'lt', value: 60 },
  ],
};

export const sampleRuleSpec = {
  name: 'low and unknown over the apron',
  when,
  for_s: 3,
  severity: 'critical',
  message: '{track.label} is {track.height_m} m over {zone.name} at {track.speed_mps} m/s.',
};

export const sampleRule: Rule = {
  id: '5e0f6a52-0d3c-8a11-9c55-0000000000d1',
  name: sampleRuleSpec.name,
  enabled: true,
  when,
  for_s: 3,
  cooldown_s: 60,
  // biome-ignore lint/suspicious/noThenProperty: the interface calls it so, and a list is no function
  then: [{ do: 'alert' }, { do: 'log' }, { do: 'notify' }],
  severity: 'critical',
  message: sampleRuleSpec.message,
  parameters: {},
  builtin: false,
  counts: { fired: 2, suppressed: 1, last_at: '2025-06-01T12:00:00.000Z' },
  version: 1,
  created_at: '2025-06-01T06:30:00.000Z',
  updated_at: '2025-06-01T06:30:00.000Z',
};
