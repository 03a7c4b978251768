/** A row of a list, and the rows folded below it. A row that stands alone has no `others`. */
export type Fold<T> = { first: T; others: T[] };

/** Folds rows of one key into one row, at the place of the first. A row whose key is null stands alone. */
export function foldBy<T>(rows: readonly T[], keyOf: (row: T) => string | null): Fold<T>[] {
  const byKey = new Map<string, Fold<T>>();
  const folds: Fold<T>[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const fold = key === null ? undefined : byKey.get(key);
    if (fold) {
      fold.others.push(row);
      continue;
    }
    const alone: Fold<T> = { first: row, others: [] };
    folds.push(alone);
    if (key !== null) byKey.set(key, alone);
  }
  return folds;
}
