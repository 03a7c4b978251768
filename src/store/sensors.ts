import Database from 'better-sqlite3';
import { conflict } from '../model/fault.ts';
import { detectionModelSchema, type Modality, placementSchema, type Sensor } from '../model/sensor.ts';
import type { State } from './state.ts';
import { checked, flag, number, orNull, plain, type RowOf, Statements, table, text } from './table.ts';
import { type Environment, inScope, type Scope } from './workspaces.ts';

/** Declared sensors as stored; reports received from them are in the picture. Times are RFC 3339 UTC. */
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
    /** By name. */
    list: rows.all<[Scope]>(`${inScope} ORDER BY name, id`),
    get: (scope: Scope, id: string) => get({ ...scope, id }),
    /** Throws a Fault `conflict` where the name is taken in the workspace and environment, or the id anywhere. */
    insert: (row: SensorRow) => void change(row, () => insert(row)),
    /**
     * Replaces the row of the same id and scope whose version is `expectedVersion`; `row.version` is the new version.
     * Returns false, with nothing changed, where no row has that version. Throws like `insert`.
     */
    update: (row: SensorRow, expectedVersion: number) => change(row, () => update({ ...row, expectedVersion })) > 0,
    /** Deletes the row, of the given version if there is one. Returns whether there was such a row. */
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
