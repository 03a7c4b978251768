import { type CorePlace, inTheWorlds } from '../../core/place.ts';
import { defaultConfig } from '../../host/config/schema.ts';
import { createJournal } from '../../host/journal.ts';
import { createMetrics } from '../../host/metrics.ts';
import type { Service } from '../../http/service.ts';
import { Fault } from '../../model/fault.ts';
import { idleSim } from '../../model/picture.ts';
import type { ScenarioSpec } from '../../model/scenario.ts';
import { noHistory } from '../../store/log/none.ts';
import { newWorkspaceId } from '../../store/workspaces.ts';
import { Pacer } from '../../worlds/driven/pacer.ts';
import type { RunResult } from '../../worlds/sim/run.ts';
import type { Io } from '../io.ts';
import { program } from '../program.ts';
import { Progress } from '../progress.ts';
import { Simulation } from '../serve/simulation.ts';

export type Played = RunResult & { tookS: number };

export type Asked = {
  scenario: ScenarioSpec;
  seed: number;
  rate: number | 'max';
  /** In the thread of the world where nothing is said: nothing else is to be done there. */
  corePlace?: CorePlace;
};

/** Plays a scenario to its end, with nothing of any box around it. */
export async function playScenario({ scenario, seed, rate, corePlace = inTheWorlds }: Asked, io: Io): Promise<Played> {
  let failure: string | null = null;
  const realMs = (): number => performance.now();
  const simulation = new Simulation({
    ...{ scenario, seed, beside: null, history: noHistory, config: defaultConfig(), settingsHash: '' },
    workspace: { id: newWorkspaceId(), name: 'simulation' },
    metrics: createMetrics(),
    about: { ...program, startedAt: scenario.starts_at },
    log: createJournal({ write: () => {} }).log,
    links: noLinks,
    sim: () => idleSim,
    tellMs: realMs,
    corePlace,
    onFailed: (sentence) => {
      failure = sentence;
    },
  });
  await simulation.start();
  const begunMs = realMs();
  const progress = new Progress(io);
  const { run } = simulation;
  const tell = setInterval(() => progress.tell(() => `${run.atS.toFixed(0)} of ${scenario.duration_s} s`), 250);
  try {
    if (rate === 'max') while (!run.isOver) await run.drive.step();
    else await paced(simulation, rate, realMs);
    if (failure !== null) throw new Fault('unavailable', failure);
    return { ...run.result(), tookS: (realMs() - begunMs) / 1_000 };
  } finally {
    clearInterval(tell);
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

/** A scenario has no links but its own. */
const refuse = (): never => {
  throw new Fault('not_built', 'a scenario has no links but its own');
};
const noLinks: Service['links'] = {
  ...{ list: () => [], get: () => undefined, create: refuse, update: refuse, setEnabled: refuse, remove: refuse },
  ...{ setSigningKey: refuse, removeSigningKey: refuse },
};
