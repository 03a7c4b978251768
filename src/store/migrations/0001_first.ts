import type { Migration } from '../migrate.ts';

export const first: Migration = {
  version: 1,
  sql: `
    CREATE TABLE meta (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE workspaces (
      id TEXT PRIMARY KEY CHECK (id LIKE 'wsp_%'),
      name TEXT NOT NULL UNIQUE,
      created_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE sensors (
      id TEXT PRIMARY KEY,
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      environment TEXT NOT NULL CHECK (environment IN ('live', 'sim')),
      name TEXT NOT NULL,
      modality TEXT NOT NULL,
      placement TEXT CHECK (placement IS NULL OR json_valid(placement)),
      heartbeat_s REAL NOT NULL CHECK (heartbeat_s > 0),
      declared_by TEXT NOT NULL,
      link_id TEXT,
      version INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (workspace_id, environment, name)
    ) STRICT;
  `,
};
