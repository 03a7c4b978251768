import type { Migration } from '../migrate.ts';

export const signing: Migration = {
  version: 8,
  sql: `
    -- What signing of a link must not forget over a restart; its key is sealed elsewhere. Times count 10 µs since 2015.
    CREATE TABLE link_signing (
      workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      link_id TEXT NOT NULL,
      number INTEGER NOT NULL CHECK (number BETWEEN 0 AND 255),
      last INTEGER NOT NULL,
      floor INTEGER NOT NULL,
      streams TEXT NOT NULL CHECK (json_valid(streams)),
      PRIMARY KEY (workspace_id, link_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
