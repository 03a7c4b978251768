import type { SealingKey } from '../access/sealed.ts';
import type { Claims } from '../edge/link/claims.ts';
import type { Clock } from '../host/clock.ts';
import type { Config } from '../host/config.ts';
import type { TimeSink } from '../host/gps/gps_time.ts';
import type { Log } from '../host/journal.ts';
import type { About } from '../host/program.ts';
import type { Setting } from '../model/setting.ts';
import type { RecordingStore } from '../recording/recording_store.ts';
import type { DiscoverySwitch } from '../registry/discovery.ts';
import type { Ledger } from '../store/ledger.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { LogCounter } from '../store/log_counter.ts';
import type { RetentionClock } from '../store/retention_clock.ts';
import type { State } from '../store/state.ts';
import type { WorkspaceRow } from '../store/workspaces.ts';
import type { WorldSettings } from '../world/world_deps.ts';
import type { OneAtATime } from './one_at_a_time.ts';

/** Dependencies of a workspace: its row in the database, and parts of the box. */
export type WorkspaceDeps = {
  row: WorkspaceRow;
  /** True for the first workspace of the box, in which events of the box itself are published. */
  isFirst: boolean;
  config: Config;
  /**
   * Links, sensors and outlets of the box's configuration. They belong to the first workspace; for others they are
   * empty.
   */
  links: Config['links'];
  sensors: WorldSettings['sensors'];
  outlets: Config['outlets'];
  state: State;
  history: HistoryLog;
  ledger: Ledger;
  counter: LogCounter;
  clock: Clock;
  log: Log;
  /** Takes the time that satellite receivers report. Present only in the first workspace, which administers the box. */
  timeReported?: TimeSink;
  about: About;
  settingsHash: string;
  onFatal(sentence: string): void;
  /** Dependencies that all workspaces of the box share. */
  shared: {
    claims: Claims;
    discovery: DiscoverySwitch;
    settings: () => readonly Setting[];
    sealingKey: SealingKey;
    recordings: RecordingStore;
    retentionClock: RetentionClock;
    /** Sentence with the reason why the state database cannot be used; null in normal operation. */
    recovery: string | null;
    /** Returns the lateness of the event loop, ms; 0 if the loop runs in time. */
    lagMs(): number;
    /** Runs what-if trials of all workspaces one at a time. */
    trials: OneAtATime;
    /** Returns the port on which the service listens; null if unknown. Webhooks must not send to this port. */
    ownPort(): number | null;
  };
};
