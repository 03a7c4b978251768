import { refusingTaken } from './documents.ts';
import type { State } from './state.ts';
import type { Scope } from './workspaces.ts';

/** A link that was declared at run time. Times are RFC 3339 UTC. */
export type LinkRow = {
  id: string;
  workspaceId: string;
  name: string;
  issuedFor: string | null;
  /** What is said of it; its name stands beside. */
  document: unknown;
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type LinkRows = {
  /** The oldest first. */
  list(workspaceId: string): LinkRow[];
  get(workspaceId: string, id: string): LinkRow | null;
  /** Throws a Fault `conflict` where the name is taken in the workspace. Call within a change of the ledger. */
  insert(row: LinkRow): void;
  /** Writes over the row of the same id; throws as `insert`. */
  update(row: LinkRow): void;
  delete(workspaceId: string, id: string): void;
  issuedFor(workspaceId: string, assetId: string): LinkRow[];
  /** Whether there is such an asset to issue a link for. */
  hasAsset(scope: Scope, assetId: string): boolean;
};

type Stored = Omit<LinkRow, 'document'> & { document: string };

const columns = `id, workspace_id AS workspaceId, name, issued_for AS issuedFor, document, version,
  created_at AS createdAt, updated_at AS updatedAt`;

export function linkRows({ db }: State): LinkRows {
  const list = db.prepare<[string], Stored>(
    `SELECT ${columns} FROM links WHERE workspace_id = ? ORDER BY created_at, id`,
  );
  const get = db.prepare<[string, string], Stored>(`SELECT ${columns} FROM links WHERE workspace_id = ? AND id = ?`);
  const issued = db.prepare<[string, string], Stored>(
    `SELECT ${columns} FROM links WHERE workspace_id = ? AND issued_for = ? ORDER BY created_at, id`,
  );
  const insert = db.prepare<[Stored]>(
    `INSERT INTO links (id, workspace_id, name, issued_for, document, version, created_at, updated_at)
     VALUES (@id, @workspaceId, @name, @issuedFor, @document, @version, @createdAt, @updatedAt)`,
  );
  const update = db.prepare<[Stored]>(
    `UPDATE links SET name = @name, issued_for = @issuedFor, document = @document, version = @version,
       updated_at = @updatedAt
     WHERE id = @id AND workspace_id = @workspaceId`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM links WHERE workspace_id = ? AND id = ?');
  const asset = db.prepare<[Scope & { id: string }], unknown>(
    'SELECT 1 FROM assets WHERE id = @id AND workspace_id = @workspaceId AND environment = @environment',
  );
  const rowOf = (stored: Stored): LinkRow => ({ ...stored, document: JSON.parse(stored.document) });
  const storedOf = (row: LinkRow): Stored => ({ ...row, document: JSON.stringify(row.document) });
  return {
    list: (workspaceId) => list.all(workspaceId).map(rowOf),
    get(workspaceId, id) {
      const stored = get.get(workspaceId, id);
      return stored === undefined ? null : rowOf(stored);
    },
    insert: (row) => refusingTaken('link', row.name, () => insert.run(storedOf(row))),
    update: (row) => refusingTaken('link', row.name, () => update.run(storedOf(row))),
    delete: (workspaceId, id) => void remove.run(workspaceId, id),
    issuedFor: (workspaceId, assetId) => issued.all(workspaceId, assetId).map(rowOf),
    hasAsset: ({ workspaceId, environment }, id) => asset.get({ workspaceId, environment, id }) !== undefined,
  };
}
