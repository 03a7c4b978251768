import type { Migration } from '../migrate.ts';

export const linkSensors: Migration = {
  version: 12,
  sql: `
    ALTER TABLE sensors ADD COLUMN quiet_ok INTEGER NOT NULL DEFAULT 0 CHECK (quiet_ok IN (0, 1));
    ALTER TABLE sensors ADD COLUMN detection TEXT CHECK (detection IS NULL OR json_valid(detection));

    -- Receivers of links that are known over a restart, and what operators set of them. heartbeat_s NULL: the link's.
    CREATE TABLE link_sensors (
      id TEXT NOT NULL,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      link_id TEXT NOT NULL,
      receiver TEXT NOT NULL,
      modality TEXT NOT NULL,
      heartbeat_s REAL CHECK (heartbeat_s > 0),
      quiet_ok INTEGER NOT NULL CHECK (quiet_ok IN (0, 1)),
      placement TEXT CHECK (placement IS NULL OR json_valid(placement)),
      detection TEXT CHECK (detection IS NULL OR json_valid(detection)),
      version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (workspace_id, id)
    ) STRICT;
  `,
};
