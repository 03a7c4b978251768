import type { State } from './state.ts';

/** One saved version of a document of which every version is kept. */
export type VersionRow = { version: number; document: unknown; savedAt: string; savedBy: string };

export type VersionRows = {
  /** The last; null where none was ever saved. */
  latest(workspaceId: string): VersionRow | null;
  get(workspaceId: string, version: number): VersionRow | null;
  /** Call within a change of the ledger. */
  insert(workspaceId: string, row: VersionRow): void;
};

type Stored = Omit<VersionRow, 'document'> & { document: string };

const columns = 'version, document, saved_at AS savedAt, saved_by AS savedBy';

export function versionRows({ db }: State, table: 'decision_configs' | 'doctrines'): VersionRows {
  const latest = db.prepare<[string], Stored>(
    `SELECT ${columns} FROM ${table} WHERE workspace_id = ? ORDER BY version DESC LIMIT 1`,
  );
  const get = db.prepare<[string, number], Stored>(
    `SELECT ${columns} FROM ${table} WHERE workspace_id = ? AND version = ?`,
  );
  const insert = db.prepare<[Stored & { workspaceId: string }]>(
    `INSERT INTO ${table} (workspace_id, version, document, saved_at, saved_by)
     VALUES (@workspaceId, @version, @document, @savedAt, @savedBy)`,
  );
  const rowOf = (stored: Stored | undefined): VersionRow | null =>
    stored === undefined ? null : { ...stored, document: JSON.parse(stored.document) };
  return {
    latest: (workspaceId) => rowOf(latest.get(workspaceId)),
    get: (workspaceId, version) => rowOf(get.get(workspaceId, version)),
    insert: (workspaceId, row) => void insert.run({ ...row, workspaceId, document: JSON.stringify(row.document) }),
  };
}
