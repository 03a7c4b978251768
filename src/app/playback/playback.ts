import type { Config } from '../../host/config.ts';
import type { Log } from '../../host/journal.ts';
import type { About } from '../../host/program.ts';
import type { Health } from '../../model/health.ts';
import type { SimState } from '../../model/picture.ts';
import type { Run } from '../../model/run.ts';
import type { ScenarioActor } from '../../model/scenario.ts';
import type { RegistryDeps } from '../../registry/deps.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import type { Pacer, Steps } from '../../world/driven/pacer.ts';
import type { PlayedWorld } from '../shown_world.ts';
import type { WorldServices } from '../world_services.ts';

/** A played world (scenario or recording) with the control of its pace. */
export type Playback = PlayedWorld & {
  /** Name of the playback, for use in sentences. */
  name: string;
  steps: Steps;
  pacer: Pacer;
  /** Returns the UTC of the played world, ms. */
  utcMs(): number;
  isOver(): boolean;
  stop(): Promise<void>;
  /** Run of a scenario; null for a recording and for the empty simulated world. */
  run: Run | null;
  /** Stores the result of the finished playback. */
  keep(state: 'completed' | 'failed', reason: string | null): void;
  /** Adds an actor. Throws a Fault if the actor does not fit the scenario, or if the world is a recording. */
  inject(actor: ScenarioActor): void;
  /** Played recording with its length, s; null for a scenario. */
  recording: { id: string; lengthS: number } | null;
};

export type PlaybackEvents = {
  /** Called at the end of the playback. `failure` is a sentence if a failure stopped the playback, else null. */
  ended(failure: string | null): void;
};

/** Dependencies of a played world, common to scenarios and recordings. */
export type PlayedDeps = {
  workspace: { id: string; name: string; isFirst: boolean };
  history: HistoryLog;
  config: Config;
  about: About;
  log: Log;
  sim(): SimState;
  health(): Health;
  /** Returns real monotonic time, ms: it paces the updates to clients. */
  publishMs(): number;
  onFailed(sentence: string): void;
  /** Releases the resources of the world after its end. */
  onStopped?(): Promise<void>;
};

/**
 * Returns functions that publish registry changes in one played world only. Changes before the world exists are
 * dropped.
 */
export function publishIn(worldServices: () => WorldServices | undefined): RegistryDeps['publish'] {
  return {
    row: (list, row) => worldServices()?.rowsChanged(list, [row]),
    rows: (list, rows) => worldServices()?.rowsChanged(list, rows),
    removed: (list, id) => worldServices()?.rowRemoved(list, id),
    announce: (kind, body) => worldServices()?.world.announce(kind, body),
  };
}
