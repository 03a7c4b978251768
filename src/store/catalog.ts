import { type CatalogEntry, catalogEntrySchema } from '../model/catalog.ts';
import type { State } from './state.ts';
import { flag, json, plainColumns, Statements, table, text } from './table.ts';

export type CatalogRecord = CatalogEntry & { workspace_id: string; folded_name: string };

const entries = table<CatalogRecord>('catalog_entries', 'catalog entry', {
  ...plainColumns(catalogEntrySchema),
  workspace_id: text,
  folded_name: text,
  spec: json(),
  builtin: flag,
});

/** SQL statements of the table `catalog_entries`. Those that write may be called only inside `Ledger.change`. */
export function catalogRows({ db }: State) {
  const rows = new Statements(db, entries);
  return {
    /** Returns all entries of a workspace, sorted by name. */
    list: rows.all<[workspaceId: string]>('workspace_id = ? ORDER BY folded_name'),
    insert: rows.insert(),
    update: rows.update(['id', 'workspace_id', 'created_at'], 'id = @id'),
    delete: rows.delete<[id: string]>('id = ?'),
  };
}
