import { randomUUID } from 'node:crypto';
import { Fault } from '../model/fault.ts';
import type { SensorSpec } from '../model/sensor.ts';
import type { SensorRow, SensorRows } from '../store/sensors.ts';
import type { Scope } from '../store/workspaces.ts';

/** What may be changed of a sensor; absent is unchanged. `version` is the one the caller believes current. */
export type SensorChange = {
  name?: string | undefined;
  modality?: SensorSpec['modality'] | undefined;
  placement?: SensorSpec['placement'] | undefined;
  heartbeat_s?: number | undefined;
  version?: number | undefined;
};

/** The sensors that operators declare by hand. A change that returned is on the disk. */
export class SensorRegistry {
  readonly #rows: SensorRows;
  readonly #scope: Scope;
  readonly #nowText: () => string;

  constructor(rows: SensorRows, scope: Scope, nowText: () => string) {
    this.#rows = rows;
    this.#scope = scope;
    this.#nowText = nowText;
  }

  list(): SensorRow[] {
    return this.#rows.list(this.#scope);
  }

  create(spec: SensorSpec): SensorRow {
    const at = this.#nowText();
    const row: SensorRow = {
      ...this.#scope,
      id: randomUUID(),
      name: spec.name,
      modality: spec.modality,
      placement: spec.placement ?? null,
      heartbeatS: spec.heartbeat_s,
      declaredBy: 'manual',
      linkId: null,
      version: 1,
      createdAt: at,
      updatedAt: at,
    };
    this.#rows.insert(row);
    return row;
  }

  update(id: string, change: SensorChange): SensorRow {
    const row = this.#get(id);
    if (change.version !== undefined && change.version !== row.version) throw stale(row, change.version);
    const next: SensorRow = {
      ...row,
      name: change.name ?? row.name,
      modality: change.modality ?? row.modality,
      placement: change.placement === undefined ? row.placement : change.placement,
      heartbeatS: change.heartbeat_s ?? row.heartbeatS,
      version: row.version + 1,
      updatedAt: this.#nowText(),
    };
    if (!this.#rows.update(next, row.version)) throw stale(row, row.version);
    return next;
  }

  remove(id: string): void {
    this.#get(id);
    this.#rows.delete(this.#scope, id);
  }

  #get(id: string): SensorRow {
    const row = this.#rows.get(this.#scope, id);
    if (!row) throw new Fault('not_found', `there is no sensor with the id ${id} in this workspace`);
    return row;
  }
}

function stale(row: SensorRow, version: number): Fault {
  return new Fault(
    'conflict',
    `the sensor ${row.name} is at version ${row.version}, not ${version}; read it again and repeat the change`,
  );
}
