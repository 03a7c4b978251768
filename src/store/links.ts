import type { State } from './state.ts';
import { json, number, orNull, type RowOf, Statements, table, text } from './table.ts';
import type { Scope } from './workspaces.ts';

/** Links declared at run time, as stored. Times are RFC 3339 UTC. */
const links = table('links', 'link', {
  id: text,
  workspaceId: text,
  name: text,
  issuedFor: orNull(text),
  /** Declaration of the link without its name, which has its own column. */
  document: json<unknown>(),
  version: number,
  createdAt: text,
  updatedAt: text,
});
export type LinkRow = RowOf<typeof links>;
export type LinkRows = ReturnType<typeof linkRows>;

export function linkRows({ db }: State) {
  const rows = new Statements(db, links);
  const insert = rows.insert();
  const update = rows.update(['id', 'workspaceId', 'createdAt'], 'id = @id AND workspace_id = @workspaceId');
  const asset = db.prepare<[Scope & { id: string }], unknown>(
    'SELECT 1 FROM assets WHERE id = @id AND workspace_id = @workspaceId AND environment = @environment',
  );
  return {
    /** Returns all links of a workspace, the oldest first. */
    list: rows.all<[workspaceId: string]>('workspace_id = ? ORDER BY created_at, id'),
    get: rows.one<[workspaceId: string, id: string]>('workspace_id = ? AND id = ?'),
    /**
     * Inserts a link. Throws a Fault `conflict` if another link of the workspace has the name. Call it inside
     * `Ledger.change`.
     */
    insert: (row: LinkRow) => rows.refusingTaken(row.name, () => insert(row)),
    /** Replaces the link with the same id. Throws like `insert`. */
    update: (row: LinkRow) => rows.refusingTaken(row.name, () => update(row)),
    delete: rows.delete<[workspaceId: string, id: string]>('workspace_id = ? AND id = ?'),
    issuedFor: rows.all<[workspaceId: string, assetId: string]>(
      'workspace_id = ? AND issued_for = ? ORDER BY created_at, id',
    ),
    /** Returns true if the asset exists, so that a link can be issued for it. */
    hasAsset: (scope: Scope, id: string) => asset.get({ ...scope, id }) !== undefined,
  };
}
