import { Airspace } from '../../command/control/airspace.ts';
import type { ControlSettings } from '../../command/control/authority.ts';
import { CommandDesk } from '../../command/control/desk.ts';
import { HEARD_MS } from '../../command/fleet/available.ts';
import type { Fleet } from '../../command/fleet/fleet.ts';
import type { AdoptedAsset, FleetAsset } from '../../command/fleet/rim.ts';
import type { Clock } from '../../host/clock.ts';
import { systemActor } from '../../model/actor.ts';
import type { Asset, ResolvedAsset } from '../../model/asset.ts';
import { Fault } from '../../model/fault.ts';
import type { PlatformPerformance } from '../../model/performance.ts';
import type { Zone } from '../../model/zone.ts';
import type { RegistryList } from '../../picture/row_events.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { State } from '../../store/state.ts';
import type { World } from '../../worlds/world.ts';
import { TWIN_NAME } from './twins.ts';

export type CommandSideParts = {
  world: Pick<World, 'provenance' | 'fleet' | 'tracks' | 'track' | 'note'> & {
    actions: Pick<World['actions'], 'command' | 'task'>;
  };
  registry: Registry;
  state: State;
  ledger: Ledger;
  workspaceId: string;
  clock: Pick<Clock, 'nowMs' | 'utcMs'>;
  control: ControlSettings;
  zones(): readonly Zone[];
  /** Above the ellipsoid; null where nobody says. */
  groundAltHaeM(latDeg: number, lonDeg: number): number | null;
  /** Whether vehicles are looked for at all. */
  discoveryOn(): boolean;
  /** What is to be undone when the world ends. */
  until(untell: () => void): void;
};

/** What is known of an asset is read anew after so long, besides after each change of the registry. */
const KNOWN_FOR_MS = 5_000;

const MOST_TAUGHT = 2_000;

type Known = { asset: FleetAsset; resolved: ResolvedAsset; generation: number; atMs: number };

/** Of a platform that has a key, or whose row names a system. */
function adoptedOf({ id, name, kind, spec, connection, provenance }: Asset): AdoptedAsset[] {
  const key = spec.remote_id_serial ?? null;
  const { sysid = null, compid = null } = spec.mavlink ?? {};
  if (kind !== 'platform' || (key === null && sysid === null)) return [];
  return [{ id, name, key: key ?? id, connection, provenance, sysid, compid }];
}

/** Where the registry meets the vehicles: whose each is, what it may do, and who tells it. */
export class CommandSide {
  readonly desk: CommandDesk;
  readonly airspace: Airspace;
  readonly fleet: Fleet;
  readonly #parts: CommandSideParts;
  readonly #known = new Map<string, Known>();
  readonly #taught = new Set<string>();
  #platforms: { assets: readonly AdoptedAsset[]; generation: number; atMs: number } | null = null;

  constructor(parts: CommandSideParts) {
    const { world, registry, state, ledger, workspaceId, clock, control } = parts;
    this.#parts = parts;
    const { fleet } = world;
    this.fleet = fleet;
    const nowMs = (): number => clock.nowMs();
    const utcMs = (worldMs: number): number => clock.utcMs(worldMs);
    // It is asked for with every step and changes seldom.
    let decided = registry.decision.get();
    parts.until(
      registry.decision.onSave(() => {
        decided = registry.decision.get();
      }),
    );
    const policy = () => decided;
    const { groundAltHaeM } = parts;
    const performance = (assetId: string): PlatformPerformance =>
      this.#knownOf(assetId)?.resolved.resolved.performance.value ?? {};
    const around = { fleet, nowMs, utcMs, policy, performance, groundAltHaeM };
    this.airspace = new Airspace({ ...around, tracks: () => world.tracks(), zones: () => parts.zones() });
    this.desk = new CommandDesk({
      ...around,
      ...{ state, ledger, workspaceId, control, provenance: world.provenance },
      worldMs: (utc) => nowMs() + (utc - utcMs(nowMs())),
      track: (id) => world.track(id),
      zone: (id) => parts.zones().find((zone) => zone.id === id),
      asset: (id) => this.#knownOf(id)?.asset ?? null,
      twinId: (name) => (name.startsWith(TWIN_NAME) ? registry.assets.carrying(name) : null),
      speedOf: (vehicle, figures) => this.airspace.speedOf(vehicle, figures),
      wayRefusal: (vehicle, assetId, way, sent) => this.airspace.refusal(vehicle, assetId, way, sent),
      wayBlocked: (vehicle, assetId, way) => this.airspace.blocked(vehicle, assetId, way),
      told: { command: (command) => world.actions.command(command), task: (task) => world.actions.task(task) },
      note: world.note,
    });
    fleet.registry = {
      assetOf: (names, linkId, sysid, compid) => this.#bearer(names, linkId, sysid, compid),
      generation: () => registry.presence.generation,
      adopted: () => this.#adopted(),
      discoveryOn: () => parts.discoveryOn(),
      controlOn: control.enabled,
      reservePct: () => policy().engagement.reserve_pct,
      groundAltHaeM,
      taskOf: (assetId) => this.desk.taskOf(assetId)?.id ?? null,
    };
  }

