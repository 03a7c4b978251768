const added = ['number', 'first_seen_ms', 'level', 'summary', 'keys'];

/** Takes from a day file what version 3 added. */
export const toVersion2 = `DROP TRIGGER tracks_keys_new; DROP TRIGGER tracks_keys_more; DROP INDEX tracks_sightings;
  DROP TABLE track_keys; ${added.map((column) => `ALTER TABLE tracks DROP COLUMN ${column};`).join(' ')}
  ALTER TABLE points DROP COLUMN alt_msl_m; ALTER TABLE points DROP COLUMN alt_agl_m; PRAGMA user_version = 2;`;

/** And what version 2 added to version 1. */
export const toVersion1 = `${toVersion2} DROP INDEX events_subject; ALTER TABLE events DROP COLUMN change; PRAGMA user_version = 1;`;
