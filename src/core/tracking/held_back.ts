import { ANSWER, OBSERVED, OBSERVED_KIND } from '../../model/rows/layouts.ts';

/**
 * Withholds the position of a row from the tracker: no aircraft can have flown to it, or too many transmitters use its
 * serial. The row still counts as a sign of life. If no aircraft can have flown there, the caller withholds the
 * claim's positions until a second report confirms one of them.
 */
export function holdBack(rows: Float64Array, at: number): void {
  rows[at + OBSERVED.kind] = OBSERVED_KIND.word;
  rows[at + OBSERVED.heightTakeoffM] = Number.NaN;
  rows[at + OBSERVED.altAglM] = Number.NaN;
}

/** Whether the tracker's answer at index `at` of `answers` refers to a row whose position was withheld. */
export function isHeldBack(rows: Float64Array, answers: Float64Array, at: number): boolean {
  const row = ((answers[at + ANSWER.row] ?? -1) | 0) * OBSERVED.width;
  return row >= 0 && isHeldRow(rows, row);
}

/** Whether the position of the row at index `at` was withheld by `holdBack`. */
export function isHeldRow(rows: Float64Array, at: number): boolean {
  return rows[at + OBSERVED.kind] === OBSERVED_KIND.word && !Number.isNaN(rows[at + OBSERVED.azimuthOrLatDeg]);
}
