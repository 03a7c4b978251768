import type { CoreMaker } from '../core/thread/handle.ts';
import type { TrackingSettings } from '../core/tracking/settings.ts';
import type { FeedSettings } from '../edge/feed/settings.ts';
import type { Claims } from '../edge/link/claims.ts';
import type { FleetRegistry } from '../fleet/deps.ts';
import type { Clock } from '../host/clock.ts';
import type { TimeSink } from '../host/gps/gps_time.ts';
import type { Log } from '../host/journal.ts';
import type { Affiliator } from '../model/affiliation.ts';
import type { Engagement } from '../model/engagement.ts';
import type { Health } from '../model/health.ts';
import type { LinkSpec } from '../model/link.ts';
import type { Observation } from '../model/observation.ts';
import type { Picture, SimState } from '../model/picture.ts';
import type { SensorSpec } from '../model/sensor.ts';
import type { SightingSummary } from '../model/sighting.ts';
import type { Track } from '../model/track.ts';
import type { PictureChange } from '../picture/events.ts';
import type { AlertStore } from '../store/alerts.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { LogCounter } from '../store/log_counter.ts';
import type { LinkDeps } from './link_runner.ts';
import type { KeyStore } from './signing/key_store.ts';

export type WorldSettings = {
  workspaceId: string;
  links: readonly LinkSpec[];
  sensors: readonly SensorSpec[];
  feeds: FeedSettings;
  tracking: TrackingSettings;
  /** Our own MAVLink system id. */
  sysid: number;
  /** Id of the box at other systems, a UUID v4; absent in a world that has no neighbours. */
  nodeId?: string;
  stream: { trackHz: number; tickMs: number; replayEvents: number };
  environment: Picture['environment'];
  provenance: Track['provenance'];
};

export type WorldDeps = {
  clock: Clock;
  log: Log;
  history: HistoryLog;
  counter: LogCounter;
  /** Port locks of all links of the box. */
  claims: Claims;
  alerts: AlertStore;
  signing?: KeyStore;
  /** Credentials of links; none where absent. */
  credentials?: LinkDeps['credentials'];
  /** The shown world and the state of the simulator. */
  sim(): SimState;
  /** Health of the box as it was published last; absent outside a box. */
  health?(): Health;
  /** Decides affiliations; `received` takes telemetry that a link proves, with the asset that the link was issued for. */
  affiliator: Affiliator & { received(observation: Observation, issuedFor: string | null): void };
  /** Ground height above the ellipsoid; null where it is not known. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  /** Entries of the registry for vehicles; null until it is joined. */
  fleetRegistry(): FleetRegistry | null;
  /** Engagements that the picture shows. */
  engagements(): Engagement[];
  /** Driver of a world other than the live one. */
  driven?: Driven;
  /** Receives the time of satellite receivers on the links; absent where the clock takes none from this world. */
  timeReported?: TimeSink | undefined;
  /** Called when the core failed too often: the process must end. */
  onFatal(sentence: string): void;
};

/** Driver of a world that does not follow the clock of the box. */
export type Driven = {
  core: CoreMaker;
  /** Seed of the core's ids, 8 bytes. */
  seed: Uint8Array;
  open: LinkDeps['open'];
  /** Receives each change of the picture, other than those of single tracks, as it happens. */
  changed?: (change: PictureChange) => void;
  /** Clock by which changes are published to clients. */
  publishMs(): number;
};

/** The last documents and summaries of the tracks of an earlier run. */
export type WorldBefore = {
  lastTracks: readonly Track[];
  lastNumber?: number;
  summaries?: ReadonlyMap<string, SightingSummary>;
};
