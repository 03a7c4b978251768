import { AlertService } from '../alerts/alert_service.ts';
import type { Webhooks } from '../alerts/webhooks/webhooks.ts';
import type { CommandService } from '../command/commands/command_service.ts';
import type { Engagements } from '../engagement/engagements.ts';
import type { FleetRegistry } from '../fleet/deps.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Clock } from '../host/clock.ts';
import type { Config } from '../host/config.ts';
import type { Log } from '../host/journal.ts';
import type { About } from '../host/program.ts';
import { kindsForAll } from '../model/event.ts';
import type { SensorSpec } from '../model/sensor.ts';
import { formatTime } from '../model/time.ts';
import type { Track } from '../model/track.ts';
import type { Zone } from '../model/zone.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { RecordingService } from '../recording/recording_service.ts';
import type { Registry } from '../registry/registry.ts';
import { SensorRegistry } from '../registry/sensors.ts';
import type { AuditRow } from '../store/audit.ts';
import type { Ledger } from '../store/ledger.ts';
import type { HistoryLog } from '../store/log/history.ts';
import { sensorRows } from '../store/sensors.ts';
import type { State } from '../store/state.ts';
import type { World } from '../world/world.ts';
import type { WorldDeps } from '../world/world_deps.ts';
import { CommandSide } from './command_side.ts';
import { Steering } from './core_steering.ts';
import { createEngagements } from './engagement_service.ts';
import { EventService } from './event_service.ts';
import { alertsOf, evidencePlace } from './evidence_place.ts';
import { EvidenceService } from './evidence_service.ts';
import { ExpectedFlights } from './expected_flights.ts';
import { flyingOf } from './flying.ts';
import { ReceiverStore } from './receiver_store.ts';
import { runAll } from './run_all.ts';
import { SensorService } from './sensor_service.ts';
import { ThreatService } from './threat_service.ts';
import { TrackService } from './track_service.ts';

type WorldServicesDeps = {
  world: World;
  registry: Registry;
  workspace: { id: string; name: string; isFirst: boolean };
  /** Database for the commands, plans, marks and audit rows of this world. */
  state: State;
  ledger: Ledger;
  history: HistoryLog;
  clock: Clock;
  log: Log;
  config: Config;
  about: About;
  /** Zones that apply in this world in addition to the zones of the workspace. */
  zones: readonly Zone[];
  /** Ground height of the whole world above the ellipsoid, m; null to take it from the regions of the workspace. */
  groundAltHaeM: number | null;
  /** Sensors that the configuration or the scenario declares. */
  sensors: readonly SensorSpec[];
  /** Webhooks of the live world; null for simulated and replayed worlds, whose events must not leave the box. */
  webhooks: Webhooks | null;
  /** Returns a reader of the bytes recorded in a time span. Present only in the live world. */
  frames?: RecordingService['framesBetween'];
  /** True if the world shows the past (a replay), so that its vehicles cannot be commanded. */
  isPast?: boolean;
};

/** A world and the services that people use on it. Live, simulated and replayed worlds have the same services. */
export class WorldServices {
  readonly world: World;
  readonly registry: Registry;
  readonly tracks: TrackService;
  readonly threats: ThreatService;
  readonly expectedFlights: ExpectedFlights;
  readonly sensors: SensorService;
  readonly events: EventService;
  readonly evidence: EvidenceService;
  readonly alerts: AlertService;
  readonly engagements: Engagements;
  readonly #deps: WorldServicesDeps;
  readonly #steering: Steering;
  readonly #commandSide: CommandSide;
  readonly #unsubscribe: (() => void)[] = [];

