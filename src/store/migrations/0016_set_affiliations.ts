import type { Migration } from '../migrate.ts';

/** Table of affiliations that people set for single tracks. A row is deleted with its track. */
export const setAffiliations: Migration = {
  version: 16,
  sql: `
    CREATE TABLE set_affiliations (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      track_id TEXT NOT NULL,
      document TEXT NOT NULL CHECK (json_valid(document)),
      PRIMARY KEY (workspace_id, track_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
