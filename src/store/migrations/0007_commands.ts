import type { Migration } from '../migrate.ts';

export const commands: Migration = {
  version: 7,
  sql: `
    -- What vehicles were told, and what became of it.
    CREATE TABLE commands (
      number INTEGER PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      command_id TEXT NOT NULL,
      asset_id TEXT NOT NULL,
      over INTEGER NOT NULL,
      accepted_ms INTEGER NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document)),
      UNIQUE (workspace_id, command_id)
    ) STRICT;
    CREATE INDEX commands_by_asset ON commands (workspace_id, asset_id, number);
    CREATE INDEX commands_running ON commands (workspace_id) WHERE over = 0;
    -- What vehicles do for a while.
    CREATE TABLE tasks (
      number INTEGER PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      id TEXT NOT NULL UNIQUE,
      asset_id TEXT NOT NULL,
      over INTEGER NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document))
    ) STRICT;
    CREATE INDEX tasks_by_workspace ON tasks (workspace_id, over, number);
  `,
};
