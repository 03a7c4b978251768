import type { State } from './state.ts';
import { json, type RowOf, Statements, table, text } from './table.ts';

/** Switches and single values of a workspace; an empty `workspaceId` means the whole box. */
const settings = table('settings', 'setting', {
  workspaceId: text,
  key: text,
  value: json<unknown>(),
  updatedAt: text,
  updatedBy: text,
});
export type SettingRow = RowOf<typeof settings>;
export type SettingRows = ReturnType<typeof settingRows>;

export function settingRows({ db }: State) {
  const rows = new Statements(db, settings);
  return {
    get: rows.one<[workspaceId: string, key: string]>('workspace_id = ? AND key = ?'),
    /** Inserts or replaces a setting. Call it inside `Ledger.change` or `State.write`. */
    put: rows.put(['workspaceId', 'key'], ['value', 'updatedAt', 'updatedBy']),
  };
}
