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

/** A world that is played beside the live one, and its pace. */
export type Playback = PlayedWorld & {
  /** Its name in sentences. */
  name: string;
  steps: Steps;
  pacer: Pacer;
  /** UTC of the played world, ms. */
  utcMs(): number;
  isOver(): boolean;
  stop(): Promise<void>;
  /** The run of a scenario; a recording and the empty simulated world have none. */
  run: Run | null;
  /** Stores the result of the finished playback. */
  keep(state: 'completed' | 'failed', reason: string | null): void;
  /** Adds an actor. Throws a Fault where the actor does not fit, or the world takes none. */
  inject(actor: ScenarioActor): void;
  /** The recording that is played and its length; null for a scenario. */
  recording: { id: string; lengthS: number } | null;
};

/** Events of a playback. */
export type PlaybackEvents = {
  /** The end of the playback: null, or the sentence of what stopped it. */
  ended(failure: string | null): void;
};

/** Dependencies of every played world, scenario or recording. */
export type PlayedDeps = {
  workspace: { id: string; name: string };
  history: HistoryLog;
  config: Config;
  about: About;
  log: Log;
  sim(): SimState;
  health(): Health;
  /** Time of the viewers' clock, ms. */
  publishMs(): number;
  onFailed(sentence: string): void;
  /** Releases resources when the world ends. */
  onStopped?(): Promise<void>;
};

/** Publishes changes of a played world's registry in that world only, once it has started. */
export function publishIn(worldServices: () => WorldServices | undefined): RegistryDeps['publish'] {
  return {
    row: (list, row) => worldServices()?.rowsChanged(list, [row]),
    rows: (list, rows) => worldServices()?.rowsChanged(list, rows),
    removed: (list, id) => worldServices()?.rowRemoved(list, id),
    announce: (kind, body) => worldServices()?.world.announce(kind, body),
  };
}
