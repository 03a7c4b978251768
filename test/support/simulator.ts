import { sampleWhatIf } from '../../src/http/openapi/recording_samples.ts';
import type { Simulator } from '../../src/http/simulator.ts';
import { Fault } from '../../src/model/fault.ts';
import { idleSim, type SimState } from '../../src/model/picture.ts';

/** A simulator that plays nothing: it answers as one does, and knows no scenario and no recording. */
export function emptySimulator(): Simulator {
  const state: SimState = idleSim;
  const nothing = async (): Promise<SimState> => {
    throw new Fault('conflict', 'nothing is running: the simulator is idle');
  };
  return {
    state: () => state,
    start: async ({ scenario_id }) => {
      throw new Fault('not_found', `there is no scenario with the id ${scenario_id} in this workspace`);
    },
    ...{
      pause: nothing,
      resume: nothing,
      step: nothing,
      stop: nothing,
      setRate: nothing,
      seek: nothing,
      inject: nothing,
    },
    whatIf: async () => sampleWhatIf,
    show: async ({ mode }) => {
      if (mode === 'live') return state;
      throw new Fault('not_found', 'there is no such recording');
    },
  };
}
