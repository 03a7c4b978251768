import { invalidInput } from '../../model/fault.ts';
import type { Page } from '../../model/page.ts';
import type { Position } from './selecting.ts';

/** Lists that are returned in pages. A cursor is valid only for the list that issued it. */
export type Paged = 'points' | 'sightings' | 'detections' | 'events' | 'alerts' | 'deliveries' | 'runs';

/** Builds the cursor of the next page, which a client sends back. Clients must not interpret its content. */
export function writeCursor(list: Paged, { ms, number }: Position): string {
  return Buffer.from(`${list}/${ms}/${number}`).toString('base64url');
}

/** Parses a cursor. Throws a Fault `invalid_input` for a text that `writeCursor` did not make for this list. */
export function readCursor(list: Paged, cursor: string): Position {
  const parts = /^([a-z]+)\/(\d{1,16})\/(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const position = { ms: Number(parts?.[2]), number: Number(parts?.[3]) };
  if (parts?.[1] !== list || writeCursor(list, position) !== cursor) {
    throw invalidInput(
      `cursor is not valid for a list of ${list}: use X-Next-Cursor of the page before, or leave it out for the first page.`,
    );
  }
  return position;
}

/**
 * Returns the page of a list after a cursor; a null cursor stands for the first page. `read` returns the rows after a
 * position, and the position of the next page.
 */
export function pageAfter<Row>(
  list: Paged,
  cursor: string | null,
  read: (after: Position | null) => { rows: Row[]; next: Position | null },
): Page<Row> {
  const { rows, next } = read(cursor === null ? null : readCursor(list, cursor));
  return { rows, nextCursor: next && writeCursor(list, next) };
}
