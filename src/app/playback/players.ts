import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEvent } from '../../model/event.ts';
import { conflict, Fault, sentenceOf } from '../../model/fault.ts';
import type { ScenarioSpec } from '../../model/scenario.ts';
import type { RecordingReader } from '../../recording/reader.ts';
import { Registry } from '../../registry/registry.ts';
import { createHistoryLog, type HistoryLog } from '../../store/log/history.ts';
import { noHistory } from '../../store/log/none.ts';
import type { PlayedDeps } from './playback.ts';
import { Replay, type ReplayDeps } from './replayed.ts';
import type { OtherPolicy } from './restored_registry.ts';
import { dismissVehicles } from './simulated_vehicles.ts';
import type { Simulation } from './simulation.ts';

type PlayersDeps = Omit<PlayedDeps, 'history' | 'publishMs' | 'onFailed' | 'onStopped'> & {
  /** Registry of the live world. */
  registry: Registry;
};

type OwnDeps = Pick<ReplayDeps, 'reader' | 'fromMs' | 'policy' | 'onFailed' | 'history'> & { world: string };

/** Creates the played worlds of a workspace. */
export class Players {
  readonly #deps: PlayersDeps;
  /** Alternates between 0 and 1: two replays exist while one replaces the other, and each needs a history of its own. */
  #slot = 0;

  constructor(deps: PlayersDeps) {
    this.#deps = deps;
  }

  /** A scenario with a history of its own, which is deleted with it. */
  async simulate(scenario: ScenarioSpec, seed: number, onFailed: (sentence: string) => void): Promise<Simulation> {
    const { history, close } = await this.#history('simulated', '');
    const { registry: beside, ...deps } = this.#deps;
    let simulation: Simulation | null = null;
    try {
      // The simulator is a tenth of the program, and most boxes never run it.
      const { Simulation } = await import('./simulation.ts');
      simulation = new Simulation({
        ...{ ...deps, scenario, seed, onFailed, beside, history },
        log: deps.log.child({ world: 'sim' }),
        publishMs: () => performance.now(),
        onStopped: close,
      });
      await simulation.start();
      return simulation;
    } catch (thrown) {
      await (simulation?.stop() ?? close());
      throw thrown;
    }
  }

  /** A recording with a history of its own, which is deleted with it. */
  async replay(reader: RecordingReader, fromMs: number, onFailed: (sentence: string) => void): Promise<Replay> {
    this.#slot = 1 - this.#slot;
    const { history, close } = await this.#history('replayed', `-${this.#slot}`);
    return this.#begun({ reader, fromMs, policy: null, onFailed, history, world: 'replay' }, close);
  }

  /** A recording that is played in the background and without a history, under another policy where one is given. */
  unseen(reader: RecordingReader, policy: OtherPolicy, onFailed: (sentence: string) => void): Promise<Replay> {
    const { fromMs } = reader.span;
    return this.#begun({ reader, fromMs, policy, onFailed, history: noHistory, world: 'what_if' }, async () => {});
  }

  async #begun({ world, ...own }: OwnDeps, close: () => Promise<void>): Promise<Replay> {
    const { registry: beside, ...deps } = this.#deps;
    let replay: Replay | null = null;
    try {
      const log = deps.log.child({ world });
      replay = new Replay({ ...deps, ...own, beside, log, publishMs: () => performance.now(), onStopped: close });
      await replay.start();
      return replay;
    } catch (thrown) {
      // Stops the parts that had started, as far as possible.
      await (replay?.stop() ?? close()).catch(() => {});
      throw unplayable(thrown);
    }
  }

  /** Deletes what a killed service left of its played worlds. After a failure the next playback tries again. */
  clear(): void {
    const { registry, config, workspace, log } = this.#deps;
    const nobody = { row: () => {}, rows: () => {}, removed: () => {}, announce: () => {} };
    try {
      clearSimulatedHistory(config.data.dir, workspace.id);
      dismissVehicles(new Registry({ ...registry.deps, environment: () => 'sim', publish: nobody }, registry));
    } catch (thrown) {
      log.warn({ err: thrown }, 'what was played before was not taken away');
    }
  }

  #history(provenance: LogEvent['provenance'], slot: string) {
    const { config, workspace, log } = this.#deps;
    const onFault = (fault: Fault): void => log.error({ code: fault.code, provenance }, fault.message);
    return openSimulatedHistory(config.data.dir, workspace.id, onFault, { slot, provenance });
  }
}

/** Fault of a recording that cannot be played. A file that was edited by hand may cause any error. */
export function unplayable(thrown: unknown): Fault {
  if (thrown instanceof Fault && thrown.code !== 'internal') return thrown;
  const sentence = `the recording cannot be played: it is not as it was ever recorded (${sentenceOf(thrown)})`;
  return conflict(sentence, { cause: thrown });
}

/** Retention of a played world's history, which is deleted with the world. */
const RETENTION = { prunedBefore: null, bytes: 1_073_741_824 };

type SimulatedHistory = { history: HistoryLog; close(): Promise<void> };

/**
 * History of a played world. Leftovers of an earlier one are deleted. `slot` distinguishes two histories that exist at
 * once.
 */
async function openSimulatedHistory(
  dataDir: string,
  workspaceId: string,
  onFault: (fault: Fault) => void,
  { slot = '', provenance }: { slot?: string; provenance: LogEvent['provenance'] },
): Promise<SimulatedHistory> {
  const folder = folderOf(workspaceId) + slot;
  const clear = (): void => rmSync(join(dataDir, folder), { recursive: true, force: true });
  clear();
  const history = createHistoryLog({ dataDir, folder, retention: RETENTION, provenance, onFault });
  await history.start();
  return {
    history,
    async close() {
      await history.stop();
      clear();
    },
  };
}

/** Deletes the histories that a killed service left of its played worlds. */
function clearSimulatedHistory(dataDir: string, workspaceId: string): void {
  // Folders are named in full, not by prefix: the id of one workspace may begin that of another, which may be playing.
  for (const slot of ['', '-0', '-1'])
    rmSync(join(dataDir, folderOf(workspaceId) + slot), { recursive: true, force: true });
}

function folderOf(workspaceId: string): string {
  return `played-${workspaceId}`;
}
