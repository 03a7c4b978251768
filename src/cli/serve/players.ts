import type { LogEvent } from '../../model/event.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { ScenarioSpec } from '../../model/scenario.ts';
import { Registry } from '../../registry/registry.ts';
import { noHistory } from '../../store/log/none.ts';
import type { RecordingReader } from '../../worlds/replay/reader.ts';
import type { PlayedParts } from './played_parts.ts';
import { Replay, type ReplayParts } from './replayed.ts';
import type { OtherPolicy } from './restored_registry.ts';
import { clearSimulatedHistory, openSimulatedHistory } from './simulated_history.ts';
import { Simulation } from './simulation.ts';
import { dismissTwins } from './twins.ts';

export type PlayersParts = Omit<PlayedParts, 'history' | 'tellMs' | 'onFailed' | 'onStopped'> & {
  /** The live one. */
  registry: Registry;
};

type OwnParts = Pick<ReplayParts, 'reader' | 'fromMs' | 'policy' | 'onFailed' | 'history'> & { world: string };

/** Makes worlds beside the live one of a workspace. */
export class Players {
  readonly #parts: PlayersParts;
  /** Two replays are there at once while one takes the place of the other: each has a history of its own. */
  #slot = 0;

  constructor(parts: PlayersParts) {
    this.#parts = parts;
  }

  /** A scenario with a history of its own, which ends with it. */
  async simulate(scenario: ScenarioSpec, seed: number, onFailed: (sentence: string) => void): Promise<Simulation> {
    const { history, close } = await this.#history('simulated', '');
    const { registry: beside, ...parts } = this.#parts;
    let simulation: Simulation | null = null;
    try {
      simulation = new Simulation({
        ...{ ...parts, scenario, seed, onFailed, beside, history },
        log: parts.log.child({ world: 'sim' }),
        tellMs: () => performance.now(),
        onStopped: close,
      });
      await simulation.start();
      return simulation;
    } catch (thrown) {
      await (simulation?.stop() ?? close());
      throw thrown;
    }
  }

  /** A recording with a history of its own, which ends with it. */
  async replay(reader: RecordingReader, fromMs: number, onFailed: (sentence: string) => void): Promise<Replay> {
    this.#slot = 1 - this.#slot;
    const { history, close } = await this.#history('replayed', `-${this.#slot}`);
    return this.#begun({ reader, fromMs, policy: null, onFailed, history, world: 'replay' }, close);
  }

  /** The same without anybody who looks on, under another policy where one is given. */
  unseen(reader: RecordingReader, policy: OtherPolicy, onFailed: (sentence: string) => void): Promise<Replay> {
    const { fromMs } = reader.span;
    return this.#begun({ reader, fromMs, policy, onFailed, history: noHistory, world: 'what_if' }, async () => {});
  }

  async #begun({ world, ...own }: OwnParts, close: () => Promise<void>): Promise<Replay> {
    const { registry: beside, ...parts } = this.#parts;
    let replay: Replay | null = null;
    try {
      const log = parts.log.child({ world });
      replay = new Replay({ ...parts, ...own, beside, log, tellMs: () => performance.now(), onStopped: close });
      await replay.start();
      return replay;
    } catch (thrown) {
      // What was begun of it ends as well as it can.
      await (replay?.stop() ?? close()).catch(() => {});
      throw unplayable(thrown);
    }
  }

  /** What a service that died left of what it played. A disk that refuses it is asked again when something is played. */
  clear(): void {
    const { registry, config, workspace, log } = this.#parts;
    const nobody = { row: () => {}, rows: () => {}, removed: () => {}, announce: () => {} };
    try {
      clearSimulatedHistory(config.data.dir, workspace.id);
      dismissTwins(new Registry({ ...registry.rim, environment: () => 'sim', tell: nobody }, registry));
    } catch (thrown) {
      log.warn({ err: thrown }, 'what was played before was not taken away');
    }
  }

  #history(provenance: LogEvent['provenance'], slot: string) {
    const { config, workspace, log } = this.#parts;
    const onFault = (fault: Fault): void => log.error({ code: fault.code, provenance }, fault.message);
    return openSimulatedHistory(config.data.dir, workspace.id, onFault, { slot, provenance });
  }
}

/** Of a file that somebody made by hand anything may be wrong, and it is his affair. */
export function unplayable(thrown: unknown): Fault {
  if (thrown instanceof Fault && thrown.code !== 'internal') return thrown;
  const sentence = `the recording cannot be played: it is not as it was ever recorded (${sentenceOf(thrown)})`;
  return new Fault('conflict', sentence, { cause: thrown });
}
