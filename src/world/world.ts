import { randomBytes } from 'node:crypto';
import type { AlertLog } from '../alerts/alert_log.ts';
import { beginAlerts } from '../alerts/begin.ts';
import type { CoreBeginning } from '../core/messages.ts';
import type { CoreHandle, CoreMaker } from '../core/thread/handle.ts';
import { CoreRemote } from '../core/thread/remote.ts';
import type { TrackLife } from '../core/tracking/settings.ts';
import { Bursts } from '../edge/feed/bursts.ts';
import { EvidenceLimit } from '../edge/feed/evidence.ts';
import { RowFeed } from '../edge/feed/row_feed.ts';
import { SensorStatuses } from '../edge/feed/sensor_statuses.ts';
import { createLink } from '../edge/link/create.ts';
import { noCredentials } from '../edge/link/tls/holder.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { mslOfHae } from '../geo/geoid.ts';
import { pulse } from '../host/pulse.ts';
import type { Rejection } from '../model/detection.ts';
import type { Flush, LogEvent, Severity } from '../model/event.ts';
import { type Firing, withTime } from '../model/firing.ts';
import { Listeners } from '../model/listeners.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { Observation } from '../model/observation.ts';
import type { Picture } from '../model/picture.ts';
import type { RuleCount } from '../model/rule_value.ts';
import { formatTime } from '../model/time.ts';
import type { Provenance, Track } from '../model/track.ts';
import type { CoreOutput } from '../model/track_row.ts';
import type { Zone } from '../model/zone.ts';
import { DeltaStream } from '../picture/delta_stream.ts';
import type { Announced } from '../picture/deps.ts';
import type { PictureEvent } from '../picture/events.ts';
import { PictureState } from '../picture/picture.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { Threats } from '../picture/threats.ts';
import { TracksByHand } from './by_hand.ts';
import { clockSteps } from './clock_steps.ts';
import { CoreConfiguration } from './core_configuration.ts';
import { EventLog, logLine } from './event_log.ts';
import { FleetTicks } from './fleet_ticks.ts';
import { beginFleet } from './fleet_transport.ts';
import { HistoryWriter } from './history_writer.ts';
import { linkOfFile, OWN_COMPID } from './link_runner.ts';
import { LinkSet } from './link_set.ts';
import { LinkWatch } from './link_watch.ts';
import { RecorderHook } from './recorder_hook.ts';
import { leftTracks, linksOf, numberOfLabel, restoredTrack } from './restore.ts';
import { SensorNews } from './sensor_news.ts';
import { SensorIndex } from './sensor_value.ts';
import { Sightings } from './sightings.ts';
import { KeyMap } from './signing/key_map.ts';
import { unkeptSigning } from './signing/key_store.ts';
import { logThreatLevel } from './threat_news.ts';
import { TrackNews } from './track_news.ts';
import type { WorldBefore, WorldDeps, WorldSettings } from './world_deps.ts';
import { logZoneEvents } from './zone_news.ts';

/**
 * Connects links, a core, a picture and the history to one world. The live world follows the clock of this node and
 * never stops while the daemon runs. Other worlds are driven: they do nothing between two calls of their driver.
 */
export class World {
  readonly sensors: SensorStatuses;
  readonly #sensorIndex = new SensorIndex();
  readonly rows: RowFeed;
  readonly links: LinkSet;
  /** Signing states of the links. */
  readonly signing: KeyMap;
  /** Friendly vehicles on the links. */
  readonly fleet: Fleet;
  readonly byHand: TracksByHand;
  /** Inputs of the core besides observations. */
  readonly coreConfiguration: CoreConfiguration;
  readonly threats: Threats;
  /** Passes the input of the world to a recorder. */
  readonly recorderHook = new RecorderHook();
  readonly #sensorNews: SensorNews;
  readonly alerts: AlertLog;
  readonly #settings: WorldSettings;
  #life: TrackLife;
  /** Emits the time that each step of the core took, ms. */
  readonly stepped = new Listeners<[tookMs: number]>();
  /** Emits the counts of the rules that fired or were suppressed in a step. */
  readonly ruleCounts = new Listeners<[readonly RuleCount[]]>();
  /** Emits each restart of the core after a failure, with the cause. */
  readonly restarted = new Listeners<[sentence: string]>();
  /** Emits the firings of rules in a step. */
  readonly firings = new Listeners<[readonly Firing[]]>();
  readonly #deps: WorldDeps;
  readonly picture: PictureState;
  readonly stream: DeltaStream;
  readonly #core: CoreHandle;
  readonly #events: EventLog;
  readonly #writer: HistoryWriter;
  readonly #sightings: Sightings;
  /** Logs and emits the events of tracks: their states, identities and ends. */
  readonly news: TrackNews;
  readonly #linkWatch: LinkWatch;
  /** Selects rejected observations that the core still uses to check the claims of their transmitters. */
  readonly #evidence = new EvidenceLimit();
  #lastNumber: number;
  #endSeconds: () => void = () => {};
  #fleetTicks: FleetTicks | null = null;

