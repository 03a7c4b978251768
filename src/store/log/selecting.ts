import type { DayFile } from './day_file.ts';
import { DAY_MS, type Day, dayStartMs } from './days.ts';
import type { RawRow, Scalar } from './packed.ts';

/**
 * Position at which the next page continues. In lists with the newest row first, it is that of the last returned row,
 * or the end of a day that was not read. For points, `ms` is the earliest time of the next point, and `number` is 0.
 */
export type Position = { readonly ms: number; readonly number: number };

/** Period, UTC ms: `sinceMs` is inclusive, `untilMs` exclusive. */
export type Span = { readonly sinceMs: number; readonly untilMs: number };

export type RawPage = { readonly rows: readonly RawRow[]; readonly next: Position | null };

/** Returns the days that overlap a period. */
export function touching(days: readonly Day[], { sinceMs, untilMs }: Span): Day[] {
  return days.filter((day) => dayStartMs(day) < untilMs && dayStartMs(day) + DAY_MS > sinceMs);
}

export function select(file: DayFile, sql: string, values: readonly Scalar[]): RawRow[] {
  return file.db
    .prepare<Scalar[], RawRow>(sql)
    .raw()
    .all(...values);
}
