import type { Migration } from '../migrate.ts';

export const sessionClocks: Migration = {
  version: 11,
  sql: `
    -- How long a session of before has run is not known: people sign in again.
    DROP TABLE sessions;
    CREATE TABLE sessions (
      hash TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_ms INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL,
      -- The boot of the box that it began in, and when, by the clock of that boot that nobody sets.
      boot_id TEXT NOT NULL,
      began_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
