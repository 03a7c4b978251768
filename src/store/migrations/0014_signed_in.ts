import type { Migration } from '../migrate.ts';

/**
 * Column for the time at which the password of a session was entered; renewals keep this time. It is monotonic time of
 * the session's boot, ms.
 */
export const signedIn: Migration = {
  version: 14,
  sql: `
    ALTER TABLE sessions ADD COLUMN signed_in_ms INTEGER NOT NULL DEFAULT 0;
    UPDATE sessions SET signed_in_ms = began_ms;
  `,
};
