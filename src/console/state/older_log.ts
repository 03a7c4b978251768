import { type Signal, signal } from '@preact/signals';
import type { LogEvent } from '../../model/event.ts';
import type { ShownRow } from './store.ts';

/**
 * Log rows after a person asked for older ones, the oldest first: the rows read, and those that the page had then.
 * `isWhole`: the daemon has no rows before them.
 */
export type OlderLog = { epoch: string | null; rows: readonly ShownRow[]; isWhole: boolean };

export const olderLog: Signal<OlderLog> = signal({ epoch: null, rows: [], isWhole: false });

/** One page of the log, newest first; `cursor` leads to the next older page, and is null if there is none. */
export type LogPage = { rows: readonly LogEvent[]; cursor: string | null };

/** The rows of an older page followed by those of `held`, the oldest first. A row in both is not repeated. */
export function withPage(held: readonly ShownRow[], { rows }: LogPage): ShownRow[] {
  const known = new Set(held.map(({ id }) => id));
  return [...rows.filter(({ id }) => !known.has(id)).reverse(), ...held];
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
