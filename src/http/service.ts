import type { Changer } from '../access/rim.ts';
import type { DryRun } from '../core/rules/dry_run.ts';
import type { Actor } from '../model/actor.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { Detection } from '../model/detection.ts';
import type { EventKind, LogEvent, Severity } from '../model/event.ts';
import type { Link, LinkBody, LinkPatch, Protocol, SigningKey } from '../model/link.ts';
import type { ObservationDocument } from '../model/observation.ts';
import type { Picture } from '../model/picture.ts';
import type { RuleValue } from '../model/rule_value.ts';
import type { DetectionModel, Placement, Sensor, SensorSpec } from '../model/sensor.ts';
import type { Threat } from '../model/threat.ts';
import type { Track, TrackPoint } from '../model/track.ts';

/**
 * Everything this room needs of the rest of the daemon. The composition root fills it in; tests fill it from memory.
 * A function that cannot do as asked throws a `Fault` (`not_found`, `conflict`, …), which becomes the answer.
 */
export type Service = {
  about: About;
  /** What the manifest says that only the rest of the daemon knows. */
  manifest(): ManifestFacts;
  /** Everything that holds now in the shown world, or in the live one. */
  picture(world?: World): Picture;
  /** Which world is shown. Cheap: everyone may ask. */
  sim(): Picture['sim'];
  tracks: {
    list(world?: World): readonly Track[];
    get(id: string, world?: World): Track | undefined;
    /** `not_found` when nothing is known of the track, in the picture or in the store. */
    history(query: HistoryQuery): Promise<Page<TrackPoint>>;
    /** Its number (`T-0042`), also long after its end; null where nothing is known of it. */
    label(id: string): Promise<string | null>;
    /** The first ends in the second, which is returned. `not_found`; `conflict` where they cannot be one. */
    merge(id: string, into: string, reason: string | null, by: Actor): Promise<Track>;
    drop(id: string, reason: string, by: Actor): Promise<void>;
  };
  threats: {
    list(): readonly Threat[];
    get(trackId: string): Threat | undefined;
    /** These throw `not_found` where the track is no threat. */
    acknowledge(trackId: string, note: string | null, by: Actor): Threat;
    dismiss(trackId: string, reason: string, until: string | null, by: Actor): Threat;
    preview(policy: DecisionPolicy, trackIds: readonly string[] | null): Promise<readonly Threat[]>;
  };
  detections(query: DetectionQuery): Promise<Page<Detection>>;
  /** What people did and what happened by itself, in one order, the newest first. */
  events(query: EventQuery): Promise<Page<LogEvent>>;
  sensors: {
    list(): readonly Sensor[];
    get(id: string): Sensor | undefined;
    create(spec: SensorSpec, by: Actor): Awaitable<Sensor>;
    /** `not_found`, or `conflict` when `version` is not the row's own. */
    update(id: string, patch: SensorPatch, by: Actor): Awaitable<Sensor>;
    /** `not_found`, or `conflict` naming the declarer of a row that nobody made by hand. */
    remove(id: string, by: Actor): Awaitable<void>;
  };
  links: {
    list(): readonly Link[];
    get(id: string): Link | undefined;
    /** `conflict` where its name, port or device is taken, or a program has it; `not_found` for an unknown asset. */
    create(body: LinkBody, by: Actor): Awaitable<Link>;
    /** `not_found`, or `conflict`; of a link of the configuration always. */
    update(id: string, patch: LinkPatch, by: Actor): Awaitable<Link>;
    setEnabled(id: string, enabled: boolean, by: Actor): Awaitable<Link>;
    remove(id: string, by: Actor): Awaitable<void>;
    /** `not_found`, `not_configured` where no secret can be kept, `invalid_input` where the link is none of MAVLink. */
    setSigningKey(id: string, given: SigningKey, by: Changer): Awaitable<Link>;
    /** `not_found` where there is no such link, or it has no key. */
    removeSigningKey(id: string, by: Changer): Awaitable<void>;
  };
  /**
   * Takes observations that were found valid. `from` is the sender's address. Each `index` of `rejected` counts in
   * `rows`. Called with at most 500 rows at a time.
   */
  ingest(rows: readonly ObservationDocument[], from: string): Awaitable<IngestAnswer>;
  /** Everything that is kept of a track, as an archive that is made while it is read. `not_found`. */
  evidence(trackId: string, by: Actor): Promise<{ fileName: string; content: AsyncIterable<Buffer> }>;
  /**
   * What a rule would have told of what was recorded. The rules whose flood hides others are run beside it; the answer
   * may tell of them too. Times of the firings are UTC milliseconds.
   */
  dryRunRule(rule: RuleValue, sinceMs: number, untilMs: number): Promise<DryRun>;
  /** What the history takes, and where what is under hold keeps it over its limits. */
  stored(): { bytes: number; heldBytes: number; note: string | null };
  health(): Health;
  /** The Prometheus text of `GET /metrics`. */
  metricsText(): string;
  /** Where the stream's events come from, for the shown world or for the live one. */
  stream(world?: World): StreamSource;
};

