import type { DayFiles } from './day_files.ts';
import { DAY_MS, type Day, dayOf, dayStartMs } from './days.ts';
import type { RawRow, Scalar } from './packed.ts';
import { type Position, type RawPage, type Span, select, touching } from './selecting.ts';

/**
 * Query for sightings of tracks that were seen in a period. A track must have all `keys`, and must have reached at
 * least `level`, an index of `threatLevels`.
 */
export type SightingsQuestion = Span & {
  readonly about: 'sightings';
  readonly keys: readonly string[];
  readonly level: number;
  readonly limit: number;
  readonly after: Position | null;
};

/** Query for the last summaries of certain tracks. */
export type SummariesQuestion = {
  readonly about: 'summaries';
  readonly sinceMs: number;
  readonly trackIds: readonly string[];
};

/** Limit of the day files that one query reads. A page may end there before it is full. */
const mostDays = 62;

const columns = 'first_seen_ms, number, document, level, summary, track_id, state';
const STATE = 6;
const TRACK_ID = 5;

/**
 * Reads sightings, the latest started first. The start time of a track never changes, so pages stay consistent while
 * tracks continue. A track has a row in the file of each day on which it was seen. The query finds the row of the first
 * day in the period, and returns that of the last day.
 */
export function sightings(files: DayFiles, asked: SightingsQuestion): RawPage {
  const { after, limit } = asked;
  const kept = files.days();
  const span = after === null ? asked : { ...asked, untilMs: Math.min(asked.untilMs, after.ms + 1) };
  const days = touching(kept, span).reverse();
  const rows: RawRow[] = [];
  for (const [read, day] of days.entries()) {
    if (read >= mostDays) return { rows, next: { ms: dayStartMs(day) + DAY_MS, number: 0 } };
    const goesOn = days[read + 1] === dayBefore(day);
    const found = rowsOf(files, day, asked, { goesOn, wanted: limit + 1 - rows.length });
    rows.push(...lastRows(files, kept, day, found));
    if (rows.length > limit) break;
  }
  if (rows.length <= limit) return { rows, next: null };
  rows.length = limit;
  const [ms, number] = rows.at(-1) ?? [];
  return { rows, next: { ms: Number(ms), number: Number(number) } };
}

/**
 * Reads the rows of one day. `goesOn` is true if the day before is read too; tracks that started before `day` are then
 * read there.
 */
function rowsOf(
  files: DayFiles,
  day: Day,
  { sinceMs, untilMs, keys, level, after }: SightingsQuestion,
  { goesOn, wanted }: { goesOn: boolean; wanted: number },
): RawRow[] {
  const where = ['level IS NOT NULL', 'level >= ?', 'first_seen_ms < ?', 'last_seen_ms >= ?'];
  const values: Scalar[] = [level, untilMs, sinceMs];
  for (const key of keys) {
    where.push('track_id IN (SELECT track_id FROM track_keys WHERE key = ?)');
    values.push(key);
  }
  if (goesOn) {
    where.push('first_seen_ms >= ?');
    values.push(dayStartMs(day));
  }
  if (after !== null) {
    where.push('(first_seen_ms, number) < (?, ?)');
    values.push(after.ms, after.number);
  }
  const sql = `SELECT ${columns} FROM tracks WHERE ${where.join(' AND ')}
    ORDER BY first_seen_ms DESC, number DESC LIMIT ?`;
  return files.read(day, (file) => select(file, sql, [...values, wanted])) ?? [];
}

/** Replaces rows of tracks that continued after midnight by the rows of their later days. */
function lastRows(files: DayFiles, kept: readonly Day[], day: Day, found: RawRow[]): RawRow[] {
  let rows = found;
  for (let later = dayAfter(day); kept.includes(later); later = dayAfter(later)) {
    const open = rows.filter((row) => row[STATE] !== 'closed').map((row) => row[TRACK_ID] ?? null);
    if (open.length === 0) break;
    const newer = new Map(summaryRows(files, later, open).map((row) => [row[TRACK_ID], row]));
    if (newer.size === 0) break;
    // The first two columns order the list, so they keep their values.
    rows = rows.map((row) => {
      const last = newer.get(row[TRACK_ID] ?? null);
      return last === undefined ? row : [row[0] ?? null, row[1] ?? null, ...last.slice(2)];
    });
  }
  return rows;
}

function summaryRows(files: DayFiles, day: Day, trackIds: readonly Scalar[]): RawRow[] {
  const sql = `SELECT ${columns} FROM tracks WHERE level IS NOT NULL AND track_id IN (SELECT value FROM json_each(?))`;
  return files.read(day, (file) => select(file, sql, [JSON.stringify(trackIds)])) ?? [];
}

/**
 * Reads rows of the columns `track_id, level, summary`, from the newest 62 days since `sinceMs`. Each row comes from
 * the newest day that has one.
 */
export function summaries(files: DayFiles, { sinceMs, trackIds }: SummariesQuestion): RawPage {
  const rows = new Map<Scalar, RawRow>();
  const days = touching(files.days(), { sinceMs, untilMs: Number.POSITIVE_INFINITY }).reverse();
  for (const day of days.slice(0, mostDays)) {
    const missing = trackIds.filter((id) => !rows.has(id));
    if (missing.length === 0) break;
    for (const [, , , level, summary, id] of summaryRows(files, day, missing))
      rows.set(id ?? null, [id ?? null, level ?? null, summary ?? null]);
  }
  return { rows: [...rows.values()], next: null };
}

function dayBefore(day: Day): Day {
  return dayOf(dayStartMs(day) - DAY_MS);
}

function dayAfter(day: Day): Day {
  return dayOf(dayStartMs(day) + DAY_MS);
}
