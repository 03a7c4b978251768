import { sentenceOf } from '../../model/fault.ts';
import type { Run } from '../../model/run.ts';
import type { ScenarioSpec } from '../../model/scenario.ts';
import { Pacer } from '../../worlds/driven/pacer.ts';
import type { Play, PlayEvents } from './play.ts';
import type { Players } from './players.ts';
import type { RunRecord } from './run_record.ts';

export type ScenarioAsk = { scenario: ScenarioSpec; seed: number; rate: number; run: Run | null };

/** A scenario that is ready to be played; nothing of it moves yet. */
export async function playOfScenario(
  { scenario, seed, rate, run }: ScenarioAsk,
  { players, record, realMs }: { players: Players; record: RunRecord; realMs(): number },
  { ended }: PlayEvents,
): Promise<Play> {
  const simulation = await players.simulate(scenario, seed, ended);
  const { drive } = simulation.run;
  const isOver = (): boolean => simulation.run.isOver;
  const over = (fault: unknown): void => ended(fault === null ? null : sentenceOf(fault));
  const play: Play = {
    ...{ mode: 'sim', name: run?.scenario_name ?? 'what is played', theatre: simulation.theatre, steps: drive, isOver },
    ...{ run, recording: null },
    utcMs: () => simulation.run.clock.nowMs(),
    pacer: new Pacer({ drive, rate, realMs, isOver, ended: over }),
    stop: () => simulation.stop(),
    inject: (actor) => simulation.inject(actor),
    keep(state, reason) {
      if (!play.run) return;
      const { metrics, expect, logHash: log_hash, simulatedS: simulated_s } = simulation.run.result();
      const came = { metrics, expect, log_hash, simulated_s };
      play.run = record.ended(play.run, { ...came, state, reason });
    },
  };
  return play;
}
