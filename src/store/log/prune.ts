import type Database from 'better-sqlite3';
import type { HeldCondition } from './held.ts';
import type { Scalar } from './packed.ts';

/** Detections removed in one step: short enough not to hold up the rows that arrive. */
const stepRows = 10_000;
const tenths = 10;

/** Conditions of the rows under hold, which stay; null where there are none. */
export type HeldRows = { readonly detections: HeldCondition | null; readonly points: HeldCondition | null };

/**
 * Makes room inside a day file that alone exceeds the size limit: the oldest tenth of its detections goes (at most
 * 10 000 rows a step); where it has none, the oldest tenth of its points in time. Events and track documents stay, and
 * what is under hold. The file keeps its size and new rows use the room. Returns whether anything went.
 */
export function pruneOldest(db: Database.Database, held: HeldRows = { detections: null, points: null }): boolean {
  return db.transaction(() => pruneDetections(db, held.detections) || prunePoints(db, held.points)).immediate();
}

function pruneDetections(db: Database.Database, held: HeldCondition | null): boolean {
  const [free, values] = freeOf(held);
  const first = db
    .prepare<Scalar[], number>(`SELECT number FROM detections WHERE ${free} ORDER BY number LIMIT 1`)
    .pluck()
    .get(...values);
  if (first === undefined) return false;
  const last = db.prepare<[], number>('SELECT max(number) FROM detections').pluck().get() ?? first;
  const rows = Math.min(stepRows, Math.ceil((last - first + 1) / tenths));
  const remove = db.prepare<Scalar[]>(`DELETE FROM detections WHERE number < ? AND ${free}`);
  return remove.run(first + rows, ...values).changes > 0;
}

function prunePoints(db: Database.Database, held: HeldCondition | null): boolean {
  const spans = pointSpans(db);
  const first = Math.min(...spans.map(({ firstMs }) => firstMs));
  const last = Math.max(...spans.map(({ lastMs }) => lastMs));
  const [free, values] = freeOf(held);
  const remove = db.prepare<Scalar[]>(`DELETE FROM points WHERE track_id = ? AND at_ms < ? AND ${free}`);
  // The oldest tenth may all be under hold: then the next.
  for (let tenth = 1; tenth <= (spans.length === 0 ? 0 : tenths); tenth++) {
    const until = first + Math.max(1, Math.ceil(((last - first) * tenth) / tenths)) + (tenth === tenths ? 1 : 0);
    let removed = 0;
    for (const { trackId } of spans) removed += remove.run(trackId, until, ...values).changes;
    if (removed > 0) return true;
    if (held === null) return false;
  }
  return false;
}

function freeOf(held: HeldCondition | null): HeldCondition {
  return held === null ? ['TRUE', []] : [`NOT ${held[0]}`, held[1]];
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
