/** One measured figure, and what it should be where that was decided. */
export type Row = { name: string; value: number; unit: string; target?: { atMost: number } | { atLeast: number } };

/** A part that grew beside the code it measures answers objects of figures; each figure becomes a row. */
export function rowsOfFigures(results: readonly ({ name: string } & Record<string, unknown>)[]): Row[] {
  return results.flatMap(({ name, ...figures }) =>
    Object.entries(figures).flatMap(([unit, value]) => (typeof value === 'number' ? [{ name, value, unit }] : [])),
  );
}

export function verdict({ value, target }: Row): 'met' | 'missed' | '' {
  if (!target) return '';
  const met = 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
  return met ? 'met' : 'missed';
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that the share `p` of all lies at or below; NaN of nothing. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}
