import type { State } from './state.ts';
import { json, number, Statements, table, text } from './table.ts';

export type DocumentTable = 'zones' | 'regions' | 'rules' | 'scenarios' | 'webhooks' | 'outlets';

/** Columns of documents whose name is unique in a workspace. Times are RFC 3339 UTC. */
const columns = {
  id: text,
  workspace_id: text,
  name: text,
  document: json<unknown>(),
  version: number,
  created_at: text,
  updated_at: text,
};

/** Document as clients see it: with its id, version and times. */
export type Kept<Spec> = Spec & { id: string; version: number; created_at: string; updated_at: string };

export function specOf<Spec>({
  id: _id,
  version: _version,
  created_at: _made,
  updated_at: _changed,
  ...spec
}: Kept<Spec>) {
  return spec;
}

/**
 * SQL statements of a table of documents. Call those that write inside `Ledger.change`, or for rows of a recording
 * inside `State.write`. `noun` names one document in error sentences.
 */
export function documentRows<Spec extends { name: string }>({ db }: State, name: DocumentTable, noun: string) {
  const rows = new Statements(db, table(name, noun, columns));
  const list = rows.all<[string]>('workspace_id = ? ORDER BY name, id');
  const insert = rows.insert();
  const update = rows.update(['id', 'workspace_id', 'created_at'], 'id = @id AND workspace_id = @workspace_id');
  const rowOf = (workspace_id: string, kept: Kept<Spec>) => ({ ...kept, workspace_id, document: specOf(kept) });
  return {
    /** Returns all documents of a workspace, sorted by name. */
    list: (workspaceId: string): Kept<Spec>[] =>
      list(workspaceId).map(({ document, id, version, created_at, updated_at }) => {
        return { ...(document as Spec), id, version, created_at, updated_at };
      }),
    /** Inserts a document. Throws a Fault `conflict` if another document of the workspace has the name. */
    insert: (workspaceId: string, kept: Kept<Spec>) =>
      rows.refusingTaken(kept.name, () => insert(rowOf(workspaceId, kept))),
    /** Replaces the document with the same id. Throws like `insert`. */
    update: (workspaceId: string, kept: Kept<Spec>) =>
      rows.refusingTaken(kept.name, () => update(rowOf(workspaceId, kept))),
    delete: rows.delete<[workspaceId: string, id: string]>('workspace_id = ? AND id = ?'),
  };
}
