import type { DayFiles } from './day_files.ts';
import type { RawRow, Scalar } from './packed.ts';
import { type Position, type RawPage, type Span, select, touching } from './selecting.ts';
import { type SightingsQuestion, type SummariesQuestion, sightings, summaries } from './sighting_queries.ts';
import { type TrailsQuestion, trails } from './trail_queries.ts';

type Paged = Span & { readonly limit: number; readonly after: Position | null };

export type Question =
  | (Paged & { readonly about: 'points'; readonly trackId: string; readonly stepMs: number })
  | (Paged & { readonly about: 'detections'; readonly trackId: string | null; readonly sensorId: string | null })
  | (Paged & {
      readonly about: 'events';
      readonly kind: string | null;
      /** Requested severities; an empty list means all. */
      readonly severities: readonly string[];
      readonly subjectId: string | null;
      readonly sinceSeq: number | null;
    })
  | { readonly about: 'tracks'; readonly sinceMs: number; readonly trackId: string | null; readonly limit: number }
  | SightingsQuestion
  | SummariesQuestion
  | TrailsQuestion
  | { readonly about: 'last_seq' };

/** SQL condition and its values. The condition is left out if one of the values is null. */
type Condition = readonly [sql: string, ...values: Scalar[]];
type Listing = { readonly table: string; readonly columns: string; readonly time: string; readonly number: string };

const pointColumns =
  'at_ms, state, lat, lon, alt_hae_m, alt_msl_m, alt_agl_m, height_takeoff_m, speed_mps, course_deg, climb_mps, h_m';
const detections: Listing = {
  table: 'detections',
  columns: 'received_ms, number, id, sensor_id, link_id, track_id, rejected_by, document',
  time: 'received_ms',
  number: 'number',
};
const events: Listing = {
  table: 'events',
  columns: 'at_ms, seq, id, kind, severity, subject_type, subject_id, subject_label, text, change',
  time: 'at_ms',
  number: 'seq',
};

export function answer(files: DayFiles, question: Question): RawPage {
  switch (question.about) {
    case 'points':
      return points(files, question);
    case 'detections':
      return newestFirst(files, detections, question, [
        ['track_id = ?', question.trackId],
        ['sensor_id = ?', question.sensorId],
      ]);
    case 'events':
      return newestFirst(files, events, question, [
        ['kind = ?', question.kind],
        ...severityCondition(question.severities),
        ['subject_id = ?', question.subjectId],
        ['seq > ?', question.sinceSeq],
      ]);
    case 'tracks':
      return lastTracks(files, question);
    case 'sightings':
      return sightings(files, question);
    case 'summaries':
      return summaries(files, question);
    case 'trails':
      return trails(files, question);
    case 'last_seq':
      return { rows: [[lastSeq(files)]], next: null };
  }
}

function severityCondition(severities: readonly string[]): Condition[] {
  if (severities.length === 0) return [];
  return [[`severity IN (${severities.map(() => '?').join(', ')})`, ...severities]];
}

/**
 * Reads rows, newest first. Every row is in the file of its own day. The files are therefore read from the newest day
 * back, and the rows of each file are sorted by time and number. A cursor stays valid while rows are added and old days
 * are deleted.
 */
function newestFirst(files: DayFiles, listing: Listing, asked: Paged, filters: readonly Condition[]): RawPage {
  const { after, limit } = asked;
  const span = after === null ? asked : { ...asked, untilMs: Math.min(asked.untilMs, after.ms + 1) };
  const conditions: Condition[] = [
    [`${listing.time} >= ?`, span.sinceMs],
    [`${listing.time} < ?`, span.untilMs],
    ...filters.filter(([, ...values]) => !values.includes(null)),
  ];
  const where = conditions.map(([sql]) => sql);
  const values = conditions.flatMap(([, ...values]) => values);
  if (after !== null) {
    where.push(`(${listing.time} < ? OR ${listing.number} < ?)`);
    values.push(after.ms, after.number);
  }
  const sql = `SELECT ${listing.columns} FROM ${listing.table} WHERE ${where.join(' AND ')}
    ORDER BY ${listing.time} DESC, ${listing.number} DESC LIMIT ?`;
  const rows: RawRow[] = [];
  for (const day of touching(files.days(), span).reverse()) {
    rows.push(...(files.read(day, (file) => select(file, sql, [...values, limit + 1 - rows.length])) ?? []));
    if (rows.length > limit) break;
  }
  return pageOf(rows, limit);
}

