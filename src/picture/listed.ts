import type { EventBody, EventKind } from '../model/event.ts';
import type { FleetRow } from '../model/fleet.ts';
import type { Link } from '../model/link.ts';
import type { Listeners } from '../model/listeners.ts';
import type { Outlet } from '../model/outlet.ts';
import type { Picture } from '../model/picture.ts';
import type { Sensor } from '../model/sensor.ts';
import { CountedRows } from './counted_rows.ts';
import { isShown, type RegistryList, rowEvents } from './row_events.ts';

/** Queues a change to be numbered and published. `object` identifies its subject. */
export type Queue = <K extends EventKind>(kind: K, object: string, body: EventBody<K>) => void;

/** Signals that queued changes are due: at once, or with the next tick. */
export type Due = Listeners<['now' | 'soon']>;

/** Rows of a picture whose data other parts own: sensors, links, outlets, vehicles, and documents of the registry. */
export class Listed {
  readonly #queue: Queue;
  readonly #due: Due;
  readonly #sensors = new CountedRows<Sensor>([
    ...(['rates', 'rejects', 'latency_ms', 'clock_offset_ms', 'bias', 'last_obs_at'] as const),
  ]);
  readonly #links = new CountedRows<Link>([
    ...(['last_rx_at', 'last_tx_at', 'rx_msgs', 'rx_bytes', 'tx_msgs', 'rejects', 'seq_gaps'] as const),
    ...(['sources_unplaced', 'receiver_conflicts', 'clock_offset_ms'] as const),
  ]);
  readonly #outlets = new CountedRows<Outlet>([
    ...(['last_rx_at', 'last_tx_at', 'tx_msgs', 'tx_bytes', 'tracks', 'dropped', 'refusals'] as const),
  ]);
  readonly #fleet = new Map<string, FleetRow>();
  readonly #rows: Record<RegistryList, Map<string, { id: string }>> = {
    assets: new Map(),
    assignments: new Map(),
    zones: new Map(),
    regions: new Map(),
  };

  constructor(queue: Queue, due: Due) {
    this.#queue = queue;
    this.#due = due;
  }

  /**
   * Takes a new or changed row of the registry. Does not signal `due`: the picture does, after it queued the changes
   * that follow, such as affiliations.
   */
  setRow(list: RegistryList, row: { id: string }): void {
    if (isShown(list, row)) this.#rows[list].set(row.id, row);
    else this.#rows[list].delete(row.id);
    this.#queue(rowEvents[list].update, row.id, row as never);
  }

  removeRow(list: RegistryList, id: string): void {
    if (this.#rows[list].delete(id)) this.#queue(rowEvents[list].removed, id, { id });
  }

  /** Sets the initial rows of the registry without publishing them. */
  beginRows(list: RegistryList, rows: readonly { id: string }[]): void {
    for (const row of rows) this.#rows[list].set(row.id, row);
  }

  row(list: RegistryList, id: string): { id: string } | undefined {
    return this.#rows[list].get(id);
  }

  /**
   * Takes all shown sensors. Call it once a second of world time. Returns the ids of sensors that are no longer shown.
   */
  setSensors(sensors: readonly Sensor[], nowMs: number): string[] {
    const shown = new Set(sensors.map(({ id }) => id));
    const gone = this.#sensors.ids().filter((id) => !shown.has(id));
    for (const id of gone) this.removeSensor(id);
    for (const sensor of sensors)
      if (this.#sensors.take(sensor, nowMs)) this.#publish('sensor_update', sensor.id, sensor);
    return gone;
  }

  removeSensor(id: string): void {
    if (this.#sensors.delete(id)) this.#publish('sensor_removed', id, { id });
  }

  /** Takes a link. Call it once a second of world time and after each change of the link's state. */
  setLink(link: Link, nowMs: number): void {
    if (this.#links.take(link, nowMs)) this.#publish('link_update', link.id, link);
  }

  removeLink(id: string): void {
    if (!this.#links.delete(id)) return;
    this.#queue('link_removed', id, { id });
    this.#due.emit('now');
  }

  /** Takes an outlet. Call it once a second and after each change of the outlet's state. */
  setOutlet(outlet: Outlet, nowMs: number): void {
    if (this.#outlets.take(outlet, nowMs)) this.#publish('outlet_update', outlet.id, outlet);
  }

  removeOutlet(id: string): void {
    if (this.#outlets.delete(id)) this.#publish('outlet_removed', id, { id });
  }

  setFleet(row: FleetRow): void {
    this.#fleet.set(row.key, row);
    this.#publish('fleet_update', row.key, row);
  }

  removeFleet(key: string): void {
    if (this.#fleet.delete(key)) this.#publish('fleet_removed', key, { key });
  }

  #publish<K extends EventKind>(kind: K, object: string, body: EventBody<K>): void {
    this.#queue(kind, object, body);
    this.#due.emit('soon');
  }

  /** All rows, for a snapshot. */
  all(): Pick<Picture, RegistryList | 'sensors' | 'links' | 'outlets' | 'fleet'> {
    return {
      assets: [...this.#rows.assets.values()] as Picture['assets'],
      assignments: [...this.#rows.assignments.values()] as Picture['assignments'],
      zones: [...this.#rows.zones.values()] as Picture['zones'],
      regions: [...this.#rows.regions.values()] as Picture['regions'],
      sensors: this.#sensors.rows(),
      links: this.#links.rows(),
      outlets: this.#outlets.rows(),
      fleet: [...this.#fleet.values()],
    };
  }
}
