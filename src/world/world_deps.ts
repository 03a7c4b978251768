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
  /** Id of this node at other systems, a UUID v4; absent in a world that exchanges no data with other nodes. */
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
  /** Port locks, shared by all links and outlets of this world. */
  claims: Claims;
  alerts: AlertStore;
  signing?: KeyStore;
  /** Returns the credentials of a link. If this is absent, no link has credentials. */
  credentials?: LinkDeps['credentials'];
  /** Returns which world is shown, and the state of the simulator. */
  sim(): SimState;
  /** Returns the last published health of this node; absent if no health is published. */
  health?(): Health;
  /**
   * Decides affiliations. `received` takes telemetry that its link authenticates, with the asset for which the link was
   * issued.
   */
  affiliator: Affiliator & { received(observation: Observation, issuedFor: string | null): void };
  /** Returns the ground height above the ellipsoid, m; null if it is not known. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  /** Returns the registry entries of vehicles; null until the registry is connected. */
  fleetRegistry(): FleetRegistry | null;
  /** Returns the engagements that the picture shows. */
  engagements(): Engagement[];
  /** Driver of the world; absent in the live world. */
  driven?: Driven;
  /** Receives the time that satellite receivers on the links report; absent if this world must not set the clock. */
  timeReported?: TimeSink | undefined;
  /** Called when the core failed too often to be restarted: the process must end. */
  onFatal(sentence: string): void;
};

/** Dependencies that a driver supplies to its world instead of the real core, links and clock. */
export type Driven = {
  core: CoreMaker;
  /** Seed of the core's ids, 8 bytes. */
  seed: Uint8Array;
  open: LinkDeps['open'];
  /** Receives each change of the picture at once, except `track_new` and `track_update`. */
  changed?: (change: PictureChange) => void;
  /** Clock that paces the publishing of changes to clients, ms. */
  publishMs(): number;
};

/** Last documents and summaries of the tracks of an earlier run, and the highest track number that it used. */
export type WorldBefore = {
  lastTracks: readonly Track[];
  lastNumber?: number;
  summaries?: ReadonlyMap<string, SightingSummary>;
};
