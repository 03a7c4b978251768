import type Database from 'better-sqlite3';

/**
 * Index and keys of sightings. A sighting is a track that was ever confirmed; its `level` is not null. Triggers write a
 * key only when a track gets it, because the row of a track is written every two seconds.
 */
export const sightingTables = `
  CREATE INDEX tracks_sightings ON tracks (first_seen_ms, number, level) WHERE level IS NOT NULL;
  CREATE TABLE track_keys (key TEXT NOT NULL, track_id TEXT NOT NULL, PRIMARY KEY (key, track_id)) STRICT, WITHOUT ROWID;
  CREATE TRIGGER tracks_keys_new AFTER INSERT ON tracks WHEN new.keys IS NOT NULL BEGIN ${insertKeys()} END;
  CREATE TRIGGER tracks_keys_more AFTER UPDATE OF keys ON tracks WHEN new.keys IS NOT old.keys BEGIN ${insertKeys()} END;
`;

function insertKeys(): string {
  return `INSERT INTO track_keys SELECT DISTINCT value, new.track_id FROM json_each(new.keys) AS each
    WHERE NOT EXISTS (SELECT 1 FROM track_keys WHERE key = each.value AND track_id = new.track_id);`;
}

/**
 * SQL for the zones that a track entered, computed from the event log. `levelOfLog` does the same for the highest
 * threat level. Only confirmed tracks have rows in that log.
 */
const zonesOfLog = `(SELECT json_group_array(json_object('zone_id', zone_id, 'name', NULL, 'kind', NULL,
    'entered_ms', entered_ms, 'left_ms', left_ms, 'entries', entries)) FROM (
  SELECT change ->> '$.after.zone_id' AS zone_id, min(at_ms) FILTER (WHERE kind = 'zone.enter') AS entered_ms,
    max(at_ms) FILTER (WHERE kind = 'zone.exit') AS left_ms, count(*) FILTER (WHERE kind = 'zone.enter') AS entries
  FROM events WHERE subject_id = tracks.track_id AND kind IN ('zone.enter', 'zone.exit') AND json_valid(change)
  GROUP BY 1 HAVING entered_ms IS NOT NULL AND zone_id IS NOT NULL ORDER BY 2 LIMIT 50))`;

const levelOfLog = `coalesce((SELECT max(CASE change ->> '$.after.level'
    WHEN 'critical' THEN 4 WHEN 'high' THEN 3 WHEN 'medium' THEN 2 WHEN 'low' THEN 1 ELSE 0 END)
  FROM events WHERE subject_id = tracks.track_id AND kind = 'threat.level' AND json_valid(change)), 0)`;

const keysOfRow = `(SELECT json_group_array(key) FROM (
  SELECT 'serial:' || upper(trim(value ->> '$.value')) AS key FROM json_each(document, '$.identities')
    WHERE value ->> '$.type' = 'serial'
  UNION SELECT 'zone:' || (value ->> '$.zone_id') FROM json_each(summary, '$.zones')))`;

/** Computes the missing summaries of a file from its documents and its event log. Nearest approaches stay unknown. */
export function upgradeSightings(db: Database.Database): void {
  db.exec(`
    ALTER TABLE tracks ADD COLUMN number INTEGER;
    ALTER TABLE tracks ADD COLUMN first_seen_ms INTEGER;
    ALTER TABLE tracks ADD COLUMN level INTEGER;
    ALTER TABLE tracks ADD COLUMN summary TEXT;
    ALTER TABLE tracks ADD COLUMN keys TEXT;
    ${sightingTables}
    UPDATE tracks SET number = CAST(substr(document ->> '$.number', 3) AS INTEGER),
      first_seen_ms = CAST(round(unixepoch(document ->> '$.first_seen_at', 'subsec') * 1000) AS INTEGER)
    WHERE json_valid(document);
    UPDATE tracks SET level = ${levelOfLog}, summary = json_object('nearest', NULL, 'zones', json(${zonesOfLog}))
    WHERE first_seen_ms IS NOT NULL AND (state IN ('confirmed', 'coasting', 'lost')
      OR EXISTS (SELECT 1 FROM events WHERE subject_id = tracks.track_id));
    UPDATE tracks SET keys = ${keysOfRow} WHERE level IS NOT NULL;
  `);
}
