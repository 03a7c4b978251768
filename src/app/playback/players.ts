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
  /** Number of the latest replay's history folder, 0 or 1: two replays exist while one replaces the other. */
  #slot = 0;

  constructor(deps: PlayersDeps) {
    this.#deps = deps;
  }

  /** Starts the world of a scenario, with a separate history that is deleted with the world. */
  async simulate(scenario: ScenarioSpec, seed: number, onFailed: (sentence: string) => void): Promise<Simulation> {
    const { history, close } = await this.#history('simulated', '');
    const { registry: beside, ...deps } = this.#deps;
    let simulation: Simulation | null = null;
    try {
      // The simulator is loaded only here: it is large, and most boxes never run it.
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

  /** Starts the world of a recording at `fromMs`, with a separate history that is deleted with the world. */
  async replay(reader: RecordingReader, fromMs: number, onFailed: (sentence: string) => void): Promise<Replay> {
    this.#slot = 1 - this.#slot;
    const { history, close } = await this.#history('replayed', `-${this.#slot}`);
    return this.#begun({ reader, fromMs, policy: null, onFailed, history, world: 'replay' }, close);
  }

  /** Starts a replay in the background, without a history. A `policy` replaces the recorded policy; null keeps it. */
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
      // Stop the parts that have started. Errors of the stop are ignored in favour of the first error.
      await (replay?.stop() ?? close()).catch(() => {});
      throw unplayable(thrown);
    }
  }

  /**
   * Deletes histories and assets of played worlds that a killed service left behind. A failure is logged, and the next
   * playback deletes them.
   */
  clear(): void {
    const { registry, config, workspace, log } = this.#deps;
    const nobody = { row: () => {}, rows: () => {}, removed: () => {}, announce: () => {} };
    try {
      clearSimulatedHistory(config.data.dir, workspace.id);
      dismissVehicles(new Registry({ ...registry.deps, environment: () => 'sim', publish: nobody }, registry));
    } catch (thrown) {
      log.warn({ err: thrown }, 'the data of an earlier playback was not deleted');
    }
  }

  #history(provenance: LogEvent['provenance'], slot: string) {
    const { config, workspace, log } = this.#deps;
    const onFault = (fault: Fault): void => log.error({ code: fault.code, provenance }, fault.message);
    return openSimulatedHistory(config.data.dir, workspace.id, onFault, { slot, provenance });
  }
}

/** Returns the Fault of a recording that cannot be played. A recording that was edited by hand may cause any error. */
export function unplayable(thrown: unknown): Fault {
  if (thrown instanceof Fault && thrown.code !== 'internal') return thrown;
  const sentence = `the recording cannot be played: its content is not valid (${sentenceOf(thrown)})`;
  return conflict(sentence, { cause: thrown });
}

/** Retention of a played world's history. It only limits the size, because the history is deleted with the world. */
const RETENTION = { prunedBefore: null, bytes: 1_073_741_824 };

type SimulatedHistory = { history: HistoryLog; close(): Promise<void> };

/**
 * Opens an empty history for a played world, and deletes an earlier history with the same name. `slot` is a suffix of
 * the name. It distinguishes two histories that exist at the same time.
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

/** Deletes histories of played worlds that a killed service left behind. */
function clearSimulatedHistory(dataDir: string, workspaceId: string): void {
  // The full folder names are listed: a search by prefix could also match a workspace whose longer id begins the same.
  for (const slot of ['', '-0', '-1'])
    rmSync(join(dataDir, folderOf(workspaceId) + slot), { recursive: true, force: true });
}

function folderOf(workspaceId: string): string {
  return `played-${workspaceId}`;
}
