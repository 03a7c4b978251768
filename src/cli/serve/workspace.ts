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
import type { StopAll } from '../../model/engagement.ts';
import { idleSim } from '../../model/picture.ts';
import type { Setting } from '../../model/setting.ts';
import type { Notice } from '../../model/webhook.ts';
import { createSender } from '../../notify/send.ts';
import { Webhooks } from '../../notify/webhooks.ts';
import type { PictureEvent } from '../../picture/picture.ts';
import type { RegistryList } from '../../picture/row_events.ts';
import type { DiscoverySwitch } from '../../registry/discovery.ts';
import { Registry } from '../../registry/registry.ts';
import { endedByHand } from '../../store/audit_list.ts';
import { heldSpans } from '../../store/holds.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { HeldSpan } from '../../store/log/held.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import type { LogCounter } from '../../store/log_counter.ts';
import type { RetentionClock } from '../../store/retention_clock.ts';
import type { State } from '../../store/state.ts';
import { versionRows } from '../../store/versions.ts';
import type { WorkspaceRow } from '../../store/workspaces.ts';
import type { AlertDesk } from '../../worlds/alerts/desk.ts';
import { storedAlerts } from '../../worlds/alerts/keeper.ts';
import { RecordingDesk } from '../../worlds/replay/desk.ts';
import type { RecordingShelf } from '../../worlds/replay/shelf.ts';
import { lastTracksSinceMs } from '../../worlds/restore.ts';
import { storedSigning } from '../../worlds/signing/keeper.ts';
import { ScenarioDesk } from '../../worlds/sim/scenarios/desk.ts';
import { World } from '../../worlds/world.ts';
import type { WorldSettings } from '../../worlds/world_rim.ts';
import { LinkDesk } from './link_desk.ts';
import type { OneAtATime } from './one_at_a_time.ts';
import { Players } from './players.ts';
import { recordedWorld } from './recorded_world.ts';
import { shownService } from './shown_service.ts';
import { SigningDesk } from './signing_desk.ts';
import { SimDesk } from './sim_desk.ts';
import { Stage } from './stage.ts';
import { lifeOf } from './steering.ts';
import { stopBoth } from './stop_both.ts';
import { Theatre } from './theatre.ts';
import { worldSettings } from './world_settings.ts';

export type WorkspaceParts = {
  row: WorkspaceRow;
  /** The box's own affairs are told in its first workspace. */
  isFirst: boolean;
  config: Config;
  /** The box's own, which belong to the first workspace; others begin empty. */
  links: WorldSettings['links'];
  sensors: WorldSettings['sensors'];
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
    retentionClock: RetentionClock;
    /** Why the state of the box is not used; null where it is. */
    recovery: string | null;
    /** Recordings are played under other policies one at a time. */
    trials: OneAtATime;
    /** Where the service listens itself, once it does: nobody is to have it send to itself. */
    ownPort(): number | null;
  };
};

/** One workspace at work: its live theatre, and what requests see of it. */
export class Workspace implements HttpWorkspace {
  readonly id: string;
  readonly name: string;
  readonly history: HistoryLog;
  readonly #parts: WorkspaceParts;
  readonly #secrets: SealedSecrets;
  #stage: Stage | null = null;
  #service: Service | null = null;
  #simulator: SimDesk | null = null;
  #links: LinkDesk | null = null;
  #webhooks: Webhooks | null = null;
  #untell: () => void = () => {};
  #keepHistoryUpToDate: () => void = () => {};
  #recordings: RecordingDesk | null = null;
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

  get #shown(): Theatre {
    return started(this.#stage).shown;
  }

