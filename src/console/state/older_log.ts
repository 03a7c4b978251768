import { type Signal, signal } from '@preact/signals';
import type { LogEvent } from '../../model/event.ts';
import type { ShownRow } from './store.ts';

/** Rows of the log from before this page was opened, the oldest first, and whether the log of the box begins with them. */
export type OlderLog = { epoch: string | null; rows: readonly ShownRow[]; isWhole: boolean };

export const olderLog: Signal<OlderLog> = signal({ epoch: null, rows: [], isWhole: false });

/** One page of the log, newest first; `cursor` leads to the page before, and is null at the oldest row. */
export type LogPage = { rows: readonly LogEvent[]; cursor: string | null };

/** The rows of `held`, the oldest first, preceded by those of an older page; a row that is in both is not repeated. */
export function withPage(held: readonly ShownRow[], { rows }: LogPage): ShownRow[] {
  const known = new Set(held.map(({ id }) => id));
  return [...rows.filter(({ id }) => !known.has(id)).reverse(), ...held];
}

/** Part of the rows, newest last, that ends with the row `lastId`; without that row it ends with the newest. */
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
