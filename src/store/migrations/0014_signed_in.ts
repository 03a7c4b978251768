import type { Migration } from '../migrate.ts';

/** Time at which a session's password was entered, which renewals keep: monotonic ms of its boot. */
export const signedIn: Migration = {
  version: 14,
  sql: `
    ALTER TABLE sessions ADD COLUMN signed_in_ms INTEGER NOT NULL DEFAULT 0;
    UPDATE sessions SET signed_in_ms = began_ms;
  `,
};
