import { Simulation } from '../../app/playback/simulation.ts';
import { type CorePlace, inTheWorlds } from '../../core/thread/place.ts';
import { defaultConfig } from '../../host/config/schema.ts';
import { createJournal } from '../../host/journal.ts';
import { program } from '../../host/program.ts';
import { unavailable } from '../../model/fault.ts';
import { noHealth } from '../../model/health.ts';
import { idleSim } from '../../model/picture.ts';
import type { ScenarioSpec } from '../../model/scenario.ts';
import type { RunResult } from '../../sim/runs/run.ts';
import { noHistory } from '../../store/log/none.ts';
import { newWorkspaceId } from '../../store/workspaces.ts';
import { Pacer } from '../../world/driven/pacer.ts';
import type { Io } from '../io.ts';
import { Progress } from '../progress.ts';

export type Played = RunResult & { tookS: number };

export type Asked = {
  scenario: ScenarioSpec;
  seed: number;
  rate: number | 'max';
  /** Thread in which the core runs; by default the thread of the world, which has no other work here. */
  corePlace?: CorePlace;
};

/** Plays a scenario to its end, without a daemon. */
export async function playScenario({ scenario, seed, rate, corePlace = inTheWorlds }: Asked, io: Io): Promise<Played> {
  let failure: string | null = null;
  const realMs = (): number => performance.now();
  const simulation = new Simulation({
    ...{ scenario, seed, beside: null, history: noHistory, config: defaultConfig() },
    workspace: { id: newWorkspaceId(), name: 'simulation', isFirst: true },
    about: { ...program, startedAt: scenario.starts_at },
    log: createJournal({ write: () => {} }).log,
    sim: () => idleSim,
    health: () => noHealth,
    publishMs: realMs,
    corePlace,
    onFailed: (sentence) => {
      failure = sentence;
    },
  });
  await simulation.start();
  const begunMs = realMs();
  const progress = new Progress(io);
  const { run } = simulation;
  const timer = setInterval(() => progress.show(() => `${run.atS.toFixed(0)} of ${scenario.duration_s} s`), 250);
  try {
    if (rate === 'max') while (!run.isOver) await run.drive.step();
    else await paced(simulation, rate, realMs);
    if (failure !== null) throw unavailable(failure);
    return { ...run.result(), tookS: (realMs() - begunMs) / 1_000 };
  } finally {
    clearInterval(timer);
    progress.end();
    await simulation.stop();
  }
}

function paced({ run }: Simulation, rate: number, realMs: () => number): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (fault: unknown): void => (fault === null ? resolve() : reject(fault));
    new Pacer({ drive: run.drive, rate, realMs, isOver: () => run.isOver, ended }).start();
  });
}
