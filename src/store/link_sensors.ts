import {
  type DetectionModel,
  detectionModelSchema,
  type Modality,
  type Placement,
  placementSchema,
} from '../model/sensor.ts';
import { parsedColumn } from './json_column.ts';
import type { State } from './state.ts';

/** A receiver of a link as stored; `heartbeatS` null: the link's deadline holds. Times are RFC 3339 UTC. */
export type LinkSensorRow = {
  id: string;
  linkId: string;
  receiver: string;
  modality: Modality;
  heartbeatS: number | null;
  quietOk: boolean;
  placement: Placement | null;
  detection: DetectionModel | null;
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type LinkSensorRows = {
  list(workspaceId: string): LinkSensorRow[];
  /** Writes rows over those of the same id. Call within a transaction. */
  put(workspaceId: string, rows: readonly LinkSensorRow[]): void;
  delete(workspaceId: string, ids: readonly string[]): void;
};

/** Receivers kept of one workspace; those of links that are no longer there go first, the oldest of them. */
const MOST = 4_096;

type Stored = Omit<LinkSensorRow, 'placement' | 'detection' | 'quietOk'> & {
  placement: string | null;
  detection: string | null;
  quietOk: 0 | 1;
};

const columns = `id, link_id AS linkId, receiver, modality, heartbeat_s AS heartbeatS, quiet_ok AS quietOk, placement,
  detection, version, created_at AS createdAt, updated_at AS updatedAt`;

export function linkSensorRows({ db }: State): LinkSensorRows {
  const list = db.prepare<[string], Stored>(
    `SELECT ${columns} FROM link_sensors WHERE workspace_id = ? ORDER BY link_id, receiver`,
  );
  const put = db.prepare<[Stored & { workspaceId: string }]>(
    `INSERT OR REPLACE INTO link_sensors (id, workspace_id, link_id, receiver, modality, heartbeat_s, quiet_ok, placement,
       detection, version, created_at, updated_at)
     VALUES (@id, @workspaceId, @linkId, @receiver, @modality, @heartbeatS, @quietOk, @placement, @detection, @version,
       @createdAt, @updatedAt)`,
  );
  const trim = db.prepare<[string, string, number]>(
    `DELETE FROM link_sensors WHERE workspace_id = ? AND rowid NOT IN
       (SELECT rowid FROM link_sensors WHERE workspace_id = ? ORDER BY rowid DESC LIMIT ?)`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM link_sensors WHERE workspace_id = ? AND id = ?');
  return {
    list: (workspaceId) => list.all(workspaceId).map(rowOf),
    put(workspaceId, rows) {
      for (const row of rows) put.run({ ...storedOf(row), workspaceId });
      trim.run(workspaceId, workspaceId, MOST);
    },
    delete(workspaceId, ids) {
      for (const id of ids) remove.run(workspaceId, id);
    },
  };
}

function storedOf({ placement, detection, quietOk, ...row }: LinkSensorRow): Stored {
  return {
    ...row,
    placement: placement && JSON.stringify(placement),
    detection: detection && JSON.stringify(detection),
    quietOk: quietOk ? 1 : 0,
  };
}

function rowOf({ placement, detection, quietOk, ...row }: Stored): LinkSensorRow {
  const what = `sensor ${row.id} of a link`;
  return {
    ...row,
    placement: parsedColumn(placement, placementSchema, `The stored placement of ${what}`),
    detection: parsedColumn(detection, detectionModelSchema, `The stored detection model of ${what}`),
    quietOk: quietOk === 1,
  };
}
