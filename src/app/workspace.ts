import { SealedSecrets } from '../access/sealed.ts';
import { createSender } from '../alerts/webhooks/send.ts';
import { Webhooks } from '../alerts/webhooks/webhooks.ts';
import type { Engagements } from '../engagement/engagements.ts';
import type { About } from '../host/program.ts';
import { pulse } from '../host/pulse.ts';
import { withoutFiles } from '../model/credentials.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { StopAll } from '../model/engagement.ts';
import type { BoxTime } from '../model/event.ts';
import type { Health } from '../model/health.ts';
import type { SimState } from '../model/picture.ts';
import { formatTime } from '../model/time.ts';
import type { Notice } from '../model/webhook.ts';
import type { Outlets } from '../outlet/outlets.ts';
import type { PictureEvent } from '../picture/events.ts';
import type { RegistryList } from '../picture/row_events.ts';
import { RecordingService } from '../recording/recording_service.ts';
import { Registry } from '../registry/registry.ts';
import type { RetentionChoice } from '../registry/retention.ts';
import { ScenarioService } from '../sim/scenarios/scenario_service.ts';
import { alertStore } from '../store/alerts.ts';
import { endedByHand } from '../store/audit_list.ts';
import { heldSpans } from '../store/holds.ts';
import type { HeldSpan } from '../store/log/held.ts';
import type { HistoryLog } from '../store/log/history.ts';
import { nodeIdOf } from '../store/node_id.ts';
import { versionRows } from '../store/versions.ts';
import { lastTracksSinceMs } from '../world/restore.ts';
import { storedSigning } from '../world/signing/key_store.ts';
import { World } from '../world/world.ts';
import type { WorldBefore } from '../world/world_deps.ts';
import { CredentialService } from './credential_service.ts';
import { CredentialStore } from './credential_store.ts';
import { CredentialWatch } from './credential_watch.ts';
import { HealthService } from './health_service.ts';
import { HealthWatch } from './health_watch.ts';
import { IngestService } from './ingest_service.ts';
import { LinkService } from './link_service.ts';
import { liveOutlets, loadOutlets } from './live_outlets.ts';
import { PlaybackService } from './playback/playback_service.ts';
import { Players } from './playback/players.ts';
import { recordedWorld } from './recorded_world.ts';
import { RuleTrialService } from './rule_trial.ts';
import { runAll } from './run_all.ts';
import type { StreamSource } from './shown_stream.ts';
import { ShownWorld, type WorldName } from './shown_world.ts';
import { SigningService } from './signing_service.ts';
import type { WorkspaceDeps } from './workspace_deps.ts';
import { WorldServices, worldDepsOf } from './world_services.ts';
import { lifeOf, worldSettings } from './world_settings.ts';

type LiveParts = { secrets: SealedSecrets; store: CredentialStore; registry: Registry };

/** A running workspace: its live world, and the services that requests use. */
export class Workspace {
  readonly id: string;
  readonly name: string;
  readonly about: About;
  readonly settingsHash: string;
  readonly history: HistoryLog;
  readonly links: LinkService;
  readonly ingest: IngestService;
  readonly ruleTrials: RuleTrialService;
  readonly health: HealthService;
  readonly playback: PlaybackService;
  readonly recordings: RecordingService;
  readonly webhooks: Webhooks;
  readonly outlets: Outlets;
  readonly credentials: CredentialService;
  readonly #deps: WorkspaceDeps;
  readonly #shownWorld: ShownWorld;
  readonly #players: Players;
  readonly #healthWatch: HealthWatch;
  readonly #credentialWatch: CredentialWatch;
  #unsubscribe: () => void = () => {};
  #keepHistoryUpToDate: () => void = () => {};
  #endSeconds: () => void = () => {};

