import { SealedSecrets, type SealingKey } from '../../access/sealed.ts';
import type { CommandDesk } from '../../command/control/desk.ts';
import type { Engagements } from '../../command/engagement/engagements.ts';
import type { Fleet } from '../../command/fleet/fleet.ts';
import type { Claims } from '../../edge/link/claims.ts';
import type { Clock } from '../../host/clock.ts';
import type { Config } from '../../host/config.ts';
import type { Log } from '../../host/journal.ts';
import type { Metrics } from '../../host/metrics.ts';
import type { Service } from '../../http/service.ts';
import type { HttpWorkspace } from '../../http/workspace.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { kindsForAll } from '../../model/event.ts';
import type { Setting } from '../../model/setting.ts';
import { formatTime } from '../../model/time.ts';
import type { Track } from '../../model/track.ts';
import type { Notice } from '../../model/webhook.ts';
import { createSender } from '../../notify/send.ts';
import { Webhooks } from '../../notify/webhooks.ts';
import type { PictureEvent } from '../../picture/picture.ts';
import type { RegistryList } from '../../picture/row_events.ts';
import type { DiscoverySwitch } from '../../registry/discovery.ts';
import { Registry } from '../../registry/registry.ts';
import { SensorRegistry } from '../../registry/sensors.ts';
import type { AuditRow } from '../../store/audit.ts';
import { endedByHand } from '../../store/audit_list.ts';
import { heldSpans } from '../../store/holds.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import type { LogCounter } from '../../store/log_counter.ts';
import { sensorRows } from '../../store/sensors.ts';
import type { State } from '../../store/state.ts';
import { versionRows } from '../../store/versions.ts';
import type { WorkspaceRow } from '../../store/workspaces.ts';
import { AlertDesk } from '../../worlds/alerts/desk.ts';
import { storedAlerts } from '../../worlds/alerts/keeper.ts';
import { type LiveSettings, LiveWorld } from '../../worlds/live.ts';
import { RecordingDesk } from '../../worlds/replay/desk.ts';
import type { RecordingShelf } from '../../worlds/replay/shelf.ts';
import { lastTracksSinceMs } from '../../worlds/restore.ts';
import { storedSigning } from '../../worlds/signing/keeper.ts';
import { CommandSide } from './command_side.ts';
import { createEngagements } from './engagement_desk.ts';
import { flyingOf } from './flying.ts';
import { LinkDesk } from './link_desk.ts';
import { recordedWorld } from './recorded_world.ts';
import { SensorDesk } from './sensor_desk.ts';
import { createService } from './service.ts';
import { SigningDesk } from './signing_desk.ts';
import { lifeOf, Steering } from './steering.ts';
import { ThreatDesk } from './threat_desk.ts';
import { TrackDesk } from './track_desk.ts';

export type WorkspaceParts = {
  row: WorkspaceRow;
  /** The box's own affairs are told in its first workspace. */
  isFirst: boolean;
  config: Config;
  /** Of the box's own links and sensors, which belong to the first workspace; others begin empty. */
  world: Omit<LiveSettings, 'workspaceId'>;
  state: State;
  history: HistoryLog;
  ledger: Ledger;
  counter: LogCounter;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  about: Service['about'];
  settingsHash: string;
  onFatal(sentence: string): void;
  /** What all workspaces of the box have together. */
  shared: {
    claims: Claims;
    discovery: DiscoverySwitch;
    settings: readonly Setting[];
    sealingKey: SealingKey;
    recordings: RecordingShelf;
    /** Where the service listens itself, once it does: nobody is to have it send to itself. */
    ownPort(): number | null;
  };
};

/** One workspace at work: its live world, its registry and what requests see of both. */
export class Workspace implements HttpWorkspace {
  readonly id: string;
  readonly name: string;
  readonly history: HistoryLog;
  readonly #parts: WorkspaceParts;
  readonly #secrets: SealedSecrets;
  #world: LiveWorld | null = null;
  #registry: Registry | null = null;
  #service: Service | null = null;
  #webhooks: Webhooks | null = null;
  #alerts: AlertDesk | null = null;
  #threats: ThreatDesk | null = null;
  #engagements: Engagements | null = null;
  #recordings: RecordingDesk | null = null;
  #steering: Steering | null = null;
  #commandSide: CommandSide | null = null;
  #untell: () => void = () => {};
  #second: NodeJS.Timeout | null = null;

  constructor(parts: WorkspaceParts) {
    this.id = parts.row.id;
    this.name = parts.row.name;
    this.history = parts.history;
    this.#parts = parts;
    const { state, ledger, clock, shared } = parts;
    const utcMs = (): number => clock.utcMs(clock.nowMs());
    const rim = { state, ledger, nowMs: () => clock.nowMs(), utcMs, standingChanged: () => {} };
    this.#secrets = new SealedSecrets(rim, shared.sealingKey);
  }