  /** The live one. */
  get world(): World {
    return started(this.#stage).live.world;
  }

  get registry(): Registry {
    return this.#shown.registry;
  }

  get service(): Service {
    return started(this.#service);
  }

  get simulator(): SimDesk {
    return started(this.#simulator);
  }

  get alerts(): AlertDesk {
    return this.#shown.alerts;
  }

  get engagements(): Engagements {
    return this.#shown.engagements;
  }

  /** The live world always, whichever is shown; and what is simulated, where it is. */
  async stopAll(...asked: Parameters<Engagements['stopAll']>): Promise<StopAll> {
    const { live, act } = started(this.#stage);
    return act?.mode === 'sim'
      ? stopBoth(live.engagements, act.theatre.engagements, asked)
      : live.engagements.stopAll(...asked);
  }

  get recordings(): RecordingDesk {
    return started(this.#recordings);
  }

  get webhooks(): Webhooks {
    return started(this.#webhooks);
  }

  get fleet(): Fleet {
    return this.#shown.world.fleet;
  }

  get commands(): CommandDesk {
    return this.#shown.commands;
  }

  /** The history must have started. */
  async start(): Promise<void> {
    const { state, config, clock, log, history, counter, ledger, metrics, about, settingsHash } = this.#parts;
    const webhooks = this.#notifier();
    const world = await this.#liveWorld(webhooks);
    const registry = this.#registryOf(world);
    registry.runs.begin();
    this.#keepHistory(registry);
    const workspaceId = this.id;
    const signing = new SigningDesk({ world, state, ledger, workspaceId, secrets: this.#secrets });
    const links = new LinkDesk({ links: registry.links, world, ledger, workspaceId, log, signing });
    this.#links = links;
    const live = new Theatre({
      ...{ world, registry, state, ledger, history, counter, clock, log, config, metrics, about, settingsHash, links },
      recovery: this.#parts.shared.recovery,
      ...{ webhooks, zones: [], groundAltHaeM: null, sensors: this.#parts.sensors },
      workspace: { id: this.id, name: this.name, isFirst: this.#parts.isFirst },
    });
    this.#stage = new Stage(live);
    this.#service = shownService(this.#stage, () => this.simulator.state());
    this.#simulator = this.#simDesk(this.#stage);
    this.#recordings = this.#recordingDesk(live);
    this.#recordings.load();
    await live.start();
    webhooks.start();
    world.onFlush((events) => webhooks.offer(noticesOf(events)));
    live.load(() => links.load());
    this.simulator.begin();
    // What people did to the workspace is told in whatever is played beside it too.
    this.#untell = ledger.onRow((row) => this.#stage?.act?.theatre.tellAudit(row));
    this.#second = setInterval(() => this.#everySecond(), 1_000);
  }

  async #liveWorld(webhooks: Webhooks): Promise<World> {
    const { state, config, clock, log, history, counter, onFatal, shared } = this.#parts;
    const claims = shared.claims.of(this.id);
    const ended = endedByHand(state, this.id);
    const kept = await history.lastTracks({ sinceMs: lastTracksSinceMs(clock.nowMs()) });
    const lastTracks = kept.map((track) => (ended.has(track.id) ? { ...track, state: 'closed' as const } : track));
    const decided = versionRows(state, 'decision_configs').latest(this.id)?.document as DecisionPolicy | undefined;
    const life = lifeOf(decided?.tracking ?? config.tracking);
    const { links, sensors } = this.#parts;
    const given = { ...worldSettings(config), links, sensors };
    const own = { workspaceId: this.id, environment: 'live', provenance: 'live' } as const;
    const settings = { ...own, ...given, tracking: { ...given.tracking, ...life } };
    const signing = storedSigning(state, this.id, this.#secrets);
    const alerts = storedAlerts(state, this.id, (notices) => webhooks.write(notices));
    const rim = {
      clock,
      log,
      history,
      counter,
      claims,
      onFatal,
      alerts,
      signing,
      sim: () => this.#simulator?.state() ?? idleSim,
    };
    return new World(settings, rim, { lastTracks });
  }

  #registryOf(_world: World): Registry {
    const { state, ledger, config, shared } = this.#parts;
    const { max_tracks: _most, ...tracking } = config.tracking;
    return new Registry({
      ...{ state, ledger, workspaceId: this.id, environment: () => 'live' },
      tell: {
        row: (list, row) => this.#rowsChanged(list, [row]),
        rows: (list, rows) => this.#rowsChanged(list, rows),
        removed: (list, id) => {
          for (const theatre of this.#theatresOf(list)) theatre.rowRemoved(list, id);
        },
        announce: (kind, body) => {
          for (const theatre of this.#stage?.all ?? []) theatre.world.shown.announce(kind, body);
        },
      },
      box: {
        ...{ tracking, settings: shared.settings, discovery: shared.discovery },
        links: () => started(this.#links).list(),
      },
    });
  }

  #rowsChanged(list: RegistryList, rows: readonly { id: string }[]): void {
    for (const theatre of this.#theatresOf(list)) theatre.rowsChanged(list, rows);
  }

  /** Zones and regions are of the workspace, assets and assignments of the live environment. */
  #theatresOf(list: RegistryList): readonly Theatre[] {
    if (!this.#stage) return [];
    return list === 'zones' || list === 'regions' ? this.#stage.all : [this.#stage.live];
  }

  #simDesk(stage: Stage): SimDesk {
    const { about, config, metrics, settingsHash, log, shared } = this.#parts;
    const { registry, service } = stage.live;
    const scenarios = new ScenarioDesk(registry);
    const players = new Players({
      ...{ registry, about, config, metrics, settingsHash, log, links: service.links },
      workspace: { id: this.id, name: this.name },
      sim: () => this.simulator.state(),
    });
    players.clear();
    return new SimDesk({
      ...{ stage, registry, players, build: about.build, realMs: () => performance.now() },
      scenario: (id) => scenarios.get(id),
      recording: (id) => this.recordings.hold(id),
      trials: shared.trials,
    });
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
      announce: (body) => this.#stage?.live.world.shown.announce('config_change', body),
      note: (...said) => this.#stage?.live.world.note(...said),
    });
    this.#webhooks = webhooks;
    return webhooks;
  }

  #recordingDesk({ world, registry }: Theatre): RecordingDesk {
    const { config, ledger, clock, shared } = this.#parts;
    const { max_bytes, max_s, all_bytes, min_free_bytes } = config.data.recordings;
    return new RecordingDesk({
      ...{ shelf: shared.recordings, workspaceId: this.id, taps: world.taps, ledger },
      settings: { maxS: max_s, maxBytes: max_bytes, allBytes: all_bytes, minFreeBytes: min_free_bytes },
      source: recordedWorld({ world, registry, clock, settings: { ...worldSettings(config), workspaceId: this.id } }),
      note: (kind, text) => world.note(kind, 'warning', text),
    });
  }

  /** A disk that refuses it now is asked again. */
  #everySecond(): void {
    try {
      this.#stage?.live.everySecond();
      this.#keepHistoryUpToDate();
    } catch (thrown) {
      this.#parts.log.warn({ err: thrown }, 'what is due in the registry was not done');
    }
  }

  async stop(): Promise<void> {
    if (this.#second) clearInterval(this.#second);
    this.#untell();
    await this.#simulator?.end();
    await this.#stage?.live.stop();
    await this.#recordings?.close();
    this.#webhooks?.stop();
  }

  /** What owners decide about the history reaches its writer at once. */
  #keepHistory({ holds, retention }: Registry): void {
    const { history, config, shared } = this.#parts;
    retention.ofConfiguration = config.data.retention;
    retention.clock = shared.retentionClock;
    let day: string | null = null;
    const keep = (): void => {
      // What is under hold is not known: all stays.
      if (shared.recovery !== null) {
        history.keep({ prunedBefore: null, bytes: Number.MAX_SAFE_INTEGER }, [always]);
        return;
      }
      const limits = shared.retentionClock.historyLimits(retention.get());
      day = limits.prunedBefore;
      history.keep(limits, heldSpans(holds.list()));
    };
    holds.onChange = keep;
    retention.onChange = keep;
    keep();
    // A new day, or another judgement of the clock.
    this.#keepHistoryUpToDate = () => {
      if (shared.retentionClock.historyLimits(retention.get()).prunedBefore !== day) keep();
    };
  }
}

const always: HeldSpan = { trackId: null, sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

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

function started<T>(part: T | null): T {
  if (part === null) throw new TypeError('the workspace has not started');
  return part;
}