  /** `before`: tracks of an earlier run. Numbers up to `before.lastNumber` are not given again. */
  constructor(settings: WorldSettings, deps: WorldDeps, before: WorldBefore) {
    this.#settings = settings;
    this.#life = settings.tracking;
    this.#deps = deps;
    const { clock, history } = deps;
    const utcMs = (worldMs: number): number => clock.utcMs(worldMs);
    const timeText = (worldMs: number): string => formatTime(utcMs(worldMs));
    const nowMs = (): number => clock.nowMs();
    const publishMs = deps.driven?.publishMs ?? nowMs;
    const { workspaceId, environment } = settings;
    this.picture = new PictureState(
      {
        ...{ epoch: randomBytes(6).toString('hex'), workspaceId, environment, trackHz: settings.stream.trackHz },
        unwatched: deps.driven !== undefined,
      },
      {
        ...{ nowMs, publishMs, timeText, mslOfHae, sim: () => deps.sim() },
        ...{ affiliator: deps.affiliator, groundAltHaeM: (latDeg, lonDeg) => deps.groundAltHaeM(latDeg, lonDeg) },
        ...{ alerts: () => this.alerts.shown(), engagements: () => deps.engagements() },
        ...{ provenance: settings.provenance, ...(deps.health && { health: deps.health }) },
      },
    );
    this.coreConfiguration = new CoreConfiguration(() => this.#core, this.picture);
    if (deps.driven?.changed) this.picture.changed.add(deps.driven.changed);
    this.stream = new DeltaStream(this.picture, settings.stream, publishMs);
    this.#lastNumber = Math.max(before.lastNumber ?? 0, ...before.lastTracks.map(numberOfLabel));
    for (const track of leftTracks(before.lastTracks, clock, this.#life.closeS * 1000, settings.provenance))
      this.picture.restore(numberOfLabel(track), track);
    this.#events = new EventLog(
      deps.counter,
      () => utcMs(clock.nowMs()),
      settings.provenance,
      (event) => {
        history.append('event', event);
        this.publish(event);
      },
    );
    this.sensors = new SensorStatuses(utcMs, nowMs);
    this.alerts = beginAlerts(deps, {
      ...{ picture: this.picture, timeText, note: this.note },
      sensors: (id) => this.sensors.stateOf(id, nowMs()),
    });
    const zone = (id: string) => this.picture.listed.row('zones', id) as Zone | undefined;
    this.#sightings = new Sightings({ utcMs, zone }, before.summaries);
    this.#writer = new HistoryWriter(history, this.picture, this.#sightings, utcMs);
    this.news = new TrackNews(this.#events, this.picture);
    this.#sensorNews = new SensorNews(this.#events, (id) => this.sensors.resolve(id)?.name);
    this.threats = this.picture.threats;
    this.threats.levelled.add((threat, was) => logThreatLevel(this.#events, this.picture, threat, was));
    for (const track of this.picture.tracks()) this.news.know(numberOfLabel(track), track);
    const sink = this.#observe.bind(this);
    const feedDeps = { settings: settings.feeds, sensors: this.sensors, sink };
    this.rows = new RowFeed(feedDeps);
    this.fleet = beginFleet({
      ...{ picture: this.picture, links: () => this.links, alerts: this.alerts },
      ...{ nowMs, timeText, sysid: settings.sysid, note: this.note, provenance: settings.provenance },
      registry: () => deps.fleetRegistry(),
    });
    this.signing = new KeyMap({
      utcNowMs: () => utcMs(clock.nowMs()),
      own: { sysid: settings.sysid, compid: OWN_COMPID },
      store: deps.signing ?? unkeptSigning,
      trouble: (sentence) => this.note('link.signing_unkept', 'warning', sentence),
    });
    const linkDeps = {
      ...{ ...feedDeps, nowMs: () => clock.nowMs(), utcMs, claims: deps.claims, rows: this.rows, bursts: new Bursts() },
      ...{ sysid: settings.sysid, vehicles: this.fleet, signing: this.signing, recorderHook: this.recorderHook },
      credentials: deps.credentials ?? (() => noCredentials),
      open: deps.driven?.open ?? createLink,
      hasOwnRows: deps.driven === undefined,
      timeReported: deps.timeReported,
      nodeId: settings.nodeId,
      ...(deps.health && { health: deps.health }),
      alerted: this.#sensorNews.alerted,
    };
    const { picture, recorderHook, note, fleet, signing } = this;
    this.#linkWatch = new LinkWatch({ picture, recorderHook, note, fleet, signing });
    this.links = new LinkSet(linkDeps, {
      changed: (runner) => this.#linkWatch.changed(runner, clock.nowMs()),
      removed: (id) => this.#linkWatch.removed(id),
      sensorRemoved: (id) => this.removeSensors(id),
    });
    for (const spec of settings.links) this.links.add(linkOfFile(spec, timeText(clock.nowMs())));
    const atNext = (everyMs: number, run: () => void) => pulse.once(everyMs, run);
    const makeCore: CoreMaker = deps.driven?.core ?? ((...given) => new CoreRemote(...given, atNext));
    this.#core = makeCore(
      () => this.recorderHook.begun(this.#coreBeginning()),
      (sensorId) => this.#sensorIndex.of(sensorId),
      () => clock.nowMs(),
      {
        published: (message) => this.recorderHook.recorder?.configured(message),
        output: (output, tookMs) => {
          this.stepped.emit(tookMs);
          this.#takeOutput(output);
        },
        assigned: (observation, number) => {
          if (observation.authentic) deps.affiliator.received(observation, this.links.issuedFor(observation.linkId));
          if (number < 0) this.sensors.rejected(observation.sensorId, 'implausible');
          this.#writer.assigned(observation, number);
        },
        restarted: (sentence) => {
          this.restarted.emit(sentence);
          this.picture.loseAll();
          this.alerts.unsure(clock.nowMs());
          this.note('core.restarted', 'critical', sentence);
        },
        failed: (sentence) => deps.onFatal(sentence),
      },
    );
    this.byHand = new TracksByHand(this.picture, this.#core);
    this.sensors.changed.add(() =>
      this.#core.configure({ kind: 'sensors', sensors: this.#sensorIndex.valuesOf(this.sensors.all()) }),
    );
  }

  async start(): Promise<void> {
    await this.#core.start();
    if (this.#deps.driven) return;
    this.#endSeconds = pulse.every(1_000, () => this.everySecond());
    this.#fleetTicks = new FleetTicks(this.fleet);
    this.note('system.start', 'notice', 'Dunlin started');
  }

  /** Decides pending affiliations and sends them to the core. The driver calls this before each step. */
  settle(): void {
    this.picture.settle();
    this.coreConfiguration.settle();
  }

  /** Sets when tracks are confirmed, coast, are lost and closed. A restarted core gets the same values. */
  setLife(life: TrackLife): void {
    this.#life = life;
    this.#core.configure({ kind: 'life', life });
  }

  async stop(): Promise<void> {
    this.#endSeconds();
    this.#fleetTicks?.stop();
    this.stream.stop();
    await this.#core.stop();
    this.alerts.flush(this.#deps.clock.nowMs());
    this.flush();
    if (!this.#deps.driven) this.note('system.stop', 'notice', 'Dunlin stopped');
    this.#writer.writeAll();
    this.signing.stop();
  }

  get provenance(): Provenance {
    return this.#settings.provenance;
  }

  /** Returns the picture at its current sequence number. */
  snapshot(): Picture {
    this.stream.begin();
    return this.picture.snapshot();
  }

  tracks(): Track[] {
    return this.picture.tracks();
  }

  track(id: string): Track | undefined {
    return this.picture.track(id);
  }

  /** Returns the events after `seq`; null if `epoch` is not current or the events are no longer kept. */
  since(epoch: string, seq: number): readonly PictureEvent[] | null {
    return this.stream.since(epoch, seq);
  }

  /** Returns the current position in the stream, and the time of the world. */
  now(): { epoch: string; seq: number; at: string } {
    return { epoch: this.epoch, seq: this.picture.seq, at: this.picture.nowText() };
  }

  get epoch(): string {
    return this.picture.epoch;
  }

  /** Calls `listener` after each tick with changes. The returned function ends the calls. */
  follow(listener: (flush: Flush) => void): () => void {
    return this.stream.follow((events) => listener({ epoch: this.epoch, events }));
  }

  /** Numbers and publishes the events that are due. */
  flush(): void {
    this.stream.flush();
  }

  /** Records registry rows that are new or changed, then shows them in the picture. */
  setRows(list: RegistryList, rows: readonly { id: string }[]): void {
    this.recorderHook.recorder?.rows(list, rows);
    this.picture.setRows(list, rows);
  }

  removeRow(list: RegistryList, id: string): void {
    this.recorderHook.recorder?.removed(list, id);
    this.picture.removeRow(list, id);
  }

  announce(kind: Announced, body: object): void {
    if (kind === 'doctrine_change') this.recorderHook.recorder?.doctrine();
    this.picture.announce(kind, body);
  }

  /** Updates the sensors of the picture, and logs sensors that fell silent or returned. */
  evaluateSensors(): void {
    const nowMs = this.#deps.clock.nowMs();
    this.#sensorNews.forget(this.picture.listed.setSensors(this.sensors.list(nowMs), nowMs));
    this.#sensorNews.take(this.sensors.watched(nowMs));
  }

  removeSensors(...ids: string[]): void {
    this.#sensorNews.forget(ids);
    for (const id of ids) this.picture.listed.removeSensor(id);
    this.flush();
  }

  /** Highest number that was given to a track so far. */
  get lastNumber(): number {
    return Math.max(this.#lastNumber, ...this.picture.tracks().map(numberOfLabel));
  }

  coreSilentMs(): number {
    return this.#core.silentMs();
  }

  get observationsDropped(): number {
    return this.#core.dropped;
  }

  /** Returns the initial input of a core. The tracks come from the picture, also after a failure of the core. */
  #coreBeginning(): CoreBeginning {
    const linkOf = linksOf(this.sensors.all());
    const restored = this.picture.tracks().map((track) => restoredTrack(track, this.#deps.clock, linkOf));
    return {
      settings: { ...this.#settings.tracking, ...this.#life },
      seed: this.#deps.driven?.seed ?? randomBytes(8),
      lastNumber: this.lastNumber,
      sensors: this.#sensorIndex.valuesOf(this.sensors.all()),
      restored,
      assess: this.coreConfiguration.beginning(),
    };
  }

  #observe(observation: Observation, rejectedBy: Rejection | null): void {
    if (rejectedBy === null) return void this.#core.push(observation);
    this.#writer.detection(observation, null, rejectedBy);
    if (this.#evidence.admits(observation, rejectedBy)) this.#core.push({ ...observation, use: 'evidence' });
  }

  #takeOutput(output: CoreOutput): void {
    const ended = output.removed.flatMap(({ number }) => this.picture.documentOf(number) ?? []);
    for (const { sensorId, azimuthDeg, rangeM } of output.offsets) this.sensors.offset(sensorId, azimuthDeg, rangeM);
    for (const { number } of [...output.cards, ...output.removed])
      this.#lastNumber = Math.max(this.#lastNumber, number);
    this.picture.apply(output);
    for (const { number } of output.removed) this.coreConfiguration.forget(number);
    this.picture.assess(output.assessment);
    this.#sightings.take(output.assessment);
    logZoneEvents(this.#events, this.picture, output.assessment.zoneEvents);
    if (output.assessment.counts.length > 0) this.ruleCounts.emit(output.assessment.counts);
    const firings = output.assessment.firings.map((firing) =>
      withTime(firing, (ms) => formatTime(this.#deps.clock.utcMs(ms))),
    );
    this.alerts.take(firings, output.nowMs);
    this.firings.emit(firings);
    // A driven world decides affiliations before any track is read. Otherwise the time of a read could change results.
    if (this.#deps.driven) this.picture.settle();
    this.#writer.write(output, ended);
    this.news.take(output, ended);
  }

  /** Runs once per second of world time; in a driven world the driver calls it. */
  everySecond(): void {
    for (const sentence of clockSteps(this.#deps.clock)) this.note('clock.step', 'warning', sentence);
    for (const link of this.links.list()) this.#linkWatch.evaluate(link, this.#deps.clock.nowMs());
    this.sensors.sweep(this.#deps.clock.nowMs());
    this.evaluateSensors();
    this.signing.tick();
    this.alerts.tick(this.#deps.clock.nowMs());
    this.picture.reconsider();
  }

  readonly note = (kind: LogKind, severity: Severity, text: string, subject: LogEvent['subject'] = null): void => {
    this.#events.write(kind, severity, text, subject);
  };

  /** Publishes an event of severity `notice` or higher to an audience; ignores others. */
  publish(event: LogEvent, audience: 'owners' | 'all' = 'all'): void {
    if (event.severity === 'debug' || event.severity === 'info') return;
    this.picture.log(event, audience);
    logLine(this.#deps.log, event);
  }
}
