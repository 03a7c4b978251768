import type { CatalogEntry } from '../model/catalog.ts';
import type { State } from './state.ts';

export type CatalogRecord = CatalogEntry & { workspace_id: string; folded_name: string };

/** The statements of the table `catalog_entries`; each runs inside a change of the ledger. */
export type CatalogRows = {
  /** By name. */
  list(workspaceId: string): CatalogRecord[];
  insert(record: CatalogRecord): void;
  update(record: CatalogRecord): void;
  delete(id: string): void;
};

type Stored = Omit<CatalogRecord, 'spec' | 'builtin'> & { spec: string; builtin: number };

const columns = 'id, workspace_id, kind, name, folded_name, spec, builtin, version, created_at, updated_at';

export function catalogRows(state: State): CatalogRows {
  const { db } = state;
  const list = db.prepare<[string], Stored>(
    `SELECT ${columns} FROM catalog_entries WHERE workspace_id = ? ORDER BY folded_name`,
  );
  const insert = db.prepare<[Stored]>(
    `INSERT INTO catalog_entries (${columns})
     VALUES (@id, @workspace_id, @kind, @name, @folded_name, @spec, @builtin, @version, @created_at, @updated_at)`,
  );
  const update = db.prepare<[Stored]>(
    `UPDATE catalog_entries SET kind = @kind, name = @name, folded_name = @folded_name, spec = @spec,
       builtin = @builtin, version = @version, updated_at = @updated_at
     WHERE id = @id`,
  );
  const remove = db.prepare<[string]>('DELETE FROM catalog_entries WHERE id = ?');
  return {
    list: (workspaceId) => list.all(workspaceId).map(recordOf),
    insert: (record) => void insert.run(storedOf(record)),
    update: (record) => void update.run(storedOf(record)),
    delete: (id) => void remove.run(id),
  };
}

function storedOf(record: CatalogRecord): Stored {
  return { ...record, spec: JSON.stringify(record.spec), builtin: Number(record.builtin) };
}

function recordOf(stored: Stored): CatalogRecord {
  return { ...stored, spec: JSON.parse(stored.spec), builtin: stored.builtin === 1 };
}