  private constructor(deps: WorkspaceDeps, before: WorldBefore) {
    const { row, state, ledger, clock, config, log, history, counter, about, shared } = deps;
    this.id = row.id;
    this.name = row.name;
    this.about = about;
    this.settingsHash = deps.settingsHash;
    this.history = history;
    this.#deps = deps;
    const workspaceId = row.id;
    const nowMs = (): number => clock.nowMs();
    const utcMs = (): number => clock.utcMs(clock.nowMs());
    const secrets = new SealedSecrets({ state, ledger, nowMs, utcMs, permissionsChanged: () => {} }, shared.sealingKey);
    const webhooks = new Webhooks({
      ...{ state, ledger, workspaceId, secrets, nowMs, utcMs },
      send: createSender(shared.ownPort),
      // `Webhooks` may log or announce deliveries of an earlier run in its constructor, before the world exists.
      announce: (body) => this.#shownWorld?.live.world.announce('config_change', body),
      note: (...said) => this.#shownWorld?.live.world.note(...said),
    });
    this.webhooks = webhooks;
    const registry = this.#registryOf();
    const store = this.#credentialsOf(secrets);
    const world = this.#liveWorld(before, { secrets, store, registry });
    const signing = new SigningService({ world, state, ledger, workspaceId, secrets });
    const claims = shared.claims.of(workspaceId);
    this.outlets = liveOutlets({
      ...{ world, registry, state, ledger, clock, workspaceId, claims, about, store },
      health: () => this.#healthWatch.published,
    });
    this.links = new LinkService({ links: registry.links, world, ledger, workspaceId, log, signing });
    const { links, outlets } = this;
    this.credentials = new CredentialService({ ...{ store, secrets, ledger, workspaceId, links, outlets } });
    this.#credentialWatch = new CredentialWatch({
      watched: () => ({ link: world.links.list(), outlet: outlets.running() }),
      ...{ utcMs, note: world.note },
    });
    const live = new WorldServices({
      ...{ world, registry, state, ledger, history, counter, clock, log, config, about },
      ...{ webhooks, zones: [], groundAltHaeM: null, sensors: deps.sensors },
      workspace: { id: this.id, name: this.name, isFirst: deps.isFirst },
      frames: (sinceMs, untilMs) => this.recordings.framesBetween(sinceMs, untilMs),
    });
    this.#shownWorld = new ShownWorld(live);
    this.ingest = new IngestService(world, nowMs);
    this.ruleTrials = new RuleTrialService({ world, registry, history });
    const { recovery, lagMs } = shared;
    const stateTrouble = (): string | null => state.trouble();
    this.health = new HealthService({
      world,
      outlets: this.outlets,
      history,
      nowMs,
      clock: () => clock.state(),
      recovery,
      stateTrouble,
      lagMs,
    });
    this.#healthWatch = new HealthWatch({
      ...{ health: () => this.health.get(), history, world, nowMs, utcMs },
      announce: (health) => {
        for (const worldServices of this.#shownWorld.all) worldServices.world.announce('health_update', health);
      },
    });
    const workspace = { id: this.id, name: this.name, isFirst: deps.isFirst };
    this.#players = new Players({ registry, about, config, log, workspace, ...this.#documents() });
    this.playback = this.#playbackService();
    this.recordings = this.#recordingService(live);
  }

  /** Starts a workspace. Call this after its history has started. */
  static async begin(deps: WorkspaceDeps): Promise<Workspace> {
    const { row, state, history, clock } = deps;
    const ended = endedByHand(state, row.id);
    const sinceMs = lastTracksSinceMs(clock.nowMs());
    const kept = await history.lastTracks({ sinceMs });
    const lastTracks = kept.map((track) => (ended.has(track.id) ? { ...track, state: 'closed' as const } : track));
    const open = lastTracks.filter(({ state: now }) => now !== 'closed').map(({ id }) => id);
    const summaries = await history.lastSummaries(sinceMs, open);
    const workspace = new Workspace(deps, { lastTracks, summaries });
    await workspace.#start();
    return workspace;
  }

  get shown(): WorldServices {
    return this.#shownWorld.shown;
  }

  get live(): WorldServices {
    return this.#shownWorld.live;
  }

  /** The live world. */
  get world(): World {
    return this.live.world;
  }

  worldOf(asked?: WorldName): WorldServices {
    return this.#shownWorld.of(asked);
  }

  /** Returns the current UTC of the box, and the trust in its clock. */
  boxTime(): BoxTime {
    const { clock } = this.#deps;
    return { box_at: formatTime(clock.utcMs(clock.nowMs())), trust: clock.trust() };
  }

  stream(asked?: WorldName): StreamSource {
    return this.#shownWorld.stream(asked);
  }

  /** Stops all vehicles of the live world, and of a simulated world if there is one, whichever world is shown. */
  async stopAll(...asked: Parameters<Engagements['stopAll']>): Promise<StopAll> {
    const { live, played } = this.#shownWorld;
    return played?.mode === 'sim'
      ? stopBoth(live.engagements, played.worldServices.engagements, asked)
      : live.engagements.stopAll(...asked);
  }

  async #start(): Promise<void> {
    const { live } = this;
    const { registry, world } = live;
    const { shared, log } = this.#deps;
    registry.runs.begin();
    this.#keepHistory(registry);
    this.#players.clear();
    this.recordings.load();
    await live.start();
    this.webhooks.start();
    loadOutlets(this.outlets, this.#deps.outlets.map(withoutFiles), shared.recovery !== null, log);
    world.stream.onFlush((events) => {
      this.webhooks.offer(noticesOf(events));
      this.outlets.take(events);
    });
    live.load(() => this.links.load());
    this.playback.begin();
    // The live world publishes audit rows itself; here they are also published in a played world.
    this.#unsubscribe = this.#deps.ledger.onRow((row) => this.#shownWorld.played?.worldServices.publishAudit(row));
    this.#endSeconds = pulse.every(1_000, () => this.#everySecond());
  }

  #liveWorld(before: WorldBefore, { secrets, store, registry }: LiveParts): World {
    const { state, config, clock, log, history, counter, onFatal, shared, sensors, timeReported, ledger } = this.#deps;
    const links = this.#deps.links.map(withoutFiles);
    const decided = versionRows(state, 'decision_configs').latest(this.id)?.document as DecisionPolicy | undefined;
    const given = { ...worldSettings(config), links, sensors };
    const tracking = { ...given.tracking, ...lifeOf(decided?.tracking ?? config.tracking) };
    const nodeId = nodeIdOf(state, this.id, ledger.nowText());
    const own = { workspaceId: this.id, nodeId, environment: 'live', provenance: 'live' } as const;
    const deps = {
      ...{ clock, log, history, counter, onFatal, timeReported, claims: shared.claims.of(this.id) },
      alerts: alertStore(state, this.id, (notices) => this.webhooks.write(notices)),
      signing: storedSigning(state, this.id, secrets),
      credentials: (id: string) => store.of('link', id),
      ...this.#documents(),
      ...worldDepsOf(registry, null, () => this.#shownWorld?.live),
    };
    return new World({ ...given, ...own, tracking }, deps, before);
  }

  #credentialsOf(secrets: SealedSecrets): CredentialStore {
    const { clock, links, outlets } = this.#deps;
    const nowMs = (): number => clock.nowMs();
    const utcMs = (): number => clock.utcMs(clock.nowMs());
    return new CredentialStore({
      secrets,
      workspaceId: this.id,
      nowMs,
      utcMs,
      files: { link: links, outlet: outlets },
    });
  }

  /** Returns the documents of the workspace that are in the pictures of all its worlds: simulator state and health. */
  #documents(): { sim(): SimState; health(): Health } {
    return { sim: () => this.playback.state(), health: () => this.#healthWatch.published };
  }

  #registryOf(): Registry {
    const { state, ledger, config, shared } = this.#deps;
    const { max_tracks: _most, ...tracking } = config.tracking;
    return new Registry({
      ...{ state, ledger, workspaceId: this.id, environment: () => 'live' },
      publish: {
        row: (list, row) => this.#rowsChanged(list, [row]),
        rows: (list, rows) => this.#rowsChanged(list, rows),
        removed: (list, id) => {
          for (const worldServices of this.#worldsOf(list)) worldServices.rowRemoved(list, id);
        },
        announce: (kind, body) => {
          for (const worldServices of this.#shownWorld.all) worldServices.world.announce(kind, body);
        },
      },
      retention: { ofConfiguration: config.data.retention, clock: shared.retentionClock },
      box: {
        ...{ tracking, settings: shared.settings, discovery: shared.discovery },
        links: () => this.links.list(),
      },
    });
  }

  #rowsChanged(list: RegistryList, rows: readonly { id: string }[]): void {
    for (const worldServices of this.#worldsOf(list)) worldServices.rowsChanged(list, rows);
  }

  /**
   * Returns the worlds in which a list of the registry applies. Zones and regions apply in all worlds. Assets and
   * assignments apply in the live world only.
   */
  #worldsOf(list: RegistryList): readonly WorldServices[] {
    return list === 'zones' || list === 'regions' ? this.#shownWorld.all : [this.#shownWorld.live];
  }

  #playbackService(): PlaybackService {
    const { about, shared } = this.#deps;
    const { registry } = this.live;
    const scenarios = new ScenarioService(registry);
    return new PlaybackService({
      ...{ shownWorld: this.#shownWorld, registry, players: this.#players, build: about.build },
      realMs: () => performance.now(),
      scenario: (id) => scenarios.get(id),
      recording: (id) => this.recordings.hold(id),
      trials: shared.trials,
    });
  }

  #recordingService({ world, registry }: WorldServices): RecordingService {
    const { config, ledger, clock, shared } = this.#deps;
    const { max_bytes, max_s, all_bytes, min_free_bytes } = config.data.recordings;
    return new RecordingService({
      ...{ store: shared.recordings, workspaceId: this.id, recorderHook: world.recorderHook, ledger },
      settings: { maxS: max_s, maxBytes: max_bytes, allBytes: all_bytes, minFreeBytes: min_free_bytes },
      source: recordedWorld({ world, registry, clock, settings: { ...worldSettings(config), workspaceId: this.id } }),
      note: (kind, text) => world.note(kind, 'warning', text),
    });
  }

  /** Does the work that is due each second. A write that fails is repeated in the next second. */
  #everySecond(): void {
    // The health watch runs first, so that it reports a failing disk even if the writes below throw.
    this.#healthWatch.everySecond();
    try {
      runAll([
        () => this.live.everySecond(),
        () => this.outlets.everySecond(),
        () => this.#credentialWatch.everySecond(),
        () => this.#keepHistoryUpToDate(),
      ]);
    } catch (thrown) {
      this.#deps.log.warn({ err: thrown }, 'the periodic work of the workspace failed: it is tried again in 1 s');
    }
  }

  async stop(): Promise<void> {
    this.#endSeconds();
    this.#unsubscribe();
    await this.playback.end();
    await this.live.stop();
    await this.recordings.close();
    this.webhooks.stop();
  }

  /** Passes retention settings and holds to the history now, and again after each change. */
  #keepHistory({ holds, retention }: Registry): void {
    const { history, shared } = this.#deps;
    let day: string | null = null;
    let kept: RetentionChoice | null = null;
    const keep = (): void => {
      // In recovery the holds cannot be read, so no history is deleted.
      if (shared.recovery !== null) {
        history.keep({ prunedBefore: null, bytes: Number.MAX_SAFE_INTEGER }, [always]);
        return;
      }
      kept = retention.get();
      const limits = shared.retentionClock.historyLimits(kept);
      day = limits.prunedBefore;
      history.keep(limits, heldSpans(holds.list()));
    };
    holds.changed.add(keep);
    retention.changed.add(keep);
    keep();
    // The limit `prunedBefore` changes on a new day, and when the trust in the clock changes.
    this.#keepHistoryUpToDate = () => {
      if (kept !== null && shared.retentionClock.historyLimits(kept).prunedBefore !== day) keep();
    };
  }
}

