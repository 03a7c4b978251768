import type { Migration } from '../migrate.ts';

export const runs: Migration = {
  version: 10,
  sql: `
    -- Scenarios that were run, and what came of them.
    CREATE TABLE runs (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      going INTEGER NOT NULL CHECK (going IN (0, 1)),
      started_ms INTEGER NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document))
    ) STRICT;
    CREATE INDEX runs_newest ON runs (workspace_id, started_ms, number);
    CREATE INDEX runs_going ON runs (workspace_id) WHERE going = 1;
  `,
};
