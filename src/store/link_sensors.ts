import { detectionModelSchema, type Modality, placementSchema } from '../model/sensor.ts';
import type { State } from './state.ts';
import { checked, flag, number, orNull, plain, type RowOf, Statements, table, text } from './table.ts';

/** Receivers of links, as stored. Times are RFC 3339 UTC. */
const receivers = table('link_sensors', 'receiver', {
  id: text,
  workspaceId: text,
  linkId: text,
  receiver: text,
  modality: plain<Modality>(),
  /** Time without a sign of life after which the receiver is silent, s; null if the link's deadline applies. */
  heartbeatS: orNull(number),
  quietOk: flag,
  placement: orNull(checked(placementSchema)),
  detection: orNull(checked(detectionModelSchema)),
  version: number,
  createdAt: text,
  updatedAt: text,
});
type LinkSensorRow = Omit<RowOf<typeof receivers>, 'workspaceId'>;
export type LinkSensorRows = ReturnType<typeof linkSensorRows>;

/**
 * Limit of the receivers stored for a workspace. Beyond it, the receivers that were written longest ago are deleted.
 */
const MOST = 4_096;

export function linkSensorRows({ db }: State) {
  const rows = new Statements(db, receivers);
  const list = rows.all<[string]>('workspace_id = ? ORDER BY link_id, receiver');
  const put = rows.insert('INSERT OR REPLACE');
  const trim = rows.delete<[string, string, number]>(
    `workspace_id = ? AND rowid NOT IN
       (SELECT rowid FROM link_sensors WHERE workspace_id = ? ORDER BY rowid DESC LIMIT ?)`,
  );
  const remove = rows.delete<[string, string]>('workspace_id = ? AND id = ?');
  return {
    list: (workspaceId: string): LinkSensorRow[] => list(workspaceId).map(({ workspaceId: _own, ...row }) => row),
    /** Inserts receivers, or replaces the rows with the same ids. Call it within a transaction. */
    put(workspaceId: string, written: readonly LinkSensorRow[]): void {
      for (const row of written) put({ ...row, workspaceId });
      trim(workspaceId, workspaceId, MOST);
    },
    delete(workspaceId: string, ids: readonly string[]): void {
      for (const id of ids) remove(workspaceId, id);
    },
  };
}
