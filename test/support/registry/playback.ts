import { sampleWhatIf } from '../../../src/http/openapi/recording_samples.ts';
import type { ServedWorkspace } from '../../../src/http/served.ts';
import { Fault } from '../../../src/model/fault.ts';
import { idleSim, type SimState } from '../../../src/model/picture.ts';

/** A playback service in memory that does at once whatever it is told: what flies there, and what may be asked when, is not its affair. */
export function obligingPlayback(knows: (scenarioId: string) => boolean): ServedWorkspace['playback'] {
  let now: SimState = idleSim;
  const become = async (change: Partial<SimState>): Promise<SimState> => {
    now = { ...now, ...change };
    return now;
  };
  return {
    state: () => now,
    start: async ({ scenario_id, rate = 1 }) => {
      if (!knows(scenario_id)) {
        throw new Fault('not_found', `there is no scenario with the id ${scenario_id} in this workspace`);
      }
      return become({ mode: 'sim', run: 'running', scenario_id, rate });
    },
    whatIf: async () => sampleWhatIf,
    pause: () => become({ run: 'paused' }),
    resume: () => become({ run: 'running' }),
    step: () => become({ run: 'paused' }),
    stop: () => become({ run: 'completed', rate: null }),
    setRate: (rate) => become({ rate }),
    seek: () => become({}),
    inject: () => become({}),
    show: async ({ mode }) => {
      if (mode === 'replay') throw new Fault('not_found', 'there is no such recording');
      return become({ mode });
    },
  };
}