  get world(): LiveWorld {
    return started(this.#world);
  }

  get registry(): Registry {
    return started(this.#registry);
  }

  get service(): Service {
    return started(this.#service);
  }

  get alerts(): AlertDesk {
    return started(this.#alerts);
  }

  get engagements(): Engagements {
    return started(this.#engagements);
  }

  get recordings(): RecordingDesk {
    return started(this.#recordings);
  }

  get webhooks(): Webhooks {
    return started(this.#webhooks);
  }

  get fleet(): Fleet {
    return this.world.fleet;
  }

  get commands(): CommandDesk {
    return started(this.#commandSide).desk;
  }

  /** The history must have started. */
  async start(): Promise<void> {
    const { state, config, clock, log, history, counter, ledger, onFatal, shared } = this.#parts;
    const { discovery } = shared;
    const claims = shared.claims.of(this.id);
    const ended = endedByHand(state, this.id);
    const kept = await history.lastTracks({ sinceMs: lastTracksSinceMs(clock.nowMs()) });
    const lastTracks = kept.map((track) => (ended.has(track.id) ? { ...track, state: 'closed' as const } : track));
    const decided = versionRows(state, 'decision_configs').latest(this.id)?.document as DecisionPolicy | undefined;
    const life = lifeOf(decided?.tracking ?? config.tracking);
    const given = this.#parts.world;
    const settings = { workspaceId: this.id, ...given, tracking: { ...given.tracking, ...life } };
    const webhooks = this.#notifier();
    const signing = storedSigning(state, this.id, this.#secrets);
    const alerts = storedAlerts(state, this.id, (notices) => webhooks.write(notices));
    const rim = { clock, log, history, counter, claims, onFatal, alerts, signing };
    const world = new LiveWorld(settings, rim, { lastTracks });
    this.#world = world;
    this.#alerts = new AlertDesk(world.alerts, ledger, this.id);
    const scope = { workspaceId: this.id, environment: 'live' } as const;
    const sensors = new SensorRegistry(sensorRows(state), scope, ledger);
    const utcMs = (): number => clock.utcMs(clock.nowMs());
    const desk = new SensorDesk(sensors, world, () => clock.nowMs(), utcMs);
    const { max_tracks: _most, ...tracking } = config.tracking;
    const registry = new Registry({
      state,
      ledger,
      workspaceId: this.id,
      environment: () => 'live',
      tell: {
        row: (list, row) => this.#rowsChanged(list, [row]),
        rows: (list, rows) => this.#rowsChanged(list, rows),
        removed: (list, id) => {
          world.shown.remove(list, id);
          this.#steering?.rowRemoved(list, id);
          this.#commandSide?.rowRemoved(list, id);
        },
        announce: (kind, body) => world.shown.announce(kind, body),
      },
      box: { tracking, settings: shared.settings, discovery, links: () => links.list() },
    });
    this.#registry = registry;
    const keys = new SigningDesk({ world, state, ledger, workspaceId: this.id, secrets: this.#secrets });
    const links = new LinkDesk({ links: registry.links, world, ledger, workspaceId: this.id, log, signing: keys });
    this.#keepHistory(registry);
    this.#join(registry, world, desk);
    const { metrics, about, settingsHash, row } = this.#parts;
    const nowMs = (): number => clock.nowMs();
    const threats = new ThreatDesk({ world, state, ledger, workspaceId: this.id, log });
    this.#threats = threats;
    const control = { enabled: config.control.enabled, openSurface: config.control.open_surface };
    this.#commandSide = new CommandSide({ world, registry, state, ledger, workspaceId: this.id, clock, control });
    this.#engagements = createEngagements({
      ...{ world, registry, state, ledger, clock, log, workspaceId: this.id },
      ...{ control, flying: flyingOf(this.#commandSide) },
    });
    this.#service = createService({
      world,
      desk,
      links,
      history,
      metrics,
      config,
      about,
      workspace: row,
      settingsHash,
      events: { state, history, workspaceId: this.id, isFirst: this.#parts.isFirst },
      evidence: {
        ledger,
        program: about,
        utcMs: () => clock.utcMs(clock.nowMs()),
        defaultPolicy: () => registry.decision.defaults(),
        tiedTo: (track, assetIds) => tiedTo(registry, track, assetIds),
      },
      tracks: new TrackDesk(world.byHand, ledger, this.id),
      threats,
      past: () => ({ policy: world.briefing.policy, site: world.briefing.site }),
      floodRule: () => registry.rules.values().filter(({ builtin }) => builtin === 'suspect_remote_id'),
      nowMs,
    });
    this.#steering = new Steering({ workspaceId: this.id, world, registry, webhooks, state, clock });
    world.shown.begin('zones', registry.zones.list());
    world.shown.begin('regions', registry.regions.list());
    this.#steering.start();
    this.#recordings = this.#recordingDesk(settings);
    this.#recordings.load();
    this.#untell = ledger.onRow((row) => this.#tellAudit(row));
    await world.start();
    webhooks.start();
    world.onFlush((events) => webhooks.offer(noticesOf(events)));
    desk.load(settings.sensors, about.startedAt);
    links.load();
    threats.load();
    this.#commandSide.start();
    desk.declareOf(registry.assets.bringers());
    this.#second = setInterval(() => this.#everySecond(), 1_000);
  }

  /** Whom the workspace tells; what it says of itself goes into the log of its world. */
  #notifier(): Webhooks {
    const { state, ledger, clock, shared } = this.#parts;
    const nowMs = (): number => clock.nowMs();
    const utcMs = (): number => clock.utcMs(clock.nowMs());
    const secrets = this.#secrets;
    const webhooks = new Webhooks({
      ...{ state, ledger, workspaceId: this.id, secrets, nowMs, utcMs },
      send: createSender(shared.ownPort),
      announce: (body) => this.#world?.shown.announce('config_change', body),
      note: (...said) => this.#world?.note(...said),
    });
    this.#webhooks = webhooks;
    return webhooks;
  }

  #recordingDesk(settings: LiveSettings): RecordingDesk {
    const { config, ledger, clock, shared } = this.#parts;
    const { world, registry } = this;
    const { max_bytes, max_s, all_bytes, min_free_bytes } = config.data.recordings;
    return new RecordingDesk({
      ...{ shelf: shared.recordings, workspaceId: this.id, taps: world.taps, ledger },
      settings: { maxS: max_s, maxBytes: max_bytes, allBytes: all_bytes, minFreeBytes: min_free_bytes },
      source: recordedWorld({ world, registry, clock, settings }),
      note: (kind, text) => world.note(kind, 'warning', text),
    });
  }

  #rowsChanged(list: RegistryList, rows: readonly { id: string }[]): void {
    this.world.shown.set(list, rows);
    this.#steering?.rowsChanged(list, rows);
    this.#commandSide?.rowsChanged(list);
  }

  /** What the registry holds is shown, says who tracks are, and brings its sensors. */
  #join({ assets, assignments, catalog, presence }: Registry, world: LiveWorld, desk: SensorDesk): void {
    world.shown.begin('assets', assets.list());
    world.shown.begin('assignments', assignments.active());
    presence.issuedFor = (linkId) => world.links.get(linkId)?.declared.issuedFor ?? null;
    world.setAffiliator(presence);
    assets.onChange = (changed) => desk.declareOf(changed);
    catalog.onChange = (names) => desk.declareOf(assets.bringers(names));
  }

  /** What changes with time alone. A disk that refuses it now is asked again. */
  #everySecond(): void {
    const { clock, log } = this.#parts;
    try {
      this.registry.assignments.expire();
      this.#threats?.expire(formatTime(clock.utcMs(clock.nowMs())));
      this.registry.presence.tick(clock.nowMs());
      this.#engagements?.tick();
      this.#steering?.everySecond();
      this.#commandSide?.everySecond();
    } catch (thrown) {
      log.warn({ err: thrown }, 'what is due in the registry was not done');
    }
  }

  async stop(): Promise<void> {
    this.#untell();
    if (this.#second) clearInterval(this.#second);
    this.#commandSide?.stop();
    await this.#world?.stop();
    await this.#recordings?.close();
    this.#webhooks?.stop();
    this.#stopSteering();
  }

  /** A disk that refuses what was learnt last holds no stop up. */
  #stopSteering(): void {
    try {
      this.#steering?.stop();
    } catch (thrown) {
      this.#parts.log.warn({ err: thrown }, 'what was counted in the last minute was not written');
    }
  }

  /** What owners decide about the history reaches its writer at once. */
  #keepHistory({ holds, retention }: Registry): void {
    const { history, config } = this.#parts;
    retention.ofConfiguration = config.data.retention;
    const keep = (): void => history.keep(retention.get(), heldSpans(holds.list()));
    holds.onChange = keep;
    retention.onChange = keep;
  }

  /** What people did is told to those who watch as other events of its weight are. */
  #tellAudit({ workspace_id, ...row }: AuditRow): void {
    const isOfBox = workspace_id === null && (this.#parts.isFirst || kindsForAll.includes(row.kind));
    if (workspace_id === this.id || isOfBox) this.#world?.tell(row);
  }
}

/** What of the stream others may be sent; alerts go a way of their own, and what webhooks say of themselves would go on for ever. */
function noticesOf(events: readonly PictureEvent[]): Notice[] {
  const notices: Notice[] = [];
  for (const { kind, at, body } of events) {
    if (kind === 'zone_event') notices.push({ kind, severity: 'info', at, body });
    else if (kind === 'log' && body.severity !== 'debug' && !body.kind.startsWith('webhook.'))
      notices.push({ kind, severity: body.severity, at, body });
  }
  return notices;
}

/** So many things at most have their rows in the evidence about one track: the newest assignments. */
const MOST_TIED = 200;

function tiedTo({ presence, assignments }: Registry, track: Track, assetIds: readonly string[]): string[] {
  const held = track.asset_id === null ? [] : [track.asset_id];
  const assets = new Set([...held, ...assetIds, ...presence.match(track.identities)]);
  const words = assignments.list().filter(({ asset_id }) => assets.has(asset_id));
  return [...assets, ...words.map(({ id }) => id)].slice(0, MOST_TIED);
}

function started<T>(part: T | null): T {
  if (part === null) throw new TypeError('the workspace has not started');
  return part;
}