  /** Once the picture can be told. */
  start(): void {
    this.desk.start();
  }

  stop(): void {
    this.desk.stop();
  }

  /** What an adopted vehicle is known by besides its key is written down, so that it is known by it when it is heard elsewhere. */
  everySecond(): void {
    this.desk.everySecond();
    for (const vehicle of this.fleet.vehicles()) {
      const asset = this.fleet.assetOf(vehicle);
      if (!asset || !this.fleet.isProven(vehicle)) continue;
      const nowMs = this.#parts.clock.nowMs();
      const isWithoutFix = nowMs - vehicle.heardMs <= HEARD_MS && (vehicle.position?.value.latDeg ?? null) === null;
      if (isWithoutFix) this.#parts.registry.presence.heardWithoutFix(asset.id, nowMs);
      for (const name of [vehicle.serial, vehicle.version?.uid2]) {
        if (name && !this.#taught.has(`${asset.id} ${name}`)) this.#teach(asset.id, name);
      }
    }
  }

  /** Once: where another asset carries the name, the vehicle shows the conflict, and asking again would not mend it. */
  #teach(assetId: string, name: string): void {
    if (this.#taught.size > MOST_TAUGHT) this.#taught.clear();
    this.#taught.add(`${assetId} ${name}`);
    try {
      this.#parts.registry.assets.learnAlias(assetId, name, systemActor);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#parts.world.note('fleet.alias_refused', 'warning', thrown.message, null);
    }
  }

  rowsChanged(list: RegistryList): void {
    if (list === 'zones' || list === 'regions') this.airspace.zonesChanged();
  }

  rowRemoved(list: RegistryList, id: string): void {
    this.rowsChanged(list);
    if (list === 'assets') this.desk.endAsset(id, 'cancelled', 'its asset was deleted', systemActor);
  }

  performance(assetId: string): PlatformPerformance {
    return this.#knownOf(assetId)?.resolved.resolved.performance.value ?? {};
  }

  resolved(assetId: string): ResolvedAsset | null {
    return this.#knownOf(assetId)?.resolved ?? null;
  }

  #bearer(names: readonly string[], linkId: string, sysid: number, compid: number): FleetAsset | null {
    const { presence } = this.#parts.registry;
    const [id] = presence.match(names.map((value) => ({ type: 'mavlink' as const, value })));
    if (id !== undefined) return this.#knownOf(id)?.asset ?? null;
    const issued = presence.issuedFor(linkId);
    const known = issued === null ? null : this.#knownOf(issued);
    const named = known?.resolved.spec.mavlink;
    if (!known || !named || named.sysid !== sysid || (named.compid ?? compid) !== compid) return null;
    return known.asset;
  }

  /** Documents of all assets are composed for it, which takes a while where there are thousands. */
  #adopted(): readonly AdoptedAsset[] {
    const { registry, clock } = this.#parts;
    const { generation } = registry.presence;
    const known = this.#platforms;
    if (known?.generation === generation && clock.nowMs() - known.atMs < KNOWN_FOR_MS) return known.assets;
    const assets = registry.assets.list().flatMap(adoptedOf);
    this.#platforms = { assets, generation, atMs: clock.nowMs() };
    return assets;
  }

  #knownOf(id: string): Known | null {
    const { registry, clock } = this.#parts;
    const { generation } = registry.presence;
    const known = this.#known.get(id);
    if (known?.generation === generation && clock.nowMs() - known.atMs < KNOWN_FOR_MS) return known;
    const resolved = registry.assets.find(id);
    if (!resolved) {
      this.#known.delete(id);
      return null;
    }
    const verbs = resolved.resolved.capability.value.verbs.map(({ verb }) => verb);
    const enduranceS = resolved.resolved.performance.value.endurance_s ?? null;
    const asset = { id, name: resolved.name, verbs: verbs.length === 0 ? null : new Set(verbs), enduranceS };
    const fresh = { asset, resolved, generation, atMs: clock.nowMs() };
    this.#known.set(id, fresh);
    return fresh;
  }
}
