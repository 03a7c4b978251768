import type { CommandDesk } from '../../command/control/desk.ts';
import type { Engagements } from '../../command/engagement/engagements.ts';
import type { Clock } from '../../host/clock.ts';
import type { Config } from '../../host/config.ts';
import type { Log } from '../../host/journal.ts';
import type { Metrics } from '../../host/metrics.ts';
import type { Service } from '../../http/service.ts';
import { kindsForAll } from '../../model/event.ts';
import type { SensorSpec } from '../../model/sensor.ts';
import { formatTime } from '../../model/time.ts';
import type { Track } from '../../model/track.ts';
import type { Zone } from '../../model/zone.ts';
import type { Webhooks } from '../../notify/webhooks.ts';
import type { RegistryList } from '../../picture/row_events.ts';
import type { Registry } from '../../registry/registry.ts';
import { SensorRegistry } from '../../registry/sensors.ts';
import type { AuditRow } from '../../store/audit.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import { sensorRows } from '../../store/sensors.ts';
import type { State } from '../../store/state.ts';
import { AlertDesk } from '../../worlds/alerts/desk.ts';
import type { World } from '../../worlds/world.ts';
import { CommandSide } from './command_side.ts';
import { createEngagements } from './engagement_desk.ts';
import { flyingOf } from './flying.ts';
import { ReceiverStore } from './receiver_store.ts';
import { SensorDesk } from './sensor_desk.ts';
import { createService } from './service.ts';
import { Steering } from './steering.ts';
import { ThreatDesk } from './threat_desk.ts';
import { TrackDesk } from './track_desk.ts';

export type TheatreParts = {
  world: World;
  registry: Registry;
  workspace: { id: string; name: string; isFirst: boolean };
  /** What is done in this theatre is written there: commands, plans, marks, and who did them. */
  state: State;
  ledger: Ledger;
  history: HistoryLog;
  clock: Clock;
  log: Log;
  config: Config;
  metrics: Metrics;
  about: Service['about'];
  settingsHash: string;
  recovery?: string | null;
  links: Service['links'];
  /** Zones that hold here besides those of the workspace. */
  zones: readonly Zone[];
  /** How high the ground is in it, above the ellipsoid, wherever one asks; null: as the regions of the workspace say. */
  groundAltHaeM: number | null;
  /** Sensors that nobody declared by hand. */
  sensors: readonly SensorSpec[];
  /** Whom the live world tells; null: nobody else is told of what is simulated or played again. */
  webhooks: Webhooks | null;
  /** It shows what was: nobody is commanded in it. */
  isPast?: boolean;
};

/** A world and the desks from which people work it: the live one, a simulated one and a replayed one have the same. */
export class Theatre {
  readonly world: World;
  readonly registry: Registry;
  readonly service: Service;
  readonly alerts: AlertDesk;
  readonly engagements: Engagements;
  readonly #parts: TheatreParts;
  readonly #sensors: SensorDesk;
  readonly #threats: ThreatDesk;
  readonly #steering: Steering;
  readonly #commandSide: CommandSide;
  readonly #untell: (() => void)[] = [];

