import type { Migration } from '../migrate.ts';

/** Table of engagements: plans for tracks, decisions of people, and their outcome. */
export const engagements: Migration = {
  version: 6,
  sql: `
    CREATE TABLE engagements (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      track_id TEXT NOT NULL,
      state TEXT NOT NULL,
      over INTEGER NOT NULL CHECK (over IN (0, 1)),
      updated_ms INTEGER NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document))
    ) STRICT;
    CREATE INDEX engagements_open ON engagements (workspace_id, number) WHERE over = 0;
    CREATE INDEX engagements_newest ON engagements (workspace_id, updated_ms);
  `,
};
