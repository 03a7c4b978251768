import Database from 'better-sqlite3';
import { Fault } from '../model/fault.ts';
import type { State } from './state.ts';

/** A thing of a workspace that is known by its name, the rest of it a document. Times are RFC 3339 UTC. */
export type DocumentRow = {
  id: string;
  workspaceId: string;
  name: string;
  document: unknown;
  version: number;
  createdAt: string;
  updatedAt: string;
};

export type DocumentTable = 'zones' | 'regions' | 'rules' | 'scenarios';

export type DocumentRows = {
  /** By name. */
  list(workspaceId: string): DocumentRow[];
  /** Throws a Fault `conflict` where the name is taken in the workspace. */
  insert(row: DocumentRow): void;
  /** Writes over the row of the same id; throws as `insert`. */
  update(row: DocumentRow): void;
  delete(workspaceId: string, id: string): void;
};

type Stored = Omit<DocumentRow, 'document'> & { document: string };

const columns = `id, workspace_id AS workspaceId, name, document, version, created_at AS createdAt, updated_at AS updatedAt`;

/** Statements of a table of documents; `noun` is what one is called in a sentence. Call within a change of the ledger. */
export function documentRows({ db }: State, table: DocumentTable, noun: string): DocumentRows {
  const list = db.prepare<[string], Stored>(`SELECT ${columns} FROM ${table} WHERE workspace_id = ? ORDER BY name, id`);
  const insert = db.prepare<[Stored]>(
    `INSERT INTO ${table} (id, workspace_id, name, document, version, created_at, updated_at)
     VALUES (@id, @workspaceId, @name, @document, @version, @createdAt, @updatedAt)`,
  );
  const update = db.prepare<[Stored]>(
    `UPDATE ${table} SET name = @name, document = @document, version = @version, updated_at = @updatedAt
     WHERE id = @id AND workspace_id = @workspaceId`,
  );
  const remove = db.prepare<[string, string]>(`DELETE FROM ${table} WHERE workspace_id = ? AND id = ?`);
  const rowOf = (stored: Stored): DocumentRow => ({ ...stored, document: JSON.parse(stored.document) });
  const storedOf = (row: DocumentRow): Stored => ({ ...row, document: JSON.stringify(row.document) });
  return {
    list: (workspaceId) => list.all(workspaceId).map(rowOf),
    insert: (row) => refusingTaken(noun, row.name, () => insert.run(storedOf(row))),
    update: (row) => refusingTaken(noun, row.name, () => update.run(storedOf(row))),
    delete: (workspaceId, id) => void remove.run(workspaceId, id),
  };
}

/** Puts the database's own word on a name that is taken into a sentence. */
export function refusingTaken(noun: string, name: string, work: () => unknown): void {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Database.SqliteError && thrown.code === 'SQLITE_CONSTRAINT_UNIQUE') {
      throw new Fault('conflict', `there is already a ${noun} called ${name}`, { cause: thrown });
    }
    throw thrown;
  }
}
