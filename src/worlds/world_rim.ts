import type { CoreMaker } from '../core/handle.ts';
import type { TrackingSettings } from '../core/settings.ts';
import type { FeedSettings } from '../edge/feed/settings.ts';
import type { Claims } from '../edge/link/claims.ts';
import type { Clock } from '../host/clock.ts';
import type { Log } from '../host/journal.ts';
import type { LinkSpec } from '../model/link.ts';
import type { Picture, SimState } from '../model/picture.ts';
import type { SensorSpec } from '../model/sensor.ts';
import type { Track } from '../model/track.ts';
import type { PictureChange } from '../picture/picture.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { LogCounter } from '../store/log_counter.ts';
import type { AlertKeeper } from './alerts/keeper.ts';
import type { LinkRim } from './link_runner.ts';
import type { SigningKeeper } from './signing/keeper.ts';

export type WorldSettings = {
  workspaceId: string;
  links: readonly LinkSpec[];
  sensors: readonly SensorSpec[];
  feeds: FeedSettings;
  tracking: TrackingSettings;
  /** Our own MAVLink system id. */
  sysid: number;
  stream: { trackHz: number; tickMs: number; replayEvents: number };
  environment: Picture['environment'];
  provenance: Track['provenance'];
};

export type WorldRim = {
  clock: Clock;
  log: Log;
  history: HistoryLog;
  counter: LogCounter;
  /** What links of the whole box hold. */
  claims: Claims;
  alerts?: AlertKeeper;
  signing?: SigningKeeper;
  /** Which world is shown, and what the simulator does. */
  sim(): SimState;
  /** Where it is not the world of the fence itself: who says when time passes in it, and over what its bytes come. */
  driven?: Driven;
  /** The core failed too often: the process is to end. */
  onFatal(sentence: string): void;
};

/** What a world is driven by, which is not the time of the box. */
export type Driven = {
  core: CoreMaker;
  /** 8 bytes: ids that the core makes are made of it. */
  seed: Uint8Array;
  open: LinkRim['open'];
  /** Told of each change that is not a track's own as it happens. */
  changed?: (change: PictureChange) => void;
  /** The clock of those who watch. */
  tellMs(): number;
};
