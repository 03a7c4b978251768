import type { Migration } from '../migrate.ts';

/** What people wrote for the simulator to fly; those that come with the program are files and stand in no table. */
export const scenarios: Migration = {
  version: 9,
  sql: `
    CREATE TABLE scenarios (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document)),
      version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (workspace_id, name)
    ) STRICT;
  `,
};
