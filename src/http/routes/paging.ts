import type { Context } from 'koa';
import { z } from 'zod';
import { invalidInput } from '../../model/fault.ts';
import type { Page, PageQuery } from '../../model/page.ts';
import { textUpTo, timestamp, wholeBetween } from '../../model/scalar.ts';
import { parseTime } from '../../model/time.ts';

const limit = wholeBetween(1, 1_000);

/** Query parameters of a paged list with a period. */
export const pageQuery = z.strictObject({
  since: timestamp.optional().describe('begin of the period (RFC 3339), inclusive'),
  until: timestamp.optional().describe('end of the period (RFC 3339), exclusive'),
  limit: limit.default(200).describe('most rows in the answer'),
  cursor: textUpTo(500).optional().describe('value of X-Next-Cursor from the previous page'),
});

/** Query parameters of a paged list without a period. */
export const positionQuery = pageQuery.pick({ limit: true, cursor: true });

/** Query parameters of a list without pages. */
export const listQuery = z.strictObject({
  limit: limit.optional().describe('most rows in the answer; without it, all rows'),
});

export function readPage(query: z.infer<typeof pageQuery>): PageQuery {
  const sinceMs = query.since === undefined ? null : parseTime(query.since);
  const untilMs = query.until === undefined ? null : parseTime(query.until);
  if (sinceMs !== null && untilMs !== null && sinceMs > untilMs) {
    throw invalidInput("'since' must not be later than 'until'");
  }
  return { limit: query.limit, cursor: query.cursor ?? null, sinceMs, untilMs };
}

/** Converts a time to UTC ms. The query schema has already validated the time. */
export function readTime(text: string): number {
  return parseTime(text) ?? Number.NaN;
}

/** Returns the rows of a page, and sets the header with the cursor of the next page. */
export function answerPage<Row>(ctx: Context, page: Page<Row>): readonly Row[] {
  if (page.nextCursor !== null) ctx.set('X-Next-Cursor', page.nextCursor);
  return page.rows;
}

export function firstRows<Row>(rows: readonly Row[], query: { limit?: number | undefined }): readonly Row[] {
  return query.limit === undefined ? rows : rows.slice(0, query.limit);
}
