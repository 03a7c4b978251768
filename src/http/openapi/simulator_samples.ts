import type { SimMode, SimStart } from '../../model/simulator.ts';

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
