import type { TrackRecord } from './track_record.ts';

export function numbersOf(chosen: readonly { number: number }[]): Float64Array {
  const numbers = new Float64Array(chosen.length);
  for (let i = 0; i < chosen.length; i++) numbers[i] = chosen[i]?.number ?? 0;
  return numbers;
}

/** Tracks that are new, or whose card changed, in order: they do not wait for their turn. */
export function urgentOf(records: Iterable<TrackRecord>): Float64Array {
  const numbers: number[] = [];
  for (const record of records) if (record.isChanged) numbers.push(record.number);
  return Float64Array.from(numbers).sort();
}
