/** One measured figure, and what it should be where that was decided. */
export type Row = { name: string; value: number; unit: string; target?: Target };

type Target = { atMost: number } | { below: number } | { atLeast: number } | { within: readonly [number, number] };

/** A part that grew beside the code it measures answers objects of figures; each figure becomes a row. */
export function rowsOfFigures(results: readonly ({ name: string } & Record<string, unknown>)[]): Row[] {
  return results.flatMap(({ name, ...figures }) =>
    Object.entries(figures).flatMap(([unit, value]) => (typeof value === 'number' ? [{ name, value, unit }] : [])),
  );
}

export function verdict({ value, target }: Row): 'met' | 'missed' | '' {
  if (!target) return '';
  return isMet(value, target) ? 'met' : 'missed';
}

function isMet(value: number, target: Target): boolean {
  if ('atMost' in target) return value <= target.atMost;
  if ('below' in target) return value < target.below;
  if ('atLeast' in target) return value >= target.atLeast;
  return value >= target.within[0] && value <= target.within[1];
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that the share `p` of all lies at or below; NaN of nothing. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}
