import { randomBytes } from 'node:crypto';
import type { Fleet } from '../command/fleet/fleet.ts';
import type { CoreHandle, CoreMaker } from '../core/handle.ts';
import type { CoreBeginning } from '../core/messages.ts';
import { CoreRemote } from '../core/remote.ts';
import type { SensorValue, TrackLife } from '../core/settings.ts';
import { Bursts } from '../edge/feed/bursts.ts';
import { EvidenceLimit } from '../edge/feed/evidence.ts';
import { HeardBook } from '../edge/feed/heard.ts';
import { RowFeed } from '../edge/feed/row_feed.ts';
import { SensorBook } from '../edge/feed/sensor_book.ts';
import { createLink } from '../edge/link/create.ts';
import { mslOfHae } from '../geo/geoid.ts';
import type { Affiliator } from '../model/affiliation.ts';
import type { Rejection } from '../model/detection.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import type { Firing } from '../model/firing.ts';
import type { Observation } from '../model/observation.ts';
import type { Picture } from '../model/picture.ts';
import type { RuleCount } from '../model/rule_value.ts';
import { formatTime } from '../model/time.ts';
import type { Provenance, Track } from '../model/track.ts';
import type { CoreOutput } from '../model/track_row.ts';
import { type PictureEvent, PictureState } from '../picture/picture.ts';
import type { PicturePolicy } from '../picture/rim.ts';
import { beginAlerts } from './alerts/begin.ts';
import type { AlertBook } from './alerts/book.ts';
import { Briefing } from './briefing.ts';
import { TracksByHand } from './by_hand.ts';
import { DeltaStream } from './delta_stream.ts';
import { EventLog } from './event_log.ts';
import { beginFleet } from './fleet_way.ts';
import { HistoryWriter } from './history_writer.ts';
import { LinkNews, type News } from './link_news.ts';
import { type LinkRunner, linkOfFile } from './link_runner.ts';
import { LinkSet } from './link_set.ts';
import { leftTracks, numberOfLabel, restoredTrack } from './restore.ts';
import { SensorIndex, sensorValue } from './sensor_value.ts';
import { ShownActions } from './shown_actions.ts';
import { ShownRows } from './shown_rows.ts';
import { ShownSensors } from './shown_sensors.ts';
import { beginSigning } from './signing/begin.ts';
import type { SigningBook } from './signing/book.ts';
import { Taps } from './taps.ts';
import { ThreatWatch } from './threat_watch.ts';
import { TrackNews } from './track_news.ts';
import type { WorldRim, WorldSettings } from './world_rim.ts';
import { ZoneNews } from './zone_news.ts';

/** How often the fleet looks what is to be asked, said again and told. */
const FLEET_TICK_MS = 100;

/**
 * Links, a core, a picture and the history, joined: one world. The live one, which guards the fence, goes by the time of the
 * box and never stops while the daemon runs; another is driven, and does nothing between two words of who drives it.
 */
export class World {
  readonly sensors: SensorBook;
  readonly heard = new HeardBook();
  readonly #sensorIndex = new SensorIndex();
  readonly rows: RowFeed;
  readonly links: LinkSet;
  /** How its links sign. */
  readonly signing: SigningBook;
  /** The friendly vehicles on its links. */
  readonly fleet: Fleet;
  readonly byHand: TracksByHand;
  /** What the core goes by besides what it hears. */
  readonly briefing: Briefing;
  readonly threats: ThreatWatch;
  /** What the registry holds. */
  readonly shown: ShownRows;
  /** Where a recording listens. */
  readonly taps = new Taps();
  readonly shownSensors: ShownSensors;
  /** What is done about tracks. */
  readonly actions: ShownActions;
  readonly #zoneNews: ZoneNews;
  readonly alerts: AlertBook;
  readonly #settings: WorldSettings;
  #life: TrackLife;
  /** Told how long each step of the core took. */
  onStep: (tookMs: number) => void = () => {};
  /** Told how often rules fired. */
  onRuleCounts: (counts: readonly RuleCount[]) => void = () => {};
  /** Told what rules tell. */
  onFirings: (firings: readonly Firing[]) => void = () => {};
  readonly #rim: WorldRim;
  readonly #picture: PictureState;
  readonly #stream: DeltaStream;
  readonly #core: CoreHandle;
  readonly #events: EventLog;
  readonly #writer: HistoryWriter;
  /** What becomes of tracks. */
  readonly news: TrackNews;
  readonly #linkNews = new LinkNews();
  /** Which of the refused reports the core looks at. */
  readonly #evidence = new EvidenceLimit();
  #lastNumber: number;
  #second: NodeJS.Timeout | null = null;
  #fleetTick: NodeJS.Timeout | null = null;
  #heardTelemetry: (observation: Observation) => void = () => {};
  #groundAltHaeM: (latDeg: number, lonDeg: number) => number | null = () => null;

