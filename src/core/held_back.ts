import { OBSERVED, OBSERVED_KIND, OBSERVED_WIDTH } from '../model/observation_row.ts';
import { ANSWER } from './tracker.ts';

/** A place that no aircraft can have flown to waits for another report: until then its claim was heard, and no more. */
export function holdBack(rows: Float64Array, at: number): void {
  rows[at + OBSERVED.kind] = OBSERVED_KIND.word;
  rows[at + OBSERVED.heightTakeoffM] = Number.NaN;
  rows[at + OBSERVED.altAglM] = Number.NaN;
}

/** Whether one of the tracker's answers is about a row whose place was held back. */
export function isHeldBack(rows: Float64Array, answers: Float64Array, at: number): boolean {
  const row = ((answers[at + ANSWER.row] ?? -1) | 0) * OBSERVED_WIDTH;
  return row >= 0 && rows[row + OBSERVED.kind] === OBSERVED_KIND.word && !Number.isNaN(rows[row + OBSERVED.a]);
}
