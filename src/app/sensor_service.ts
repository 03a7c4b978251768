import { type KnownReceiver, type ReceiverSettings, rowFields } from '../edge/feed/sensor_row.ts';
import type { SensorIdentity, SensorStatuses } from '../edge/feed/sensor_statuses.ts';
import { idOfName } from '../host/name_id.ts';
import type { Actor } from '../model/actor.ts';
import { conflict, refuseStale } from '../model/fault.ts';
import { DEFAULT_HEARTBEAT_S, type Sensor, type SensorSpec } from '../model/sensor.ts';
import { formatTime } from '../model/time.ts';
import type { SensorBringer } from '../registry/assets/assets.ts';
import type { DeclaredSensor } from '../registry/assets/declared.ts';
import type { SensorChange, SensorRegistry } from '../registry/sensors.ts';
import type { SensorRow } from '../store/sensors.ts';
import type { World } from '../world/world.ts';
import type { ReceiverStore } from './receiver_store.ts';

/**
 * Limit of all sensors of assets together. Each costs time in core and picture, and a fleet may have hundreds of
 * cameras.
 */
const MAX_OF_ASSETS = 256;
/** Limit of all sensors that people and the configuration declare together. */
const MAX_DECLARED = 1_024;

type SensorServiceDeps = {
  registry: SensorRegistry;
  world: Pick<World, 'sensors' | 'evaluateSensors' | 'removeSensors' | 'flush'>;
  nowMs(): number;
  utcMs(): number;
  /** Stores the receivers of links; null in a world that stores nothing. */
  receivers: ReceiverStore | null;
};

/** Declares sensors (of people, the configuration, and assets), and changes and deletes them. */
export class SensorService {
  readonly #deps: SensorServiceDeps;
  readonly #statuses: SensorStatuses;
  readonly #ofFile = new Set<string>();
  /** Name of an asset and ids of its sensors, by asset id. */
  readonly #ofAsset = new Map<string, { name: string; ids: Set<string> }>();
  #brought = 0;

  constructor(deps: SensorServiceDeps) {
    this.#deps = deps;
    this.#statuses = deps.world.sensors;
  }

  /**
   * Declares the sensors of the registry, then those of the configuration file. If both declare a name, the file has
   * precedence.
   */
  load(specs: readonly SensorSpec[], startedAt: string): void {
    const { receivers } = this.#deps;
    if (receivers) this.#statuses.recall(receivers.load());
    for (const row of this.#deps.registry.list()) this.#statuses.declare(identityOf(row));
    for (const spec of specs) {
      const id = idOfName('sensor', 'file', spec.name);
      this.#ofFile.add(id);
      const { name, modality } = spec;
      const row = { id, name, modality, ...rowFields(settingsOf(spec)), declaredBy: 'manual', linkId: null } as const;
      this.#statuses.declare({ ...row, version: 1, createdAt: startedAt, updatedAt: startedAt });
    }
    this.#show();
  }

  /**
   * Replaces the sensors of assets, and publishes the result as one change. Sensors beyond `MAX_OF_ASSETS` are left
   * out, and the sensors of further assets are not even read, because a fleet may have thousands of assets.
   */
  declareOf(assets: Iterable<SensorBringer>): void {
    const gone: string[] = [];
    let changed = false;
    this.#statuses.atOnce(() => {
      for (const asset of assets) if (this.#declareOne(asset, gone)) changed = true;
      for (const id of gone) this.#statuses.remove(id);
    });
    if (gone.length > 0) this.#deps.world.removeSensors(...gone);
    if (changed) this.#show();
  }

