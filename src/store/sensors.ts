import Database from 'better-sqlite3';
import { conflict } from '../model/fault.ts';
import { detectionModelSchema, type Modality, placementSchema, type Sensor } from '../model/sensor.ts';
import type { State } from './state.ts';
import { checked, flag, number, orNull, plain, type RowOf, Statements, table, text } from './table.ts';
import { type Environment, inScope, type Scope } from './workspaces.ts';

/** Declared sensors, as stored. Times are RFC 3339 UTC. */
const sensors = table('sensors', 'sensor', {
  id: text,
  workspaceId: text,
  environment: plain<Environment>(),
  name: text,
  modality: plain<Modality>(),
  placement: orNull(checked(placementSchema)),
  heartbeatS: number,
  quietOk: flag,
  detection: orNull(checked(detectionModelSchema)),
  declaredBy: plain<Sensor['declared_by']>(),
  linkId: orNull(text),
  version: number,
  createdAt: text,
  updatedAt: text,
});
export type SensorRow = RowOf<typeof sensors>;
export type SensorRows = ReturnType<typeof sensorRows>;

export function sensorRows(state: State) {
  const rows = new Statements(state.db, sensors);
  const get = rows.one<[Scope & { id: string }]>(`id = @id AND ${inScope}`);
  const insert = rows.insert();
  const update = rows.update<{ expectedVersion: number }>(
    ['id', 'workspaceId', 'environment', 'createdAt'],
    `id = @id AND ${inScope} AND version = @expectedVersion`,
  );
  const remove = rows.delete<[Scope & { id: string; expectedVersion: number | null }]>(
    `id = @id AND ${inScope} AND version = coalesce(@expectedVersion, version)`,
  );
  const change = (row: SensorRow, work: () => number): number =>
    state.write(`The sensor ${row.name}`, () => refusingTaken(row, work));

  return {
    /** Returns all sensors of the scope, sorted by name. */
    list: rows.all<[Scope]>(`${inScope} ORDER BY name, id`),
    get: (scope: Scope, id: string) => get({ ...scope, id }),
    /**
     * Inserts a sensor. Throws a Fault `conflict` if another sensor of the workspace and environment has the same name,
     * or if any sensor has the same id.
     */
    insert: (row: SensorRow) => void change(row, () => insert(row)),
    /**
     * Replaces the sensor with the same id and scope if its version is `expectedVersion`; `row.version` is the new
     * version. Returns false, without a change, if no sensor has that version. Throws like `insert`.
     */
    update: (row: SensorRow, expectedVersion: number) => change(row, () => update({ ...row, expectedVersion })) > 0,
    /** Deletes a sensor; if `expectedVersion` is given, only in that version. Returns true if a sensor was deleted. */
    delete: (scope: Scope, id: string, expectedVersion: number | null = null) =>
      state.write(`The removal of sensor ${id}`, () => remove({ ...scope, id, expectedVersion })) > 0,
  };
}

function refusingTaken<T>({ id, name }: SensorRow, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const code = thrown instanceof Database.SqliteError ? thrown.code : null;
    if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') throw thrown;
    const which = code === 'SQLITE_CONSTRAINT_UNIQUE' ? `called ${name}` : `with the id ${id}`;
    throw conflict(`There is already a sensor ${which}.`, { cause: thrown });
  }
}
