import type { State } from './state.ts';
import { json, number, type RowOf, Statements, table, text } from './table.ts';

/** Columns of documents of which every saved version is kept. */
const columns = { workspaceId: text, version: number, document: json<unknown>(), savedAt: text, savedBy: text };
export type VersionRow = Omit<RowOf<{ name: string; noun: string; columns: typeof columns }>, 'workspaceId'>;
export type VersionRows = ReturnType<typeof versionRows>;

export function versionRows({ db }: State, name: 'decision_configs' | 'doctrines') {
  const rows = new Statements(db, table(name, 'version', columns));
  const insert = rows.insert();
  const latest = rows.one<[workspaceId: string]>('workspace_id = ? ORDER BY version DESC LIMIT 1');
  const before = rows.all<[workspaceId: string, version: number, limit: number]>(
    'workspace_id = ? AND version < ? ORDER BY version DESC LIMIT ?',
  );
  return {
    /** Returns the newest `limit` versions before the given version, newest first. */
    before,
    /** Returns the latest version; null if none was ever saved. */
    latest,
    get: rows.one<[workspaceId: string, version: number]>('workspace_id = ? AND version = ?'),
    /** Saves a document as the next version. Call it inside `Ledger.change`. */
    append(workspaceId: string, document: unknown, savedAt: string, savedBy: string): VersionRow {
      const row = { workspaceId, version: (latest(workspaceId)?.version ?? 0) + 1, document, savedAt, savedBy };
      insert(row);
      return row;
    },
    /**
     * Saves a version from a recording, unless a version with the same or a higher number exists. Returns true if it
     * was saved.
     */
    restore(workspaceId: string, row: Omit<VersionRow, 'savedBy'>): boolean {
      if ((latest(workspaceId)?.version ?? -1) >= row.version) return false;
      insert({ ...row, workspaceId, savedBy: 'recorded' });
      return true;
    },
  };
}
