/** The least cost of giving every row a column of its own: all ways are tried. */
export function leastCost(cost: readonly (readonly number[])[], taken: ReadonlySet<number> = new Set()): number {
  const [row, ...others] = cost;
  if (row === undefined) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [column, price] of row.entries())
    if (!taken.has(column)) least = Math.min(least, price + leastCost(others, new Set([...taken, column])));
  return least;
}
