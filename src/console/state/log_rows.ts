import type { LogEvent } from '../../model/event.ts';
import type { ShownRow } from './store.ts';

/**
 * Rows of the log that were read from the daemon, the oldest first and without a gap. The stream leaves out the rows
 * below `notice`, such as an acknowledgement. `isWhole`: the daemon has no rows before them.
 */
export type ReadLog = { epoch: string | null; rows: readonly ShownRow[]; isWhole: boolean };

/** Limit of the rows that are kept. Older rows are read by their minute. */
export const MOST_READ = 20_000;

/** One page of the log, newest first; `cursor` leads to the next older page, and is null if there is none. */
export type LogPage = { rows: readonly LogEvent[]; cursor: string | null };

/** The rows of an older page followed by those of `held`, the oldest first. A row in both is not repeated. */
export function withPage(held: readonly ShownRow[], { rows }: LogPage): ShownRow[] {
  const known = new Set(held.map(({ id }) => id));
  return [...rows.filter(({ id }) => !known.has(id)).reverse(), ...held];
}

/** The log after its newest page was read. A page that has no row of `held` begins anew: the rows between are missing. */
export function withNewest(held: ReadLog, page: LogPage, epoch: string | null): ReadLog {
  const newest = page.rows.toReversed();
  const known = new Set(held.epoch === epoch ? held.rows.map(({ id }) => id) : []);
  if (!newest.some(({ id }) => known.has(id))) return { epoch, rows: newest, isWhole: page.cursor === null };
  const rows = [...held.rows, ...newest.filter(({ id }) => !known.has(id))];
  return { epoch, rows: rows.slice(-MOST_READ), isWhole: held.isWhole && rows.length <= MOST_READ };
}

/**
 * At most `size` of the rows, newest last. The last one shown is the row `lastId`; if that row is missing, it is the
 * newest one. `before` is the row before the first one shown.
 */
export function windowOf<T extends { id: string }>(
  rows: readonly T[],
  lastId: string | null,
  size: number,
): { shown: readonly T[]; before: T | null; isNewest: boolean } {
  const found = lastId === null ? -1 : rows.findIndex(({ id }) => id === lastId);
  const end = found < 0 ? rows.length : found + 1;
  const first = Math.max(0, end - size);
  return { shown: rows.slice(first, end), before: rows[first - 1] ?? null, isNewest: end === rows.length };
}
