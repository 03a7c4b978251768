import type { Position } from './log/selecting.ts';

/** Rows, and the place of the last one where more follow. */
export type Page<Row, Place = Position> = { rows: Row[]; next: Place | null };

/** `sinceMs` is included, `untilMs` is not. */
export type PageQuery = { sinceMs: number | null; untilMs: number | null; limit: number; after: Position | null };

/** The newest first by the column `time`, then by `number`; `pageValues` gives its values. */
export function newestPage(time: string): string {
  return `${time} >= @sinceMs AND ${time} < @untilMs AND (${time}, number) < (@afterMs, @afterNumber)
    ORDER BY ${time} DESC, number DESC LIMIT @limit`;
}

/** One row more than the page has shows whether another page follows. */
export function pageValues({ sinceMs, untilMs, limit, after }: PageQuery) {
  return {
    sinceMs: sinceMs ?? Number.MIN_SAFE_INTEGER,
    untilMs: untilMs ?? Number.MAX_SAFE_INTEGER,
    limit: limit + 1,
    afterMs: after?.ms ?? Number.MAX_SAFE_INTEGER,
    afterNumber: after?.number ?? Number.MAX_SAFE_INTEGER,
  };
}

/** The page of at most `limit + 1` rows that were found. */
export function pageOf<Row, Place>(
  found: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Place,
): Page<Row, Place> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? placeOf(last) : null };
}
