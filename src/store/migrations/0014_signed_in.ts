import type { Migration } from '../migrate.ts';

/** Time of the password of a session, which its renewals keep: monotonic milliseconds of its boot. */
export const signedIn: Migration = {
  version: 14,
  sql: `
    ALTER TABLE sessions ADD COLUMN signed_in_ms INTEGER NOT NULL DEFAULT 0;
    UPDATE sessions SET signed_in_ms = began_ms;
  `,
};
