import type Database from 'better-sqlite3';

/** Detections removed in one step: short enough not to hold up the rows that arrive. */
const stepRows = 10_000;

/**
 * Makes room inside a day file that alone exceeds the size limit: the oldest tenth of its detections goes (at most
 * 10 000 rows a step); where it has none, the oldest tenth of its points in time. Events and track documents stay. The file keeps
 * its size and new rows use the room. Returns whether anything went.
 */
export function pruneOldest(db: Database.Database): boolean {
  return db.transaction(() => pruneDetections(db) || prunePoints(db)).immediate();
}

function pruneDetections(db: Database.Database): boolean {
  const span = db
    .prepare<[], { first: number | null; last: number }>(
      'SELECT (SELECT min(number) FROM detections) AS first, (SELECT max(number) FROM detections) AS last',
    )
    .get();
  if (span === undefined || span.first === null) return false;
  const rows = Math.min(stepRows, Math.ceil((span.last - span.first + 1) / 10));
  return db.prepare('DELETE FROM detections WHERE number < ?').run(span.first + rows).changes > 0;
}

function prunePoints(db: Database.Database): boolean {
  const spans = pointSpans(db);
  const first = Math.min(...spans.map(({ firstMs }) => firstMs));
  const last = Math.max(...spans.map(({ lastMs }) => lastMs));
  const until = first + Math.max(1, Math.ceil((last - first) / 10));
  const remove = db.prepare('DELETE FROM points WHERE track_id = ? AND at_ms < ?');
  let removed = 0;
  for (const { trackId } of spans) removed += remove.run(trackId, until).changes;
  return removed > 0;
}

/** First and last point of each track, by one seek for each: the table has no index on time alone. */
function pointSpans(db: Database.Database): { trackId: string; firstMs: number; lastMs: number }[] {
  return db
    .prepare<[], { trackId: string; firstMs: number; lastMs: number }>(
      `WITH RECURSIVE ids (track_id) AS (
         SELECT min(track_id) FROM points
         UNION ALL
         SELECT (SELECT min(track_id) FROM points WHERE track_id > ids.track_id) FROM ids WHERE track_id IS NOT NULL
       )
       SELECT track_id AS trackId,
         (SELECT min(at_ms) FROM points WHERE track_id = ids.track_id) AS firstMs,
         (SELECT max(at_ms) FROM points WHERE track_id = ids.track_id) AS lastMs
       FROM ids WHERE track_id IS NOT NULL`,
    )
    .all();
}
