import type { State } from './state.ts';

/** Decision config as it was saved. */
export type SavedPolicy = { version: number; saved_at: string; saved_by: string; document: unknown };

type Stored = Omit<SavedPolicy, 'document'> & { document: string };

/**
 * Returns the policies that were in force between two times (RFC 3339 UTC), the oldest first. The list is empty if only
 * the defaults were in force.
 */
export function policiesBetween({ db }: State, workspaceId: string, since: string, until: string): SavedPolicy[] {
  const rows = db
    .prepare<[string, string, string, string], Stored>(
      `SELECT version, saved_at, saved_by, document FROM decision_configs WHERE workspace_id = ? AND saved_at <= ?
         AND version >= coalesce((SELECT max(version) FROM decision_configs WHERE workspace_id = ? AND saved_at <= ?), 0)
       ORDER BY version`,
    )
    .all(workspaceId, until, workspaceId, since);
  return rows.map((row) => ({ ...row, document: JSON.parse(row.document) }));
}
