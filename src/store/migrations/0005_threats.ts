import type { Migration } from '../migrate.ts';

export const threats: Migration = {
  version: 5,
  sql: `
    -- What people did about the threat of a track; gone with the track.
    CREATE TABLE threat_marks (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      track_id TEXT NOT NULL,
      marks TEXT NOT NULL CHECK (json_valid(marks)),
      PRIMARY KEY (workspace_id, track_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
