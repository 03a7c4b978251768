import type { SensorBook, SensorIdentity } from '../../edge/feed/sensor_book.ts';
import { idOfName } from '../../host/name_id.ts';
import type { Actor } from '../../model/actor.ts';
import { Fault } from '../../model/fault.ts';
import type { Sensor, SensorSpec } from '../../model/sensor.ts';
import { formatTime } from '../../model/time.ts';
import type { SensorBringer } from '../../registry/assets/assets.ts';
import type { DeclaredSensor } from '../../registry/assets/declared.ts';
import type { SensorChange, SensorRegistry } from '../../registry/sensors.ts';
import type { SensorRow } from '../../store/sensors.ts';
import type { World } from '../../worlds/world.ts';

/** Sensors that assets bring, in all: each costs the core and the picture, and fleets have cameras by the hundred. */
const MAX_OF_ASSETS = 256;
const HEARTBEAT_S = 60;

/** What the desk asks of the world whose sensors these are. */
export type SensorWorld = Pick<World, 'sensors'> & {
  shownSensors: Pick<World['shownSensors'], 'changed' | 'removed'>;
};

/** Where what operators declare of sensors meets what is heard of them. */
export class SensorDesk {
  readonly #registry: SensorRegistry;
  readonly #world: SensorWorld;
  readonly #book: SensorBook;
  readonly #nowMs: () => number;
  readonly #utcMs: () => number;
  readonly #ofFile = new Set<string>();
  /** The sensors that assets brought, by asset. */
  readonly #ofAsset = new Map<string, { name: string; ids: Set<string> }>();
  #brought = 0;

  constructor(registry: SensorRegistry, world: SensorWorld, nowMs: () => number, utcMs: () => number) {
    this.#utcMs = utcMs;
    this.#registry = registry;
    this.#world = world;
    this.#book = world.sensors;
    this.#nowMs = nowMs;
  }

  /** Declares what the configuration file and the registry hold. A name in the file stands above one in the registry. */
  load(specs: readonly SensorSpec[], startedAt: string): void {
    for (const row of this.#registry.list()) this.#book.declare(identityOf(row));
    for (const spec of specs) {
      const id = idOfName('sensor', 'file', spec.name);
      this.#ofFile.add(id);
      const { name, modality, placement = null, heartbeat_s: heartbeatS } = spec;
      const row = { id, name, modality, placement, heartbeatS, declaredBy: 'manual', linkId: null } as const;
      this.#book.declare({ ...row, version: 1, createdAt: startedAt, updatedAt: startedAt });
    }
    this.#world.shownSensors.changed();
  }

  /**
   * What assets bring, in place of what they brought before; told as one change. Beyond so many on the box, they are not
   * listed, and assets that have no room are not looked into: fleets have thousands.
   */
  declareOf(assets: Iterable<SensorBringer>): void {
    const gone: string[] = [];
    let changed = false;
    this.#book.atOnce(() => {
      for (const asset of assets) if (this.#declareOne(asset, gone)) changed = true;
      for (const id of gone) this.#book.remove(id);
    });
    if (gone.length > 0) this.#world.shownSensors.removed(...gone);
    if (changed) this.#world.shownSensors.changed();
  }

  /** Returns whether it brings something that is not as it was; ids that it brings no more are put into `gone`. */
  #declareOne(asset: SensorBringer, gone: string[]): boolean {
    const before = this.#ofAsset.get(asset.id)?.ids ?? new Set<string>();
    const room = MAX_OF_ASSETS - this.#brought + before.size;
    if (room <= 0) return false;
    const said = asset.sensors().slice(0, room);
    let changed = false;
    const ids = new Set<string>();
    for (const sensor of said) {
      const row = this.#rowOf(asset, sensor);
      if (row.isNews) this.#book.declare(row.identity);
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
    const taken = this.#book.resolve(plain);
    const name = taken && taken.id !== id ? `${plain} ${id.slice(0, 4)}` : plain;
    const was = this.#book.resolve(id);
    const said = { name, modality, placement, declaredBy, assetId: asset.id, ...(fit === undefined ? {} : { fit }) };
    const at = formatTime(this.#utcMs());
    const identity: SensorIdentity = {
      ...said,
      id,
      heartbeatS: HEARTBEAT_S,
      linkId: null,
      version: (was?.version ?? 0) + 1,
      createdAt: was?.createdAt ?? at,
      updatedAt: at,
    };
    return { identity, isNews: !was || !isSame(was, identity) };
  }

  list(): Sensor[] {
    return this.#book.list(this.#nowMs());
  }

  create(spec: SensorSpec, by: Actor): Sensor {
    this.#refuseTaken(spec.name, null);
    return this.#declare(this.#registry.create(spec, by));
  }

  update(id: string, change: SensorChange, by: Actor): Sensor {
    this.#refuseDeclared(id, 'changed');
    if (change.name !== undefined) this.#refuseTaken(change.name, id);
    return this.#declare(this.#registry.update(id, change, by));
  }

  remove(id: string, by: Actor): void {
    this.#refuseDeclared(id, 'deleted');
    this.#registry.remove(id, by);
    this.#book.remove(id);
    this.#world.shownSensors.removed(id);
  }

  #declare(row: SensorRow): Sensor {
    this.#book.declare(identityOf(row));
    this.#world.shownSensors.changed();
    return this.#book.get(row.id, this.#nowMs());
  }

  #refuseTaken(name: string, id: string | null): void {
    const other = this.#book.resolve(name);
    if (other && other.id !== id) throw new Fault('conflict', `there is already a sensor called ${name}`);
  }

  #refuseDeclared(id: string, what: string): void {
    const sensor = this.#book.resolve(id);
    if (!sensor || sensor.id !== id) return;
    const declarer = this.#declarerOf(sensor);
    if (declarer)
      throw new Fault('conflict', `the sensor ${sensor.name} is declared by ${declarer} and cannot be ${what} here`);
  }

  #declarerOf({ id, linkId, assetId }: SensorIdentity): string | null {
    if (this.#ofFile.has(id)) return 'the configuration file';
    if (assetId !== undefined) return `the asset ${this.#ofAsset.get(assetId)?.name ?? assetId}`;
    return linkId ? 'its link' : null;
  }
}

/** Whether what an asset says of a sensor is what it said before. */
function isSame(was: SensorIdentity, row: SensorIdentity): boolean {
  const words = ({ version: _version, updatedAt: _updated, ...rest }: SensorIdentity): string =>
    JSON.stringify(Object.entries(rest).sort());
  return words(was) === words(row);
}

function identityOf({
  id,
  name,
  modality,
  placement,
  heartbeatS,
  declaredBy,
  linkId,
  ...row
}: SensorRow): SensorIdentity {
  const { version, createdAt, updatedAt } = row;
  return { id, name, modality, placement, heartbeatS, declaredBy, linkId, version, createdAt, updatedAt };
}
