import { formatNumber, sample } from './exposition.ts';
import type { Entry } from './series.ts';

/** Counts by bucket (the last is what is over every bound), and the sum of all values. */
type HistogramState = { counts: number[]; sum: number };

export function freshHistogram(bounds: readonly number[]): HistogramState {
  return { counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
}

export function observe(state: HistogramState, bounds: readonly number[], value: number): void {
  let bucket = 0;
  while (bucket < bounds.length && !(value <= (bounds[bucket] ?? 0))) bucket++;
  state.counts[bucket] = (state.counts[bucket] ?? 0) + 1;
  state.sum += value;
}

export function assertBounds(name: string, bounds: readonly number[]): void {
  const rising = bounds.every((bound, i) => Number.isFinite(bound) && (i === 0 || bound > (bounds[i - 1] ?? 0)));
  if (bounds.length === 0 || !rising) throw new TypeError(`the buckets of ${name} must be finite and rise`);
}

export function writeHistogram(
  name: string,
  names: readonly string[],
  bounds: readonly number[],
  { values, state }: Entry<HistogramState>,
): string {
  let text = '';
  let total = 0;
  const withBound = [...names, 'le'];
  state.counts.forEach((count, index) => {
    total += count;
    const bound = formatNumber(bounds[index] ?? Number.POSITIVE_INFINITY);
    text += sample(`${name}_bucket`, withBound, [...values, bound], total);
  });
  return `${text}${sample(`${name}_sum`, names, values, state.sum)}${sample(`${name}_count`, names, values, total)}`;
}
