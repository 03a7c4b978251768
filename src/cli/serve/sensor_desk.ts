import type { SensorBook, SensorIdentity } from '../../edge/feed/sensor_book.ts';
import { idOfName } from '../../host/name_id.ts';
import type { Actor } from '../../model/actor.ts';
import { Fault } from '../../model/fault.ts';
import type { Sensor, SensorSpec } from '../../model/sensor.ts';
import type { SensorChange, SensorRegistry } from '../../registry/sensors.ts';
import type { SensorRow } from '../../store/sensors.ts';
import type { LiveWorld } from '../../worlds/live.ts';

/** Where what operators declare of sensors meets what is heard of them. */
export class SensorDesk {
  readonly #registry: SensorRegistry;
  readonly #world: LiveWorld;
  readonly #book: SensorBook;
  readonly #nowMs: () => number;
  readonly #ofFile = new Set<string>();

  constructor(registry: SensorRegistry, world: LiveWorld, nowMs: () => number) {
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
    this.#world.sensorsChanged();
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
    this.#world.sensorRemoved(id);
  }

  #declare(row: SensorRow): Sensor {
    this.#book.declare(identityOf(row));
    this.#world.sensorsChanged();
    return this.#book.get(row.id, this.#nowMs());
  }

  #refuseTaken(name: string, id: string | null): void {
    const other = this.#book.resolve(name);
    if (other && other.id !== id) throw new Fault('conflict', `there is already a sensor called ${name}`);
  }

  #refuseDeclared(id: string, what: string): void {
    const sensor = this.#book.resolve(id);
    if (!sensor || sensor.id !== id) return;
    const declarer = this.#ofFile.has(id) ? 'the configuration file' : sensor.linkId ? 'its link' : null;
    if (declarer)
      throw new Fault('conflict', `the sensor ${sensor.name} is declared by ${declarer} and cannot be ${what} here`);
  }
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
