/** One page of a list. `nextCursor` is null on the last page. */
export type Page<Row> = { rows: readonly Row[]; nextCursor: string | null };

/** Query of one page. `limit` is 1 to 1 000 rows. Times are UTC, ms; `sinceMs` is inclusive, `untilMs` exclusive. */
export type PageQuery = { limit: number; cursor: string | null; sinceMs: number | null; untilMs: number | null };
