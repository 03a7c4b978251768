import type { State } from './state.ts';

/** A switch or single value of a workspace, or of the whole box where `workspaceId` is empty. */
export type SettingRow = { workspaceId: string; key: string; value: unknown; updatedAt: string; updatedBy: string };

export type SettingRows = {
  get(workspaceId: string, key: string): SettingRow | null;
  /** Call within a change of the ledger. */
  put(row: SettingRow): void;
};

export function settingRows({ db }: State): SettingRows {
  const get = db.prepare<[string, string], SettingRow & { value: string }>(
    `SELECT workspace_id AS workspaceId, key, value, updated_at AS updatedAt, updated_by AS updatedBy
     FROM settings WHERE workspace_id = ? AND key = ?`,
  );
  const put = db.prepare<[SettingRow]>(
    `INSERT INTO settings (workspace_id, key, value, updated_at, updated_by)
     VALUES (@workspaceId, @key, @value, @updatedAt, @updatedBy)
     ON CONFLICT (workspace_id, key) DO UPDATE
       SET value = excluded.value, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
  );
  return {
    get(workspaceId, key) {
      const row = get.get(workspaceId, key);
      return row === undefined ? null : { ...row, value: JSON.parse(row.value) };
    },
    put: (row) => void put.run({ ...row, value: JSON.stringify(row.value) }),
  };
}