const always: HeldSpan = { trackId: null, sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

/**
 * Returns the notices for webhooks from events of the picture: zone events, and log rows above `debug`. Alerts are left
 * out, because they are delivered separately. Log rows about webhooks are left out, because they would cause endless
 * deliveries.
 */
function noticesOf(events: readonly PictureEvent[]): Notice[] {
  const notices: Notice[] = [];
  for (const { kind, at, body } of events) {
    if (kind === 'zone_event') notices.push({ kind, severity: 'info', at, body });
    else if (kind === 'log' && body.severity !== 'debug' && !body.kind.startsWith('webhook.'))
      notices.push({ kind, severity: body.severity, at, body });
  }
  return notices;
}

/**
 * Stops the vehicles of the live world and of the simulated world. A failure in one world does not prevent the stop in
 * the other world. Throws only if both fail.
 */
async function stopBoth(
  live: Engagements,
  beside: Engagements,
  asked: Parameters<Engagements['stopAll']>,
): Promise<StopAll> {
  const [first, second] = await Promise.allSettled([live.stopAll(...asked), beside.stopAll(...asked)]);
  const done = [first, second].flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (first.status === 'rejected' && second.status === 'rejected') throw first.reason;
  return {
    engagements: done.reduce((sum, { engagements }) => sum + engagements, 0),
    tasks: done.reduce((sum, { tasks }) => sum + tasks, 0),
    platforms: done.flatMap(({ platforms }) => platforms),
  };
}
