import type { State } from './state.ts';

/** A switch or single value of a workspace; an empty workspace id is the whole box. */
export type SettingRow = { workspaceId: string; key: string; value: unknown; updatedAt: string; updatedBy: string };

type Stored = Omit<SettingRow, 'value'> & { value: string };

export type SettingRows = {
  get(workspaceId: string, key: string): SettingRow | null;
  set(row: SettingRow): void;
};

export function settingRows({ db }: State): SettingRows {
  const get = db.prepare<[string, string], Stored>(
    `SELECT workspace_id AS workspaceId, key, value, updated_at AS updatedAt, updated_by AS updatedBy
     FROM settings WHERE workspace_id = ? AND key = ?`,
  );
  const set = db.prepare<[Stored]>(
    `INSERT INTO settings (workspace_id, key, value, updated_at, updated_by)
     VALUES (@workspaceId, @key, @value, @updatedAt, @updatedBy)
     ON CONFLICT (workspace_id, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at,
       updated_by = excluded.updated_by`,
  );
  return {
    get(workspaceId, key) {
      const stored = get.get(workspaceId, key);
      return stored ? { ...stored, value: JSON.parse(stored.value) } : null;
    },
    set: (row) => void set.run({ ...row, value: JSON.stringify(row.value) }),
  };
}