  constructor(deps: WorldServicesDeps) {
    const { world, registry, state, ledger, clock, log, config, history, about } = deps;
    this.#deps = deps;
    this.world = world;
    this.registry = registry;
    const workspaceId = deps.workspace.id;
    const { environment } = registry.deps;
    const nowMs = (): number => clock.nowMs();
    const utcMs = (): number => clock.utcMs(clock.nowMs());
    const until = (unsubscribe: () => void): void => void this.#unsubscribe.push(unsubscribe);
    this.alerts = new AlertService(world.alerts, ledger, workspaceId);
    const declared = new SensorRegistry(
      sensorRows(registry.deps.state),
      { workspaceId, environment: environment() },
      registry.deps.ledger,
    );
    const receivers = deps.webhooks === null ? null : new ReceiverStore(state, workspaceId, world.sensors);
    this.sensors = new SensorService({ registry: declared, world, nowMs, utcMs, receivers });
    this.#join();
    this.tracks = new TrackService({ world, history, ledger, workspaceId });
    this.threats = new ThreatService({ world, state, ledger, workspaceId, log });
    this.expectedFlights = new ExpectedFlights({ world, state, ledger, workspaceId, log });
    const zones = (): readonly Zone[] =>
      deps.zones.length === 0 ? registry.zones.list() : [...registry.zones.list(), ...deps.zones];
    const groundAltHaeM = groundOf(registry, deps.groundAltHaeM);
    const isLive = deps.webhooks !== null;
    // Simulated vehicles can always be discovered and commanded, because no bytes to them leave the box.
    const enabled = !deps.isPast && (config.control.enabled || !isLive);
    const control = { enabled, openSurface: config.control.open_surface };
    const discoveryOn = (): boolean => !isLive || registry.discovery.enabled;
    const common = { world, registry, state, ledger, clock, workspaceId, until };
    this.#commandSide = new CommandSide({ ...common, control, zones, groundAltHaeM, discoveryOn });
    this.engagements = createEngagements({ ...common, log, control, flying: flyingOf(this.#commandSide) });
    this.events = new EventService({ state, history, workspaceId, isFirst: deps.workspace.isFirst });
    this.evidence = new EvidenceService({
      ...{ world, history, events: this.events, state, ledger, workspaceId, program: about, utcMs },
      defaultPolicy: () => registry.decision.defaults(),
      workspaceName: deps.workspace.name,
      place: evidencePlace(registry, world, zones),
      alerts: (track) => alertsOf(this.alerts, track),
      frames: (sinceMs, untilMs) => deps.frames?.(sinceMs, untilMs) ?? null,
      tiedTo: (track, assetIds) => tiedTo(registry, track, assetIds),
    });
    this.#steering = new Steering({ ...common, zones, groundAltHaeM, webhooks: deps.webhooks });
  }

  get commands(): CommandService {
    return this.#commandSide.service;
  }

  get fleetRegistry(): FleetRegistry {
    return this.#commandSide.fleetRegistry;
  }

  get fleet(): Fleet {
    return this.world.fleet;
  }

  async start(): Promise<void> {
    const { world, registry } = this;
    world.picture.listed.beginRows('zones', [...registry.zones.list(), ...this.#deps.zones]);
    world.picture.listed.beginRows('regions', registry.regions.list());
    this.#steering.start();
    this.#unsubscribe.push(this.#deps.ledger.onRow((row) => this.publishAudit(row)));
    await world.start();
  }

  /** Restores the stored state of the world. `links` adds the links. Call this when the world runs. */
  load(links: () => void = () => {}): void {
    this.sensors.load(this.#deps.sensors, this.#deps.about.startedAt);
    links();
    this.threats.load();
    this.expectedFlights.load();
    this.#commandSide.start();
    this.sensors.declareOf(this.registry.assets.bringers());
  }

  rowsChanged(list: RegistryList, rows: readonly { id: string }[]): void {
    this.world.setRows(list, rows);
    this.#steering.rowsChanged(list, rows);
    this.#commandSide.rowsChanged(list);
  }

  rowRemoved(list: RegistryList, id: string): void {
    this.world.removeRow(list, id);
    this.#steering.rowRemoved(list, id);
    this.#commandSide.rowRemoved(list, id);
  }

  /** Applies the changes that depend only on time, and writes what is due. Throws after all of it if a part failed. */
  everySecond(): void {
    const { clock } = this.#deps;
    const nowText = formatTime(clock.utcMs(clock.nowMs()));
    runAll([
      () => this.registry.assignments.expire(),
      () => this.threats.expire(nowText),
      () => this.expectedFlights.expire(nowText),
      () => this.registry.presence.tick(clock.nowMs()),
      () => this.engagements.tick(),
      () => this.#steering.everySecond(),
      () => this.#commandSide.everySecond(),
      () => this.sensors.everySecond(),
    ]);
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    this.#commandSide.stop();
    await this.world.stop();
    this.#stopSteering();
  }

  /** Stops the steering. A failure of its last write is logged, and does not prevent the stop. */
  #stopSteering(): void {
    try {
      this.#steering.stop();
    } catch (thrown) {
      this.#deps.log.warn(
        { err: thrown },
        'the aircraft visits and the counts of rule firings since the last write were not stored',
      );
    }
  }

  /**
   * Connects the registry to the world: rows are published to clients, assets identify tracks, and assets declare
   * sensors.
   */
  #join(): void {
    const { world, registry } = this;
    const { assets, assignments, catalog } = registry;
    world.picture.listed.beginRows('assets', assets.list());
    world.picture.listed.beginRows('assignments', assignments.active());
    world.picture.reconsider();
    this.#unsubscribe.push(assets.changed.add((changed) => this.sensors.declareOf(changed)));
    this.#unsubscribe.push(catalog.changed.add((names) => this.sensors.declareOf(assets.bringers(names))));
  }

  /**
   * Publishes an audit row of this workspace in the stream of this world. Rows of the box go to the owners of the first
   * workspace, those of `kindsForAll` to every workspace.
   */
  publishAudit({ workspace_id, ...row }: AuditRow): void {
    const { id, isFirst } = this.#deps.workspace;
    if (workspace_id === id || (workspace_id === null && kindsForAll.includes(row.kind))) this.world.publish(row);
    else if (workspace_id === null && isFirst) this.world.publish(row, 'owners');
  }
}

/**
 * Returns the dependencies that a world takes from its registry and its services. `services` returns undefined until
 * the services exist, because the world is created first.
 */
export function worldDepsOf(
  registry: Registry,
  groundAltHaeM: number | null,
  services: () => WorldServices | undefined,
): Pick<WorldDeps, 'affiliator' | 'groundAltHaeM' | 'engagements' | 'fleetRegistry'> {
  return {
    affiliator: registry.presence,
    groundAltHaeM: groundOf(registry, groundAltHaeM),
    engagements: () => services()?.engagements.open() ?? [],
    fleetRegistry: () => services()?.fleetRegistry ?? null,
  };
}

function groundOf(registry: Registry, altHaeM: number | null): WorldDeps['groundAltHaeM'] {
  return (latDeg, lonDeg) => altHaeM ?? registry.regions.ground.altHaeM(latDeg, lonDeg);
}

/**
 * Limit of the assets and assignments whose log rows are in the evidence about one track. Assets are taken first, then
 * the newest assignments.
 */
const MOST_TIED = 200;

function tiedTo({ presence, assignments }: Registry, track: Track, assetIds: readonly string[]): string[] {
  const held = track.asset_id === null ? [] : [track.asset_id];
  const assets = new Set([...held, ...assetIds, ...presence.match(track.identities)]);
  const words = assignments.list().filter(({ asset_id }) => assets.has(asset_id));
  return [...assets, ...words.map(({ id }) => id)].slice(0, MOST_TIED);
}
