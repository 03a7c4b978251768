import Database from 'better-sqlite3';
import { Fault } from '../model/fault.ts';
import {
  type DetectionModel,
  detectionModelSchema,
  type Modality,
  type Placement,
  placementSchema,
  type Sensor,
} from '../model/sensor.ts';
import { parsedColumn } from './json_column.ts';
import type { State } from './state.ts';
import type { Environment, Scope } from './workspaces.ts';

/** A declared sensor as stored; what is heard of it lives in the picture. Times are RFC 3339 UTC. */
export type SensorRow = {
  id: string;
  workspaceId: string;
  environment: Environment;
  name: string;
  modality: Modality;
  placement: Placement | null;
  heartbeatS: number;
  quietOk: boolean;
  detection: DetectionModel | null;
  declaredBy: Sensor['declared_by'];
  linkId: string | null;
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type SensorRows = {
  /** By name. */
  list(scope: Scope): SensorRow[];
  get(scope: Scope, id: string): SensorRow | null;
  /** Throws a Fault `conflict` where the name is taken in the workspace and environment, or the id anywhere. */
  insert(row: SensorRow): void;
  /**
   * Writes the row over the one of the same id and scope whose version is `expectedVersion`; `row.version` is the new one.
   * Returns false, with nothing changed, where no such row has that version. Throws as `insert`.
   */
  update(row: SensorRow, expectedVersion: number): boolean;
  /** Returns whether there was such a row, of that version where one is given. */
  delete(scope: Scope, id: string, expectedVersion?: number): boolean;
};

type Stored = Omit<SensorRow, 'placement' | 'quietOk' | 'detection'> & {
  placement: string | null;
  quietOk: 0 | 1;
  detection: string | null;
};

const columns = `id, workspace_id AS workspaceId, environment, name, modality, placement, heartbeat_s AS heartbeatS,
  quiet_ok AS quietOk, detection, declared_by AS declaredBy, link_id AS linkId, version, created_at AS createdAt, updated_at AS updatedAt`;
const inScope = 'workspace_id = @workspaceId AND environment = @environment';

export function sensorRows(state: State): SensorRows {
  const list = state.db.prepare<[Scope], Stored>(`SELECT ${columns} FROM sensors WHERE ${inScope} ORDER BY name, id`);
  const get = state.db.prepare<[Scope & { id: string }], Stored>(
    `SELECT ${columns} FROM sensors WHERE id = @id AND ${inScope}`,
  );
  const insert = state.db.prepare<[Stored]>(
    `INSERT INTO sensors (id, workspace_id, environment, name, modality, placement, heartbeat_s, quiet_ok, detection,
       declared_by, link_id, version, created_at, updated_at)
     VALUES (@id, @workspaceId, @environment, @name, @modality, @placement, @heartbeatS, @quietOk, @detection,
       @declaredBy, @linkId, @version, @createdAt, @updatedAt)`,
  );
  const update = state.db.prepare<[Stored & { expectedVersion: number }]>(
    `UPDATE sensors SET name = @name, modality = @modality, placement = @placement, heartbeat_s = @heartbeatS,
       quiet_ok = @quietOk, detection = @detection, declared_by = @declaredBy, link_id = @linkId, version = @version, updated_at = @updatedAt
     WHERE id = @id AND ${inScope} AND version = @expectedVersion`,
  );
  const remove = state.db.prepare<[Scope & { id: string; expectedVersion: number | null }]>(
    `DELETE FROM sensors WHERE id = @id AND ${inScope} AND version = coalesce(@expectedVersion, version)`,
  );
  const change = (row: SensorRow, work: () => number): number =>
    state.write(`The sensor ${row.name}`, () => refusingTaken(row, work));

  return {
    list: (scope) => list.all(scopeOf(scope)).map(rowOf),
    get(scope, id) {
      const stored = get.get({ ...scopeOf(scope), id });
      return stored === undefined ? null : rowOf(stored);
    },
    insert(row) {
      change(row, () => insert.run(storedOf(row)).changes);
    },
    update: (row, expectedVersion) => change(row, () => update.run({ ...storedOf(row), expectedVersion }).changes) > 0,
    delete(scope, id, expectedVersion) {
      const which = { ...scopeOf(scope), id, expectedVersion: expectedVersion ?? null };
      return state.write(`The removal of sensor ${id}`, () => remove.run(which).changes) > 0;
    },
  };
}

function refusingTaken<T>(row: SensorRow, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof Database.SqliteError)) throw thrown;
    if (thrown.code === 'SQLITE_CONSTRAINT_UNIQUE') {
      throw new Fault('conflict', `There is already a sensor called ${row.name}.`, { cause: thrown });
    }
    if (thrown.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
      throw new Fault('conflict', `There is already a sensor with the id ${row.id}.`, { cause: thrown });
    }
    throw thrown;
  }
}

function scopeOf({ workspaceId, environment }: Scope): Scope {
  return { workspaceId, environment };
}

function storedOf({ placement, detection, quietOk, ...row }: SensorRow): Stored {
  return {
    ...row,
    placement: placement && JSON.stringify(placement),
    detection: detection && JSON.stringify(detection),
    quietOk: quietOk ? 1 : 0,
  };
}

function rowOf({ placement, detection, quietOk, ...row }: Stored): SensorRow {
  return {
    ...row,
    placement: parsedColumn(placement, placementSchema, `The stored placement of sensor ${row.name}`),
    detection: parsedColumn(detection, detectionModelSchema, `The stored detection model of sensor ${row.name}`),
    quietOk: quietOk === 1,
  };
}
