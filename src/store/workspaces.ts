import { randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import { formatTime } from '../model/time.ts';
import type { State } from './state.ts';

export const environments = ['live', 'sim'] as const;
export type Environment = (typeof environments)[number];

/** Whose rows: everything an operator owns belongs to one workspace and one of its environments. */
export type Scope = { readonly workspaceId: string; readonly environment: Environment };

export type WorkspaceRow = { id: string; name: string; createdAt: string };

/** The first start makes the workspace `default`. */
export function ensureDefaultWorkspace(db: Database.Database): void {
  if (db.prepare('SELECT 1 FROM workspaces LIMIT 1').get() !== undefined) return;
  const id = newWorkspaceId();
  db.prepare('INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?)').run(
    id,
    'default',
    formatTime(Date.now()),
  );
}

export function newWorkspaceId(): string {
  return `wsp_${randomBytes(12).toString('hex')}`;
}

export type WorkspaceRows = {
  /** Every workspace, the oldest first; there is always one. */
  list(): WorkspaceRow[];
  get(id: string): WorkspaceRow | null;
  /** Call inside a transaction of the ledger; the caller has seen that the name is free. */
  insert(row: WorkspaceRow): void;
  /** Takes everything that belongs to it along. */
  remove(id: string): void;
};

export function workspaceRows({ db }: Pick<State, 'db'>): WorkspaceRows {
  const columns = 'id, name, created_at AS createdAt';
  // In the order they were made, which their times do not tell: a box without a battery makes the second before the first.
  const list = db.prepare<[], WorkspaceRow>(`SELECT ${columns} FROM workspaces ORDER BY rowid`);
  const get = db.prepare<[string], WorkspaceRow>(`SELECT ${columns} FROM workspaces WHERE id = ?`);
  const insert = db.prepare<[WorkspaceRow]>(
    'INSERT INTO workspaces (id, name, created_at) VALUES (@id, @name, @createdAt)',
  );
  const remove = db.prepare<[string]>('DELETE FROM workspaces WHERE id = ?');
  return {
    list: () => list.all(),
    get: (id) => get.get(id) ?? null,
    insert: (row) => void insert.run(row),
    remove: (id) => void remove.run(id),
  };
}
