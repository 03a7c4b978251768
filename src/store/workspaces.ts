import { randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import { formatTime } from '../model/time.ts';
import type { State } from './state.ts';
import { type RowOf, Statements, table, text } from './table.ts';

export const environments = ['live', 'sim'] as const;
export type Environment = (typeof environments)[number];

/**
 * Scope of assets, assignments and sensors: one environment of a workspace. Other documents that operators maintain,
 * such as rules, belong to the whole workspace.
 */
export type Scope = { readonly workspaceId: string; readonly environment: Environment };

/** SQL condition for rows of a `Scope`. */
export const inScope = 'workspace_id = @workspaceId AND environment = @environment';

const workspaces = table('workspaces', 'workspace', { id: text, name: text, createdAt: text });
export type WorkspaceRow = RowOf<typeof workspaces>;

/** Creates the workspace `default` if there is no workspace, which is so at the first start. */
export function ensureDefaultWorkspace(db: Database.Database): void {
  const { list, insert } = workspaceRows({ db });
  if (list().length === 0) insert({ id: newWorkspaceId(), name: 'default', createdAt: formatTime(Date.now()) });
}

export function newWorkspaceId(): string {
  return `wsp_${randomBytes(12).toString('hex')}`;
}

export function workspaceRows({ db }: Pick<State, 'db'>) {
  const rows = new Statements(db, workspaces);
  return {
    /**
     * Returns all workspaces, the oldest first; there is always at least one. The order is that of the rows and not of
     * their times. A box without a battery-backed clock may date the second workspace before the first.
     */
    list: rows.all<[]>('TRUE ORDER BY rowid'),
    get: rows.one<[id: string]>('id = ?'),
    /** Inserts a workspace. Call it inside `Ledger.change`, after checking that the name is free. */
    insert: rows.insert(),
    /**
     * Deletes a workspace with the rows that refer to it by a foreign key. Its settings, sealed secrets and audit rows
     * remain.
     */
    remove: rows.delete<[id: string]>('id = ?'),
  };
}
