/**
 * Returns the statement that creates a table of a workspace's named documents. Databases contain this exact text,
 * including its spaces, and each start compares it. A change of such a table therefore needs a migration.
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
