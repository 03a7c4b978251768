import type { EventBody, EventKind } from '../model/event.ts';
import type { FleetRow } from '../model/fleet.ts';
import type { Link } from '../model/link.ts';
import type { Picture } from '../model/picture.ts';
import { sameJson } from '../model/same_json.ts';
import type { Sensor } from '../model/sensor.ts';
import { isShown, type RegistryList, rowEvents } from './row_events.ts';

/** Takes a change to be numbered and told; `object` names what it is about. */
export type Queue = <K extends EventKind>(kind: K, object: string, body: EventBody<K>) => void;

/** The rows of a picture that others keep: sensors, links, and what the registry holds. */
export class Listed {
  readonly #queue: Queue;
  readonly #sensors = new Map<string, Sensor>();
  readonly #links = new Map<string, Link>();
  readonly #fleet = new Map<string, FleetRow>();
  readonly #rows: Record<RegistryList, Map<string, { id: string }>> = {
    assets: new Map(),
    assignments: new Map(),
    zones: new Map(),
    regions: new Map(),
  };

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** A row of the registry is new or changed. */
  setRow(list: RegistryList, row: { id: string }): void {
    if (isShown(list, row)) this.#rows[list].set(row.id, row);
    else this.#rows[list].delete(row.id);
    this.#queue(rowEvents[list].update, row.id, row as never);
  }

  removeRow(list: RegistryList, id: string): void {
    if (this.#rows[list].delete(id)) this.#queue(rowEvents[list].removed, id, { id });
  }

  /** What holds of the registry when the world begins: no news. */
  beginRows(list: RegistryList, rows: readonly { id: string }[]): void {
    for (const row of rows) this.#rows[list].set(row.id, row);
  }

  row(list: RegistryList, id: string): { id: string } | undefined {
    return this.#rows[list].get(id);
  }

  setSensor(sensor: Sensor): void {
    if (sameJson(this.#sensors.get(sensor.id), sensor)) return;
    this.#sensors.set(sensor.id, sensor);
    this.#queue('sensor_update', sensor.id, sensor);
  }

  removeSensor(id: string): void {
    if (this.#sensors.delete(id)) this.#queue('sensor_removed', id, { id });
  }

  setLink(link: Link): void {
    if (sameJson(this.#links.get(link.id), link)) return;
    this.#links.set(link.id, link);
    this.#queue('link_update', link.id, link);
  }

  removeLink(id: string): void {
    if (this.#links.delete(id)) this.#queue('link_removed', id, { id });
  }

  setFleet(row: FleetRow): void {
    this.#fleet.set(row.key, row);
    this.#queue('fleet_update', row.key, row);
  }

  removeFleet(key: string): void {
    if (this.#fleet.delete(key)) this.#queue('fleet_removed', key, { key });
  }

  /** As a picture has them. */
  all(): Pick<Picture, RegistryList | 'sensors' | 'links' | 'fleet'> {
    return {
      assets: [...this.#rows.assets.values()] as Picture['assets'],
      assignments: [...this.#rows.assignments.values()] as Picture['assignments'],
      zones: [...this.#rows.zones.values()] as Picture['zones'],
      regions: [...this.#rows.regions.values()] as Picture['regions'],
      sensors: [...this.#sensors.values()],
      links: [...this.#links.values()],
      fleet: [...this.#fleet.values()],
    };
  }
}