  /**
   * Declares the sensors of one asset. Sensors that the asset has lost are added to `gone`, by id. Returns true if a
   * sensor is new or changed.
   */
  #declareOne(asset: SensorBringer, gone: string[]): boolean {
    const before = this.#ofAsset.get(asset.id)?.ids ?? new Set<string>();
    const room = MAX_OF_ASSETS - this.#brought + before.size;
    if (room <= 0) return false;
    const said = asset.sensors().slice(0, room);
    let changed = false;
    const ids = new Set<string>();
    for (const sensor of said) {
      const row = this.#rowOf(asset, sensor);
      if (row.isNews) this.#statuses.declare(row.identity);
      changed ||= row.isNews;
      ids.add(row.identity.id);
    }
    for (const id of before) if (!ids.has(id)) gone.push(id);
    this.#brought += ids.size - before.size;
    if (ids.size > 0) this.#ofAsset.set(asset.id, { name: asset.name, ids });
    else this.#ofAsset.delete(asset.id);
    return changed;
  }

  #rowOf(asset: { id: string; name: string }, sensor: DeclaredSensor): { identity: SensorIdentity; isNews: boolean } {
    const id = idOfName('sensor', 'asset', asset.id, sensor.slot);
    const { modality, placement, declaredBy, fit } = sensor;
    const plain = `${asset.name} ${sensor.label}`.trim();
    const taken = this.#statuses.resolve(plain);
    const name = taken && taken.id !== id ? `${plain} ${id.slice(0, 4)}` : plain;
    const was = this.#statuses.resolve(id);
    const said = { name, modality, placement, declaredBy, assetId: asset.id, ...(fit === undefined ? {} : { fit }) };
    const at = formatTime(this.#deps.utcMs());
    const identity: SensorIdentity = {
      ...said,
      id,
      heartbeatS: DEFAULT_HEARTBEAT_S,
      linkId: null,
      version: (was?.version ?? 0) + 1,
      createdAt: was?.createdAt ?? at,
      updatedAt: at,
    };
    return { identity, isNews: !was || !isSame(was, identity) };
  }

  /** Publishes the current states of all sensors at once. */
  #show(): void {
    this.#deps.world.evaluateSensors();
    this.#deps.world.flush();
  }

  list(): Sensor[] {
    return this.#statuses.list(this.#deps.nowMs());
  }

  get(id: string): Sensor | undefined {
    return this.list().find((sensor) => sensor.id === id);
  }

  create(spec: SensorSpec, by: Actor): Sensor {
    this.#refuseTaken(spec.name, null);
    if (this.#statuses.all().filter(({ declaredBy }) => declaredBy === 'manual').length >= MAX_DECLARED)
      throw conflict(`${MAX_DECLARED} sensors are already declared, the maximum: delete one first`);
    return this.#declare(this.#deps.registry.create(spec, by));
  }

  /**
   * Changes a sensor that a person declared, or the settings of a link's receiver. Throws `not_found`, or `conflict` if
   * the change or its `version` does not fit the sensor.
   */
  update(id: string, change: SensorChange, by: Actor): Sensor {
    const receiver = this.#statuses.receiver(id);
    if (receiver && this.#deps.receivers) return this.#set(receiver, change, by);
    this.#refuseDeclared(id, 'changed');
    if (change.name !== undefined) this.#refuseTaken(change.name, id);
    return this.#declare(this.#deps.registry.update(id, change, by));
  }

  /**
   * Deletes a sensor that a person declared. A receiver of a link, other than the sensor of the link itself, can be
   * deleted if it is silent or has a fault: it may have been replaced by another device. Throws `not_found`, or
   * `conflict` for any other sensor.
   */
  remove(id: string, by: Actor): void {
    const receiver = this.#statuses.receiver(id);
    if (receiver && this.#isGone(receiver))
      this.#deps.registry.forgetReceiver(this.#nameOf(id), id, () => this.#deps.receivers?.remove(id), by);
    else {
      this.#refuseDeclared(id, 'deleted');
      this.#deps.registry.remove(id, by);
    }
    this.#statuses.remove(id);
    this.#deps.world.removeSensors(id);
  }

  /** Writes the receivers that appeared or disappeared on links since the last call. A failed write is repeated. */
  everySecond(): void {
    this.#deps.receivers?.flush();
  }

  #isGone({ id, receiver }: KnownReceiver): boolean {
    const { state, link_id } = this.#statuses.get(id, this.#deps.nowMs());
    const isOwnRow = this.#statuses.placesOf(link_id ?? '')?.link.own?.receiver === receiver;
    return this.#deps.receivers !== null && !isOwnRow && (state === 'silent' || state === 'fault');
  }

  #nameOf(id: string): string {
    return this.#statuses.resolve(id)?.name ?? id;
  }

  /** Changes a sensor that a link declares. Throws `conflict` for fields that an operator may not set. */
  #set(receiver: KnownReceiver, change: SensorChange, by: Actor): Sensor {
    const { id } = receiver;
    const name = this.#nameOf(id);
    if (change.name !== undefined || change.modality !== undefined) {
      const may = 'only its fields placement, heartbeat_s, quiet_ok and detection can be changed';
      throw conflict(`the sensor ${name} is declared by its link: ${may}`);
    }
    refuseStale(`the sensor ${name}`, receiver.version, change.version);
    const settings: ReceiverSettings = {
      heartbeatS: change.heartbeat_s === undefined ? receiver.heartbeatS : change.heartbeat_s,
      quietOk: change.quiet_ok ?? receiver.quietOk,
      placement: change.placement === undefined ? receiver.placement : change.placement,
      detection: change.detection === undefined ? receiver.detection : change.detection,
    };
    const at = { version: receiver.version + 1, updatedAt: formatTime(this.#deps.utcMs()) };
    const next: KnownReceiver = { ...receiver, ...settings, ...at };
    this.#deps.registry.setReceiver(name, receiver, next, () => this.#deps.receivers?.put(next), by);
    this.#statuses.set(id, settings, at);
    this.#show();
    return this.#statuses.get(id, this.#deps.nowMs());
  }

  #declare(row: SensorRow): Sensor {
    this.#statuses.declare(identityOf(row));
    this.#show();
    return this.#statuses.get(row.id, this.#deps.nowMs());
  }

  #refuseTaken(name: string, id: string | null): void {
    const other = this.#statuses.resolve(name);
    if (other && other.id !== id && other.declaredBy !== 'link')
      throw conflict(`there is already a sensor called ${name}`);
  }

  #refuseDeclared(id: string, what: string): void {
    const sensor = this.#statuses.resolve(id);
    if (!sensor || sensor.id !== id) return;
    const declarer = this.#declarerOf(sensor);
    if (declarer) throw conflict(`the sensor ${sensor.name} is declared by ${declarer} and cannot be ${what} here`);
  }

  #declarerOf({ id, linkId, assetId }: SensorIdentity): string | null {
    if (this.#ofFile.has(id)) return 'the configuration file';
    if (assetId !== undefined) return `the asset ${this.#ofAsset.get(assetId)?.name ?? assetId}`;
    return linkId ? 'its link' : null;
  }
}

/** Returns true if two declarations of a sensor are equal except for version and time of the change. */
function isSame(was: SensorIdentity, row: SensorIdentity): boolean {
  const words = ({ version: _version, updatedAt: _updated, ...rest }: SensorIdentity): string =>
    JSON.stringify(Object.entries(rest).sort());
  return words(was) === words(row);
}

function settingsOf({ placement, heartbeat_s, quiet_ok, detection }: SensorSpec): ReceiverSettings {
  return {
    heartbeatS: heartbeat_s,
    quietOk: quiet_ok ?? false,
    placement: placement ?? null,
    detection: detection ?? null,
  };
}

function identityOf(stored: SensorRow): SensorIdentity {
  const { id, name, modality, declaredBy, linkId, version, createdAt, updatedAt } = stored;
  return { id, name, modality, ...rowFields(stored), declaredBy, linkId, version, createdAt, updatedAt };
}