  /** `lastTracks` are the last documents of an earlier run, which gave out numbers up to `lastNumber` at least. */
  constructor(settings: WorldSettings, rim: WorldRim, before: { lastTracks: readonly Track[]; lastNumber?: number }) {
    this.#settings = settings;
    this.#life = settings.tracking;
    this.#rim = rim;
    const { clock, history } = rim;
    const utcMs = (worldMs: number): number => clock.utcMs(worldMs);
    const timeText = (worldMs: number): string => formatTime(utcMs(worldMs));
    const nowMs = (): number => clock.nowMs();
    const tellMs = rim.driven?.tellMs ?? nowMs;
    const { workspaceId, environment } = settings;
    this.#picture = new PictureState(
      {
        ...{ epoch: randomBytes(6).toString('hex'), workspaceId, environment, trackHz: settings.stream.trackHz },
        unwatched: rim.driven !== undefined,
      },
      {
        ...{ nowMs, tellMs, timeText, sim: () => rim.sim() },
        mslOfHae,
        groundAltHaeM: (latDeg, lonDeg) => this.#groundAltHaeM(latDeg, lonDeg),
        provenance: settings.provenance,
      },
    );
    this.briefing = new Briefing(
      () => this.#core,
      (id) => this.#picture.assetName(id),
    );
    this.#picture.onDecided = (number, decision) => this.briefing.decided(number, decision);
    if (rim.driven?.changed) this.#picture.onChange = rim.driven.changed;
    this.#picture.onCloned = (track, asset) => this.news.cloned(track, asset);
    this.#stream = new DeltaStream(this.#picture, settings.stream, tellMs);
    this.#lastNumber = Math.max(before.lastNumber ?? 0, ...before.lastTracks.map(numberOfLabel));
    for (const track of leftTracks(before.lastTracks, clock, this.#life.closeS * 1000, settings.provenance))
      this.#picture.restore(numberOfLabel(track), track);
    this.#events = new EventLog(
      rim.counter,
      () => utcMs(clock.nowMs()),
      settings.provenance,
      (event) => this.#recordEvent(event),
    );
    this.sensors = new SensorBook(utcMs, nowMs);
    this.alerts = beginAlerts(rim, {
      ...{ picture: this.#picture, stream: this.#stream, timeText, note: this.note },
      sensors: (id) => this.sensors.stateOf(id, nowMs()),
    });
    this.#writer = new HistoryWriter(history, this.#picture, utcMs);
    this.news = new TrackNews(this.#events, this.#picture);
    this.#zoneNews = new ZoneNews(this.#events, this.#picture);
    this.shown = new ShownRows(this.#picture, this.taps, () => this.flush());
    this.actions = new ShownActions(this.#picture.actions, this.#stream);
    this.threats = new ThreatWatch(this.#picture, () => this.#core, this.briefing, this.#events);
    this.#picture.onAffiliated = (track, was) => this.news.affiliated(track, was);
    for (const track of this.#picture.tracks()) this.news.know(numberOfLabel(track), track);
    this.shownSensors = new ShownSensors({
      ...{ sensors: this.sensors, picture: this.#picture, events: this.#events },
      ...{ nowMs: () => clock.nowMs(), flush: () => this.flush() },
    });
    const sink = (observation: Observation, rejectedBy: Rejection | null): void =>
      this.#observe(observation, rejectedBy);
    const feedRim = { settings: settings.feeds, sensors: this.sensors, heard: this.heard, sink };
    this.rows = new RowFeed(feedRim);
    this.fleet = beginFleet({
      ...{ picture: this.#picture, links: () => this.links, alerts: this.alerts, plan: () => this.#stream.plan() },
      ...{ nowMs: () => clock.nowMs(), timeText, sysid: settings.sysid, note: this.note },
      provenance: settings.provenance,
    });
    this.signing = beginSigning(rim, settings.sysid, (sentence) =>
      this.note('link.signing_unkept', 'warning', sentence),
    );
    const linkRim = {
      ...{ ...feedRim, nowMs: () => clock.nowMs(), utcMs, claims: rim.claims, rows: this.rows, bursts: new Bursts() },
      ...{ sysid: settings.sysid, vehicles: this.fleet, signing: this.signing, taps: this.taps },
      open: rim.driven?.open ?? createLink,
      hasOwnRows: rim.driven === undefined,
    };
    this.links = new LinkSet(linkRim, {
      changed: (runner) => this.#linkChanged(runner),
      removed: (id) => this.#linkRemoved(id),
      sensorRemoved: (id) => this.shownSensors.removed(id),
    });
    for (const spec of settings.links) this.links.add(linkOfFile(spec, timeText(clock.nowMs())));
    const makeCore: CoreMaker = rim.driven?.core ?? ((...given) => new CoreRemote(...given));
    this.#core = makeCore(
      () => this.taps.begun(this.#coreBeginning()),
      (sensorId) => this.#sensorIndex.of(sensorId),
      () => clock.nowMs(),
      {
        told: (message) => this.taps.tap?.told(message),
        output: (output, tookMs) => {
          this.onStep(tookMs);
          this.#takeOutput(output);
        },
        assigned: (observation, number) => {
          if (observation.authentic) this.#heardTelemetry(observation);
          if (number < 0) this.sensors.rejected(observation.sensorId, 'implausible');
          this.#writer.assigned(observation, number);
        },
        restarted: (sentence) => {
          this.#picture.loseAll();
          this.alerts.unsure(clock.nowMs());
          this.note('core.restarted', 'critical', sentence);
        },
        failed: (sentence) => rim.onFatal(sentence),
      },
    );
    this.byHand = new TracksByHand(this.#picture, this.#core);
    this.sensors.onChange = () => this.#core.setSensors(this.#sensorValues());
  }

  async start(): Promise<void> {
    await this.#core.start();
    if (this.#rim.driven) return;
    this.#second = setInterval(() => this.everySecond(), 1_000);
    this.#fleetTick = setInterval(() => this.fleet.tick(), FLEET_TICK_MS);
    this.note('system.start', 'notice', 'Dunlin started');
  }

  /** What changed is judged now, and what the core is to know of it said: who drives the world calls it before each step. */
  settle(): void {
    this.#picture.settle();
    this.briefing.settle();
  }

  /** When tracks are confirmed, coast, are lost and closed: from now on, and when the core is started again. */
  setLife(life: TrackLife): void {
    this.#life = life;
    this.#core.setLife(life);
  }

  /** What people decided of the workspace and clients show. */
  setPolicy(policy: PicturePolicy): void {
    this.#picture.setPolicy(policy);
  }

  async stop(): Promise<void> {
    if (this.#second) clearInterval(this.#second);
    if (this.#fleetTick) clearInterval(this.#fleetTick);
    this.#stream.stop();
    await this.#core.stop();
    this.alerts.flush(this.#rim.clock.nowMs());
    this.flush();
    if (!this.#rim.driven) this.note('system.stop', 'notice', 'Dunlin stopped');
    this.#writer.writeAll();
    this.signing.stop();
  }

  get provenance(): Provenance {
    return this.#settings.provenance;
  }

  /** The picture as of its own number. */
  snapshot(): Picture {
    this.#stream.begin();
    return this.#picture.snapshot();
  }

  tracks(): Track[] {
    return this.#picture.tracks();
  }

  track(id: string): Track | undefined {
    return this.#picture.track(id);
  }

  /** The events after `seq`, or null where they are of another epoch or no longer kept. */
  since(epoch: string, seq: number): readonly PictureEvent[] | null {
    return this.#stream.since(epoch, seq);
  }

  get epoch(): string {
    return this.#picture.epoch;
  }

  /** For those who may go away and come back for what they missed. */
  follow(listener: (events: readonly PictureEvent[]) => void): () => void {
    return this.#stream.follow(listener);
  }

  onFlush(listener: (events: readonly PictureEvent[]) => void): () => void {
    return this.#stream.onFlush(listener);
  }

  /** Numbers and tells what is due. */
  flush(): void {
    this.#stream.flush();
  }

  /** Who says who a track is, and hears the telemetry that a link proves. */
  setAffiliator(affiliator: Affiliator & { heard(observation: Observation): void }): void {
    this.#heardTelemetry = (observation) => affiliator.heard(observation);
    this.#picture.setAffiliator(affiliator);
  }

  /** Who says how high the ground is. */
  setGround(altHaeM: (latDeg: number, lonDeg: number) => number | null): void {
    this.#groundAltHaeM = altHaeM;
  }

  /** The highest number that a track was given. */
  get lastNumber(): number {
    return Math.max(this.#lastNumber, ...this.#picture.tracks().map(numberOfLabel));
  }

  coreSilentMs(): number {
    return this.#core.silentMs();
  }

  get observationsDropped(): number {
    return this.#core.dropped;
  }

  /** What a core is begun with, at the start and after it failed: the picture is its memory. */
  #coreBeginning(): CoreBeginning {
    const restored = this.#picture.tracks().map((track) => restoredTrack(track, this.#rim.clock));
    return {
      settings: { ...this.#settings.tracking, ...this.#life },
      seed: this.#rim.driven?.seed ?? randomBytes(8),
      lastNumber: this.lastNumber,
      sensors: this.#sensorValues(),
      restored,
      assess: this.briefing.beginning(),
    };
  }

  #sensorValues(): SensorValue[] {
    const rows = this.sensors.all();
    this.#sensorIndex.keep(new Set(rows.map(({ id }) => id)));
    return rows.map((row) => sensorValue(row, this.#sensorIndex.of(row.id)));
  }

  #observe(observation: Observation, rejectedBy: Rejection | null): void {
    if (rejectedBy === null) return void this.#core.push(observation);
    this.#writer.detection(observation, null, rejectedBy);
    if (this.#evidence.admits(observation, rejectedBy)) this.#core.push({ ...observation, use: 'evidence' });
  }

  #takeOutput(output: CoreOutput): void {
    const ended = output.removed.flatMap(({ number }) => this.#picture.documentOf(number) ?? []);
    for (const { sensorId, azimuthDeg, rangeM } of output.offsets) this.sensors.offset(sensorId, azimuthDeg, rangeM);
    for (const { number } of [...output.cards, ...output.removed])
      this.#lastNumber = Math.max(this.#lastNumber, number);
    this.#picture.apply(output);
    for (const { number } of output.removed) this.briefing.forget(number);
    this.#picture.assess(output.assessment);
    this.#zoneNews.take(output.assessment.zoneEvents);
    if (output.assessment.counts.length > 0) this.onRuleCounts(output.assessment.counts);
    this.alerts.take(output.assessment.firings, output.nowMs);
    this.onFirings(output.assessment.firings);
    this.#stream.plan();
    // Of a driven world before anybody looks at a track: who looks is not to matter.
    if (this.#rim.driven) this.#picture.settle();
    this.#writer.write(output, ended);
    this.news.take(output, ended);
  }

  /** Once a second of its own time; a driven world is told when. */
  everySecond(): void {
    const { stepMs } = this.#rim.clock.check();
    if (stepMs !== null) {
      this.note('clock.step', 'warning', `the wall clock was set by ${(stepMs / 1000).toFixed(3)} s; no age changed`);
    }
    for (const link of this.links.list()) {
      this.#picture.listed.setLink(link.document());
      this.#noteLink(link, this.#linkNews.full(link, this.#rim.clock.nowMs()));
    }
    this.sensors.sweep(this.#rim.clock.nowMs());
    this.shownSensors.look();
    this.signing.tick();
    this.alerts.tick(this.#rim.clock.nowMs());
    this.#picture.reconsider();
    this.#stream.plan();
  }

  #linkChanged(link: LinkRunner): void {
    this.taps.tap?.link(link);
    this.#picture.listed.setLink(link.document());
    this.#noteLink(link, this.#linkNews.of(link));
    this.#stream.plan();
  }

  #noteLink(link: LinkRunner, news: News | null): void {
    if (news) this.note(news.kind, news.severity, news.text, { type: 'link', id: link.id, label: link.spec.name });
  }

  #linkRemoved(id: string): void {
    this.taps.tap?.linkRemoved(id);
    this.#linkNews.forget(id);
    this.fleet.forgetLink(id);
    this.signing.forget(id);
    this.#picture.listed.removeLink(id);
    this.flush();
  }

  readonly note = (kind: string, severity: Severity, text: string, subject: LogEvent['subject'] = null): void => {
    this.#events.write(kind, severity, text, subject);
  };

  #recordEvent(event: LogEvent): void {
    this.#rim.history.append('event', event);
    this.tell(event);
  }

  /** Shows a row of the log to those who watch, where it is of weight. */
  tell(event: LogEvent): void {
    if (event.severity === 'debug' || event.severity === 'info') return;
    this.#picture.log(event);
    this.#stream.plan();
    const line = { kind: event.kind, subject: event.subject?.label };
    if (event.severity === 'notice') this.#rim.log.info(line, event.text);
    else this.#rim.log.warn(line, event.text);
  }
}
