import { ANSWER, OBSERVED, OBSERVED_KIND } from '../../model/rows/layouts.ts';

/**
 * Holds back a position that no aircraft can have flown to until another report agrees; the reception itself still
 * counts.
 */
export function holdBack(rows: Float64Array, at: number): void {
  rows[at + OBSERVED.kind] = OBSERVED_KIND.word;
  rows[at + OBSERVED.heightTakeoffM] = Number.NaN;
  rows[at + OBSERVED.altAglM] = Number.NaN;
}

/** Whether one of the tracker's answers is about a row whose place was held back. */
export function isHeldBack(rows: Float64Array, answers: Float64Array, at: number): boolean {
  const row = ((answers[at + ANSWER.row] ?? -1) | 0) * OBSERVED.width;
  return row >= 0 && isHeldRow(rows, row);
}

/** Whether the place of a row was held back. */
export function isHeldRow(rows: Float64Array, at: number): boolean {
  return rows[at + OBSERVED.kind] === OBSERVED_KIND.word && !Number.isNaN(rows[at + OBSERVED.azimuthOrLatDeg]);
}
