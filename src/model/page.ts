/** A page of a list; `nextCursor` is null on the last page. */
export type Page<Row> = { rows: readonly Row[]; nextCursor: string | null };

/** `limit` is 1 to 1 000; times are UTC milliseconds, `sinceMs` included, `untilMs` excluded. */
export type PageQuery = { limit: number; cursor: string | null; sinceMs: number | null; untilMs: number | null };