  constructor(parts: TheatreParts) {
    const { world, registry, state, ledger, clock, log, config, history, metrics, about, settingsHash } = parts;
    this.#parts = parts;
    this.world = world;
    this.registry = registry;
    const workspaceId = parts.workspace.id;
    const { environment } = registry.rim;
    const nowMs = (): number => clock.nowMs();
    const utcMs = (): number => clock.utcMs(clock.nowMs());
    const until = (untell: () => void): void => void this.#untell.push(untell);
    this.alerts = new AlertDesk(world.alerts, ledger, workspaceId);
    const declared = new SensorRegistry(
      sensorRows(registry.rim.state),
      { workspaceId, environment: environment() },
      registry.rim.ledger,
    );
    const receivers = parts.webhooks === null ? null : new ReceiverStore(state, workspaceId, world.sensors);
    this.#sensors = new SensorDesk(declared, world, nowMs, utcMs, receivers);
    this.#join();
    this.#threats = new ThreatDesk({ world, state, ledger, workspaceId, log });
    const zones = (): readonly Zone[] =>
      parts.zones.length === 0 ? registry.zones.list() : [...registry.zones.list(), ...parts.zones];
    const groundAltHaeM = (latDeg: number, lonDeg: number): number | null =>
      parts.groundAltHaeM ?? registry.regions.ground.altHaeM(latDeg, lonDeg);
    const isLive = parts.webhooks !== null;
    // What flies in memory only may always be found and commanded: nothing of it leaves the box.
    const enabled = !parts.isPast && (config.control.enabled || !isLive);
    const control = { enabled, openSurface: config.control.open_surface };
    const discoveryOn = (): boolean => !isLive || registry.discovery.enabled;
    this.#commandSide = new CommandSide({
      world,
      registry,
      state,
      ledger,
      workspaceId,
      clock,
      control,
      zones,
      groundAltHaeM,
      discoveryOn,
      until,
    });
    this.engagements = createEngagements({
      ...{ world, registry, state, ledger, clock, log, workspaceId, until },
      ...{ control, flying: flyingOf(this.#commandSide) },
    });
    this.service = createService({
      ...{ world, desk: this.#sensors, links: parts.links, history, metrics, config, about, settingsHash },
      workspace: parts.workspace,
      recovery: parts.recovery ?? null,
      events: { state, history, workspaceId, isFirst: parts.workspace.isFirst },
      evidence: {
        ...{ ledger, program: about, utcMs },
        defaultPolicy: () => registry.decision.defaults(),
        tiedTo: (track, assetIds) => tiedTo(registry, track, assetIds),
      },
      tracks: new TrackDesk(world.byHand, ledger, workspaceId),
      threats: this.#threats,
      past: () => ({ policy: world.briefing.policy, site: world.briefing.site }),
      floodRule: () => registry.rules.values().filter(({ builtin }) => builtin === 'suspect_remote_id'),
      nowMs,
    });
    const { webhooks } = parts;
    this.#steering = new Steering({
      workspaceId,
      world,
      registry,
      state,
      clock,
      zones,
      groundAltHaeM,
      until,
      webhooks,
    });
  }

  get commands(): CommandDesk {
    return this.#commandSide.desk;
  }

  get sensors(): SensorDesk {
    return this.#sensors;
  }

  async start(): Promise<void> {
    const { world, registry } = this;
    world.shown.begin('zones', [...registry.zones.list(), ...this.#parts.zones]);
    world.shown.begin('regions', registry.regions.list());
    this.#steering.start();
    this.#untell.push(this.#parts.ledger.onRow((row) => this.tellAudit(row)));
    await world.start();
  }

  /** Once the world runs: what is known of it from before. */
  load(links: () => void = () => {}): void {
    this.#sensors.load(this.#parts.sensors, this.#parts.about.startedAt);
    links();
    this.#threats.load();
    this.#commandSide.start();
    this.#sensors.declareOf(this.registry.assets.bringers());
  }

  rowsChanged(list: RegistryList, rows: readonly { id: string }[]): void {
    this.world.shown.set(list, rows);
    this.#steering.rowsChanged(list, rows);
    this.#commandSide.rowsChanged(list);
  }

  rowRemoved(list: RegistryList, id: string): void {
    this.world.shown.remove(list, id);
    this.#steering.rowRemoved(list, id);
    this.#commandSide.rowRemoved(list, id);
  }

  /** What changes with time alone. */
  everySecond(): void {
    const { clock } = this.#parts;
    this.registry.assignments.expire();
    this.#threats.expire(formatTime(clock.utcMs(clock.nowMs())));
    this.registry.presence.tick(clock.nowMs());
    this.engagements.tick();
    this.#steering.everySecond();
    this.#commandSide.everySecond();
    this.#sensors.everySecond();
  }

  async stop(): Promise<void> {
    for (const untell of this.#untell.splice(0)) untell();
    this.#commandSide.stop();
    await this.world.stop();
    this.#stopSteering();
  }

  /** A disk that refuses what was learnt last holds no stop up. */
  #stopSteering(): void {
    try {
      this.#steering.stop();
    } catch (thrown) {
      this.#parts.log.warn({ err: thrown }, 'what was counted in the last minute was not written');
    }
  }

  /** What the registry holds is shown, says who tracks are, and brings its sensors. */
  #join(): void {
    const { world, registry } = this;
    const { assets, assignments, catalog, presence } = registry;
    world.shown.begin('assets', assets.list());
    world.shown.begin('assignments', assignments.active());
    presence.issuedFor = (linkId) => world.links.get(linkId)?.declared.issuedFor ?? null;
    world.setAffiliator(presence);
    assets.onChange = (changed) => this.#sensors.declareOf(changed);
    this.#untell.push(catalog.changed.add((names) => this.#sensors.declareOf(assets.bringers(names))));
  }

  /** What people did is told to those who watch as other events of its weight are. */
  tellAudit({ workspace_id, ...row }: AuditRow): void {
    const { id, isFirst } = this.#parts.workspace;
    const isOfBox = workspace_id === null && (isFirst || kindsForAll.includes(row.kind));
    if (workspace_id === id || isOfBox) this.world.tell(row);
  }
}

/** So many things at most have their rows in the evidence about one track: the newest assignments. */
const MOST_TIED = 200;

function tiedTo({ presence, assignments }: Registry, track: Track, assetIds: readonly string[]): string[] {
  const held = track.asset_id === null ? [] : [track.asset_id];
  const assets = new Set([...held, ...assetIds, ...presence.match(track.identities)]);
  const words = assignments.list().filter(({ asset_id }) => assets.has(asset_id));
  return [...assets, ...words.map(({ id }) => id)].slice(0, MOST_TIED);
}
