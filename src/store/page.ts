import type { Position } from './log/selecting.ts';

/** Rows of a page, and the position of the last row if more rows follow. */
export type Page<Row, Place = Position> = { rows: Row[]; next: Place | null };

/** Query of one page. Times are UTC, ms: `sinceMs` is inclusive, `untilMs` exclusive. */
export type PageQuery = { sinceMs: number | null; untilMs: number | null; limit: number; after: Position | null };

/**
 * Returns the SQL condition and order of a page with the newest rows first, sorted by the column `time`, then by
 * `number`. `pageValues` returns its values.
 */
export function newestPage(time: string): string {
  return `${time} >= @sinceMs AND ${time} < @untilMs AND (${time}, number) < (@afterMs, @afterNumber)
    ORDER BY ${time} DESC, number DESC LIMIT @limit`;
}

/** Returns the SQL values of a page. One more row than the limit is read, to see whether another page follows. */
export function pageValues({ sinceMs, untilMs, limit, after }: PageQuery) {
  return {
    sinceMs: sinceMs ?? Number.MIN_SAFE_INTEGER,
    untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
    limit: limit + 1,
    afterMs: after?.ms ?? Number.MAX_SAFE_INTEGER,
    afterNumber: after?.number ?? Number.MAX_SAFE_INTEGER,
  };
}

/** Builds a page from at most `limit + 1` rows. */
export function pageOf<Row, Place>(
  found: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Place,
): Page<Row, Place> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? placeOf(last) : null };
}
