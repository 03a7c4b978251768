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
  const id = `wsp_${randomBytes(12).toString('hex')}`;
  db.prepare('INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?)').run(
    id,
    'default',
    formatTime(Date.now()),
  );
}

/** Every workspace, the oldest first; there is always one. */
export function workspaceRows(state: State): { list(): WorkspaceRow[] } {
  const list = state.db.prepare<[], WorkspaceRow>(
    'SELECT id, name, created_at AS createdAt FROM workspaces ORDER BY created_at, id',
  );
  return { list: () => list.all() };
}
