import type { ControlSettings } from '../command/authority.ts';
import { CommandService } from '../command/commands/command_service.ts';
import { Airspace } from '../command/safety/airspace.ts';
import { SILENT_AFTER_MS } from '../fleet/available.ts';
import type { AdoptedAsset, FleetAsset, FleetRegistry } from '../fleet/deps.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { identitiesOf } from '../fleet/names.ts';
import type { Clock } from '../host/clock.ts';
import { systemActor } from '../model/actor.ts';
import type { Asset, ResolvedAsset } from '../model/asset.ts';
import { Fault } from '../model/fault.ts';
import type { PlatformPerformance } from '../model/performance.ts';
import type { Zone } from '../model/zone.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { Registry } from '../registry/registry.ts';
import type { Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';
import type { World } from '../world/world.ts';
import { VEHICLE_NAME } from './playback/simulated_vehicles.ts';

type CommandSideDeps = {
  world: Pick<World, 'provenance' | 'fleet' | 'tracks' | 'track' | 'note'> & {
    links: Pick<World['links'], 'issuedFor'>;
    picture: { actions: Pick<World['picture']['actions'], 'command' | 'task'> };
  };
  registry: Registry;
  state: State;
  ledger: Ledger;
  workspaceId: string;
  clock: Pick<Clock, 'nowMs' | 'utcMs'>;
  control: ControlSettings;
  zones(): readonly Zone[];
  /** Returns the ground height above the ellipsoid, m; null if unknown. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  /** Returns true if the discovery of vehicles is on. */
  discoveryOn(): boolean;
  /** Registers a function to run when the world ends. */
  until(unsubscribe: () => void): void;
};

/** Time for which an asset stays in the cache, ms. A change of the registry makes cached assets invalid at once. */
const KNOWN_FOR_MS = 5_000;

const MOST_TAUGHT = 2_000;

type Known = { asset: FleetAsset; resolved: ResolvedAsset; generation: number; atMs: number };

/**
 * Returns the asset as an adopted vehicle, in an array. The array is empty if the asset is no platform, or has neither
 * a Remote ID serial nor a MAVLink system id.
 */
function adoptedOf({ id, name, kind, spec, connection, provenance }: Asset): AdoptedAsset[] {
  const key = spec.remote_id_serial ?? null;
  const { sysid = null, compid = null } = spec.mavlink ?? {};
  if (kind !== 'platform' || (key === null && sysid === null)) return [];
  return [{ id, name, key: key ?? id, connection, provenance, sysid, compid }];
}

/** Joins the vehicles of a world with the assets of the registry, and provides the services that command vehicles. */
export class CommandSide {
  readonly service: CommandService;
  readonly airspace: Airspace;
  readonly fleet: Fleet;
  /** The fleet finds the assets of vehicles through this view of the registry. */
  readonly fleetRegistry: FleetRegistry;
  readonly #deps: CommandSideDeps;
  readonly #known = new Map<string, Known>();
  readonly #taught = new Set<string>();
  #platforms: { assets: readonly AdoptedAsset[]; generation: number; atMs: number } | null = null;

  constructor(deps: CommandSideDeps) {
    const { world, registry, state, ledger, workspaceId, clock, control } = deps;
    this.#deps = deps;
    const { fleet } = world;
    this.fleet = fleet;
    const nowMs = (): number => clock.nowMs();
    const utcMs = (worldMs: number): number => clock.utcMs(worldMs);
    // The decision configuration is cached, because every step reads it and it rarely changes.
    let decided = registry.decision.get();
    deps.until(
      registry.decision.onSave(() => {
        decided = registry.decision.get();
      }),
    );
    const policy = () => decided;
    const { groundAltHaeM } = deps;
    const performance = (assetId: string): PlatformPerformance =>
      this.#knownOf(assetId)?.resolved.resolved.performance.value ?? {};
    const around = { fleet, nowMs, utcMs, policy, performance, groundAltHaeM };
    this.airspace = new Airspace({ ...around, tracks: () => world.tracks(), zones: () => deps.zones() });
    this.service = new CommandService({
      ...around,
      ...{ state, ledger, workspaceId, control, provenance: world.provenance },
      worldMs: (utc) => nowMs() + (utc - utcMs(nowMs())),
      track: (id) => world.track(id),
      zone: (id) => deps.zones().find((zone) => zone.id === id),
      asset: (id) => this.#knownOf(id)?.asset ?? null,
      simulatedVehicleId: (name) => (name.startsWith(VEHICLE_NAME) ? registry.assets.carrying(name) : null),
      speedOf: (vehicle, figures) => this.airspace.speedOf(vehicle, figures),
      legRefusal: (vehicle, assetId, leg, sent) => this.airspace.refusal(vehicle, assetId, leg, sent),
      legBlocked: (vehicle, assetId, leg) => this.airspace.blocked(vehicle, assetId, leg),
      publish: {
        command: (command) => world.picture.actions.command(command),
        task: (task) => world.picture.actions.task(task),
      },
      note: world.note,
    });
    this.fleetRegistry = {
      assetOf: (names, linkId, sysid, compid) => this.#holder(names, linkId, sysid, compid),
      generation: () => registry.presence.generation,
      adopted: () => this.#adopted(),
      discoveryOn: () => deps.discoveryOn(),
      controlOn: control.enabled,
      reservePct: () => policy().engagement.reserve_pct,
      groundAltHaeM,
      taskOf: (assetId) => this.service.taskOf(assetId)?.id ?? null,
    };
  }

  /** Starts the command service. Call this when the picture can already take events. */
  start(): void {
    this.service.start();
  }

  stop(): void {
    this.service.stop();
  }

  /**
   * Advances the command service, then handles the proven adopted vehicles: those that sign, or whose link proves its
   * senders. Notes each one that is received without a position. Stores its identities as aliases of its asset, so that
   * the vehicle is recognised on every link.
   */
  everySecond(): void {
    this.service.everySecond();
    for (const vehicle of this.fleet.vehicles()) {
      const asset = this.fleet.assetOf(vehicle);
      if (!asset || !this.fleet.isProven(vehicle)) continue;
      const nowMs = this.#deps.clock.nowMs();
      const isWithoutFix =
        nowMs - vehicle.receivedMs <= SILENT_AFTER_MS && (vehicle.position?.value.latDeg ?? null) === null;
      if (isWithoutFix) this.#deps.registry.presence.receivedWithoutFix(asset.id, nowMs);
      for (const { value: name } of identitiesOf(vehicle)) {
        if (!this.#taught.has(`${asset.id} ${name}`)) this.#teach(asset.id, name);
      }
    }
  }

  /**
   * Stores an identity as an alias of an asset. If another asset has the identity, the conflict is logged. The attempt
   * is not repeated, because a retry would have the same result.
   */
  #teach(assetId: string, name: string): void {
    if (this.#taught.size > MOST_TAUGHT) this.#taught.clear();
    this.#taught.add(`${assetId} ${name}`);
    try {
      this.#deps.registry.assets.learnAlias(assetId, name, systemActor);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#deps.world.note('fleet.alias_refused', 'warning', thrown.message, null);
    }
  }

  rowsChanged(list: RegistryList): void {
    if (list === 'zones' || list === 'regions') this.airspace.zonesChanged();
  }

  rowRemoved(list: RegistryList, id: string): void {
    this.rowsChanged(list);
    if (list === 'assets') this.service.endAsset(id, 'cancelled', 'its asset was deleted', systemActor);
  }

  resolved(assetId: string): ResolvedAsset | null {
    return this.#knownOf(assetId)?.resolved ?? null;
  }

  #holder(names: readonly string[], linkId: string, sysid: number, compid: number): FleetAsset | null {
    const { presence } = this.#deps.registry;
    const [id] = presence.match(names.map((value) => ({ type: 'mavlink' as const, value })));
    if (id !== undefined) return this.#platformOf(id)?.asset ?? null;
    const issued = this.#deps.world.links.issuedFor(linkId);
    const known = issued === null ? null : this.#platformOf(issued);
    const named = known?.resolved.spec.mavlink;
    if (!known || !named || named.sysid !== sysid || (named.compid ?? compid) !== compid) return null;
    return known.asset;
  }

  /** Returns the adopted assets from a cache, because composing the documents of thousands of assets is slow. */
  #adopted(): readonly AdoptedAsset[] {
    const { registry, clock } = this.#deps;
    const { generation } = registry.presence;
    const known = this.#platforms;
    if (known?.generation === generation && clock.nowMs() - known.atMs < KNOWN_FOR_MS) return known.assets;
    const assets = registry.assets.list().flatMap(adoptedOf);
    this.#platforms = { assets, generation, atMs: clock.nowMs() };
    return assets;
  }

  /** Only a platform is adopted: another asset may have the key of a foreign aircraft, even of a hostile one. */
  #platformOf(id: string): Known | null {
    const known = this.#knownOf(id);
    return known?.resolved.kind === 'platform' ? known : null;
  }

  #knownOf(id: string): Known | null {
    const { registry, clock } = this.#deps;
    const { generation } = registry.presence;
    const known = this.#known.get(id);
    if (known?.generation === generation && clock.nowMs() - known.atMs < KNOWN_FOR_MS) return known;
    const resolved = registry.assets.find(id);
    if (!resolved) {
      this.#known.delete(id);
      return null;
    }
    const verbs = resolved.resolved.capability.value.verbs.map(({ verb }) => verb);
    const performance = resolved.resolved.performance.value;
    const asset = { id, name: resolved.name, verbs: verbs.length === 0 ? null : new Set(verbs), performance };
    const fresh = { asset, resolved, generation, atMs: clock.nowMs() };
    this.#known.set(id, fresh);
    return fresh;
  }
}