type Awaitable<T> = T | Promise<T>;

/** The only world a request may ask for by name; without it, it gets the one that is shown. */
export type World = 'live';

export type About = { name: string; version: string; startedAt: string; build: string };

export type ManifestFacts = {
  features: string[];
  protocols: readonly Protocol[];
  verbs: string[];
  settingsHash: string;
  workspaces: { id: string; name: string }[];
};

/** A part of a list; `nextCursor` is null on the last one. */
export type Page<Row> = { rows: readonly Row[]; nextCursor: string | null };

/** `limit` is 1 to 1 000; times are UTC milliseconds, `sinceMs` included, `untilMs` excluded. */
export type PageQuery = { limit: number; cursor: string | null; sinceMs: number | null; untilMs: number | null };

export type HistoryQuery = PageQuery & { trackId: string; stepS: number | null };
export type DetectionQuery = PageQuery & { trackId: string | null; sensorId: string | null };
export type EventQuery = PageQuery & {
  sinceSeq: number | null;
  kind: string | null;
  subject: string | null;
  /** This severity and those above it. */
  severity: Severity | null;
  /** With the rows of the box itself, which belong to no workspace. */
  ofBox: boolean;
};

/** Absent is unchanged; null takes the value away. `version` is the one the caller believes current. */
export type SensorPatch = {
  name?: string | undefined;
  modality?: SensorSpec['modality'] | undefined;
  placement?: Placement | null | undefined;
  heartbeat_s?: number | null | undefined;
  quiet_ok?: boolean | undefined;
  detection?: DetectionModel | null | undefined;
  version?: number | undefined;
};

export type IngestAnswer = { accepted: number; duplicates: number; rejected: { index: number; error: string }[] };

export type Health = { ok: boolean; parts: HealthPart[] };
/** `needed`: the main job stops without it, so that the service as a whole is not healthy while it is down. */
export type HealthPart = { name: string; state: 'up' | 'degraded' | 'down'; needed: boolean; text: string };

/** One numbered change of a picture. `body` is what `eventBodies[kind]` says, and is not changed after it was handed over. */
export type StreamEvent = { seq: number; at: string; kind: EventKind; body: object };
/** The changes of one tick, in order of `seq`. A new epoch makes every client start again from a snapshot. */
export type Flush = { epoch: string; events: readonly StreamEvent[] };

/** The numbered changes of one world. */
export type StreamSource = {
  /** The picture as of its own `seq`; the changes after it carry `seq + 1` and up. */
  snapshot(): Picture;
  /** The changes after `seq`, or null when they are of another epoch or no longer kept (10 000 are). */
  since(epoch: string, seq: number): readonly StreamEvent[] | null;
  /** Calls back once a tick that changed something; returns how to stop that. Who stops may come back for what follows. */
  onFlush(callback: (flush: Flush) => void): () => void;
};
