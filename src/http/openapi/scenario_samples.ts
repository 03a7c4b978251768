import { type Scenario, scenarioSpecSchema } from '../../model/scenario.ts';
import type { SimMode, SimStart } from '../../model/simulator.ts';

/** Sample of a small scenario that passes validation and runs. */
export const sampleScenarioSpec = {
  name: 'Night visitor',
  duration_s: 120,
  origin: { lat: 52, lon: 4 },
  actors: [
    {
      id: 'visitor',
      kind: 'drone',
      truth_affiliation: 'hostile',
      start: { east_m: 900, north_m: 400 },
      route: [{ east_m: 0, north_m: 0, height_m: 60, speed_mps: 12 }],
      behaviour: { kind: 'loiter', radius_m: 50 },
    },
  ],
  sensors: [{ id: 'mast', modality: 'radar', placement: { east_m: 0, north_m: 0, height_m: 10, max_range_m: 3_000 } }],
  expect: [{ kind: 'metric', metric: 'first_detect_s', at_most: 20 }],
} as const;

export const sampleScenario = (): Scenario => ({
  id: '5e0f6a52-0d3c-8a11-9c55-0000000000d1',
  ...scenarioSpecSchema.parse(sampleScenarioSpec),
  builtin: false,
  version: 1,
  created_at: '2025-06-01T06:30:00.000Z',
  updated_at: '2025-06-01T12:00:00.000Z',
});

export const sampleScenarioText = `name: Night visitor
duration_s: 120
origin: {lat: 52, lon: 4}
actors:
  - id: visitor
    kind: drone
    start: {east_m: 900, north_m: 400}
sensors: []
`;

export const sampleStart: SimStart = { scenario_id: '5e0f6a52-0d3c-4a11-9c55-000000000061', seed: 7, rate: 4 };

export const sampleMode: SimMode = { mode: 'live' };

export const sampleInject = {
  actor: {
    id: 'second',
    kind: 'drone',
    start: { east_m: -1200, north_m: 300, height_m: 60 },
    behaviour: { kind: 'approach', target: { east_m: 0, north_m: 0 }, speed_mps: 14 },
  },
};
