import type { KnownReceiver } from '../edge/feed/sensor_row.ts';
import type { SensorStatuses } from '../edge/feed/sensor_statuses.ts';
import { type LinkSensorRows, linkSensorRows } from '../store/link_sensors.ts';
import type { State } from '../store/state.ts';

/**
 * Stores the receivers of links. A receiver that is dead after a restart is therefore shown as silent, not as unknown.
 */
export class ReceiverStore {
  readonly #state: State;
  readonly #rows: LinkSensorRows;
  readonly #workspaceId: string;
  readonly #kept = new Set<string>();
  readonly #new = new Map<string, KnownReceiver>();
  readonly #gone = new Set<string>();

  constructor(state: State, workspaceId: string, statuses: SensorStatuses) {
    this.#state = state;
    this.#rows = linkSensorRows(state);
    this.#workspaceId = workspaceId;
    statuses.lasting.add((receiver) => this.#note(receiver));
    statuses.removed.add((id) => this.#forget(id));
  }

  load(): KnownReceiver[] {
    const rows = this.#rows.list(this.#workspaceId);
    for (const { id } of rows) this.#kept.add(id);
    return rows;
  }

  /** Writes a receiver with the settings of an operator. Call this inside `Ledger.change`. */
  put(receiver: KnownReceiver): void {
    this.#rows.put(this.#workspaceId, [receiver]);
    this.#kept.add(receiver.id);
    this.#new.delete(receiver.id);
  }

  /** Deletes a receiver. Call this inside `Ledger.change`. */
  remove(id: string): void {
    this.#rows.delete(this.#workspaceId, [id]);
    this.#kept.delete(id);
    this.#new.delete(id);
  }

  /** Writes the changes since the last call. Call this once a second. After a failure the next call tries again. */
  flush(): void {
    if (this.#new.size === 0 && this.#gone.size === 0) return;
    this.#state.writeUnsynced('The receivers of links', () => {
      this.#rows.delete(this.#workspaceId, [...this.#gone]);
      this.#rows.put(this.#workspaceId, [...this.#new.values()]);
    });
    for (const id of this.#new.keys()) this.#kept.add(id);
    this.#new.clear();
    this.#gone.clear();
  }

  /** Marks a receiver for the next write. Vehicles (telemetry) are not stored: the fleet reports their absence. */
  #note(receiver: KnownReceiver): void {
    if (receiver.modality === 'telemetry' || this.#kept.has(receiver.id)) return;
    this.#gone.delete(receiver.id);
    this.#new.set(receiver.id, receiver);
  }

  #forget(id: string): void {
    this.#new.delete(id);
    if (this.#kept.delete(id)) this.#gone.add(id);
  }
}