function pageOf(rows: RawRow[], limit: number): RawPage {
  if (rows.length <= limit) return { rows, next: null };
  rows.length = limit;
  const [ms, number] = rows.at(-1) ?? [];
  return { rows, next: { ms: Number(ms), number: Number(number) } };
}

/**
 * Reads the points of one track, the oldest first. With a step, it reads only the first point in each step of clock
 * time. Each point is found by one index lookup, so a coarse path over a long time is fast.
 */
function points(files: DayFiles, asked: Extract<Question, { about: 'points' }>): RawPage {
  const { trackId, stepMs, limit, untilMs } = asked;
  const sql = `SELECT ${pointColumns} FROM points WHERE track_id = ? AND at_ms >= ? AND at_ms < ? ORDER BY at_ms LIMIT ?`;
  const rows: RawRow[] = [];
  let fromMs = asked.after === null ? asked.sinceMs : Math.max(asked.sinceMs, asked.after.ms);
  for (const day of touching(files.days(), { sinceMs: fromMs, untilMs })) {
    while (rows.length <= limit) {
      const wanted = stepMs > 0 ? 1 : limit + 1 - rows.length;
      const found = files.read(day, (file) => select(file, sql, [trackId, fromMs, untilMs, wanted])) ?? [];
      rows.push(...found);
      const last = found.at(-1);
      if (last !== undefined) fromMs = stepAfter(last, stepMs);
      if (found.length < wanted) break;
    }
  }
  const page = pageOf(rows, limit);
  const last = rows.at(-1);
  return page.next === null || last === undefined ? page : { rows, next: { ms: stepAfter(last, stepMs), number: 0 } };
}

/** Returns the earliest possible time of the point that follows the given point, ms. */
function stepAfter([atMs]: RawRow, stepMs: number): number {
  return stepMs > 0 ? (Math.floor(Number(atMs) / stepMs) + 1) * stepMs : Number(atMs) + 1;
}

/**
 * Reads the last documents of tracks that were seen since `sinceMs`, at most `limit`. If several days have a document
 * of a track, that of the newest day is returned.
 */
function lastTracks(files: DayFiles, asked: Extract<Question, { about: 'tracks' }>): RawPage {
  const { sinceMs, trackId, limit } = asked;
  const one = trackId === null ? '' : 'AND track_id = ?';
  const values = [sinceMs, ...(trackId === null ? [] : [trackId]), limit];
  const sql = `SELECT track_id, document FROM tracks WHERE last_seen_ms >= ? ${one} ORDER BY last_seen_ms DESC LIMIT ?`;
  const documents = new Map<string, Scalar>();
  for (const day of touching(files.days(), { sinceMs, untilMs: Number.POSITIVE_INFINITY }).reverse()) {
    for (const [id, document] of files.read(day, (file) => select(file, sql, values)) ?? []) {
      if (documents.size < limit && !documents.has(String(id))) documents.set(String(id), document ?? null);
    }
    if (documents.size >= limit) break;
  }
  return { rows: [...documents.values()].map((document) => [document]), next: null };
}

/**
 * Returns the highest event number, 0 without events. Every file is searched, because a wrong clock may have put the
 * newest rows into any of them.
 */
function lastSeq(files: DayFiles): number {
  let last = 0;
  for (const day of files.days()) {
    const [row] = files.read(day, (file) => select(file, 'SELECT max(seq) FROM events', [])) ?? [];
    last = Math.max(last, Number(row?.[0] ?? 0));
  }
  return last;
}
