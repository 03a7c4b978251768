/**
 * A table of named documents of a workspace. Databases contain this text exactly, including spaces, and each start
 * compares it. So a change of such a table needs a migration of its own.
 */
export function documentTable(name: string): string {
  return `CREATE TABLE ${name} (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document)),
      version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (workspace_id, name)
    ) STRICT`;
}
