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
    -- On which UTC days, counted from 1970, an aircraft of which name was here.
    CREATE TABLE visits (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      day INTEGER NOT NULL,
      last_ms INTEGER NOT NULL,
      PRIMARY KEY (workspace_id, name, day)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX visits_by_time ON visits (workspace_id, last_ms);
  `,
};
