import type Database from 'better-sqlite3';
import type { Kind } from './packed.ts';
import { sightingTables, upgradeSightings } from './sighting_schema.ts';

/**
 * Version of the day files; raise it with each change of the tables. `upgrade` adds what older files lack, and takes
 * little time even for a large file.
 */
export const dayFileVersion = 3;

/** Error for a day file that a newer version of the program wrote, which happens after a downgrade. */
export class NewerDayFile extends Error {
  constructor(version: number) {
    super(`it was written by a newer Dunlin (schema ${version}; this one knows ${dayFileVersion})`);
    this.name = 'NewerDayFile';
  }
}

/**
 * Points are stored in the order in which they are read, track by track, so they need no index. Detections and events
 * are numbered in order of arrival. The number decides the order of rows with equal time.
 */
const tables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE points (
    at_ms INTEGER NOT NULL,
    track_id TEXT NOT NULL,
    state TEXT NOT NULL,
    lat REAL,
    lon REAL,
    alt_hae_m REAL,
    alt_msl_m REAL,
    alt_agl_m REAL,
    height_takeoff_m REAL,
    speed_mps REAL,
    course_deg REAL,
    climb_mps REAL,
    h_m REAL,
    PRIMARY KEY (track_id, at_ms)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE detections (
    number INTEGER PRIMARY KEY,
    received_ms INTEGER NOT NULL,
    id TEXT NOT NULL,
    sensor_id TEXT NOT NULL,
    link_id TEXT,
    track_id TEXT,
    rejected_by TEXT,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX detections_received ON detections (received_ms);
  CREATE INDEX detections_sensor ON detections (sensor_id, received_ms);
  CREATE INDEX detections_track ON detections (track_id, received_ms) WHERE track_id IS NOT NULL;

  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL,
    subject_type TEXT,
    subject_id TEXT,
    subject_label TEXT,
    text TEXT NOT NULL,
    change TEXT
  ) STRICT;
  CREATE INDEX events_at ON events (at_ms);
  CREATE INDEX events_kind ON events (kind, at_ms);
  CREATE INDEX events_subject ON events (subject_id, at_ms) WHERE subject_id IS NOT NULL;

  CREATE TABLE tracks (
    track_id TEXT PRIMARY KEY,
    last_seen_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    document TEXT NOT NULL,
    number INTEGER,
    first_seen_ms INTEGER,
    level INTEGER,
    summary TEXT,
    keys TEXT
  ) STRICT;
  ${sightingTables}
`;

export function createTables(db: Database.Database, order: number): void {
  db.transaction(() => {
    db.exec(tables);
    db.prepare("INSERT INTO meta VALUES ('order', ?)").run(String(order));
    db.pragma(`user_version = ${dayFileVersion}`);
  }).immediate();
}

/**
 * Upgrades a file of an earlier version. Version 1 had no column `change` in events, and no index of event subjects.
 * Version 2 had no sightings, and no heights above sea level and ground in points.
 */
export function upgrade(db: Database.Database, version: number): void {
  db.transaction(() => {
    if (version < 2)
      db.exec(`ALTER TABLE events ADD COLUMN change TEXT;
        CREATE INDEX events_subject ON events (subject_id, at_ms) WHERE subject_id IS NOT NULL;`);
    db.exec(`ALTER TABLE points ADD COLUMN alt_msl_m REAL; ALTER TABLE points ADD COLUMN alt_agl_m REAL;`);
    upgradeSightings(db);
    db.pragma(`user_version = ${dayFileVersion}`);
  }).immediate();
}

/**
 * Insert statement of each kind of row. The first parameter is the row's time; the others are the packed row's values.
 */
export const inserts: Record<Kind, string> = {
  point: `INSERT OR REPLACE INTO points (at_ms, track_id, state, lat, lon, alt_hae_m, alt_msl_m, alt_agl_m,
    height_takeoff_m, speed_mps, course_deg, climb_mps, h_m) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  detection: `INSERT INTO detections (received_ms, id, sensor_id, link_id, track_id, rejected_by, document)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  event: `INSERT INTO events (at_ms, seq, id, kind, severity, subject_type, subject_id, subject_label, text, change)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  track: `INSERT INTO tracks (last_seen_ms, track_id, state, document, number, first_seen_ms, level, summary, keys)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (track_id) DO UPDATE SET last_seen_ms = excluded.last_seen_ms, state = excluded.state,
      document = excluded.document, number = excluded.number, first_seen_ms = excluded.first_seen_ms,
      level = excluded.level, summary = excluded.summary, keys = excluded.keys`,
};
