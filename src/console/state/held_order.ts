/** Time after the last movement of the pointer, or the last key, during which a list keeps its order, ms. */
export const HELD_MS = 6_000;

/** Time for which a resting mouse holds cards with buttons, ms. */
export const RESTS_MS = 30_000;

/**
 * Rows in the order in which a person sees them: the rows of `held` that still exist keep their places, and new rows
 * follow at the end, in their own order.
 */
export function inHeldOrder<T>(rows: readonly T[], keyOf: (row: T) => string, held: readonly string[]): T[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const kept = held.flatMap((key) => byKey.get(key) ?? []);
  const old = new Set(held);
  return [...kept, ...rows.filter((row) => !old.has(keyOf(row)))];
}

/** A row of a list whose order is held while a person points at it; `isOver` marks a row that has ended. */
export type KeptRow<T> = { row: T; isOver: boolean };

/** Rows in the order of `before`. Rows of `before` that have ended keep their places; new rows follow at the end. */
export function keptRows<T>(rows: readonly T[], keyOf: (row: T) => string, before: readonly T[]): KeptRow<T>[] {
  const present = new Set(rows.map(keyOf));
  const ended = before.filter((row) => !present.has(keyOf(row)));
  const kept = inHeldOrder([...rows, ...ended], keyOf, before.map(keyOf));
  return kept.map((row) => ({ row, isOver: !present.has(keyOf(row)) }));
}
