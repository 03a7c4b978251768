import type { Position } from './log/selecting.ts';

/** Rows, and the position of the last row where more follow. */
export type Page<Row, Place = Position> = { rows: Row[]; next: Place | null };

/** `sinceMs` is included, `untilMs` is not. */
export type PageQuery = { sinceMs: number | null; untilMs: number | null; limit: number; after: Position | null };

/** Condition and order of a newest-first page, by the column `time`, then by `number`; `pageValues` has its values. */
export function newestPage(time: string): string {
  return `${time} >= @sinceMs AND ${time} < @untilMs AND (${time}, number) < (@afterMs, @afterNumber)
    ORDER BY ${time} DESC, number DESC LIMIT @limit`;
}

/** Values of a page. One row more than the page has is read, to see whether another page follows. */
export function pageValues({ sinceMs, untilMs, limit, after }: PageQuery) {
  return {
    sinceMs: sinceMs ?? Number.MIN_SAFE_INTEGER,
    untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
    limit: limit + 1,
    afterMs: after?.ms ?? Number.MAX_SAFE_INTEGER,
    afterNumber: after?.number ?? Number.MAX_SAFE_INTEGER,
  };
}

/** Makes a page from at most `limit + 1` rows. */
export function pageOf<Row, Place>(
  found: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Place,
): Page<Row, Place> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? placeOf(last) : null };
}
