/**
 * A table of named documents of a workspace. Databases have this text to the space, and a start compares it: a change of
 * such a table is a migration of its own.
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
