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

/** Dependencies of a workspace: its own row, and parts of the box. */
export type WorkspaceDeps = {
  row: WorkspaceRow;
  /** Events of the box itself are published in its first workspace. */
  isFirst: boolean;
  config: Config;
  /** Links and sensors of the box's configuration. They belong to the first workspace; other workspaces begin without. */
  links: Config['links'];
  sensors: WorldSettings['sensors'];
  outlets: Config['outlets'];
  state: State;
  history: HistoryLog;
  ledger: Ledger;
  counter: LogCounter;
  clock: Clock;
  log: Log;
  /** Receives the time of satellite receivers; only from the first workspace, which administers the box. */
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
    /** Reason why the state database is not used; null in normal operation. */
    recovery: string | null;
    /** Lateness of the event loop, ms. */
    lagMs(): number;
    /** Allows one trial with other policies at a time. */
    trials: OneAtATime;
    /** Port that the service listens on: webhooks must not send to it. */
    ownPort(): number | null;
  };
};
