import { COLUMN, type Integrity, verdictCodes } from '../model/track_row.ts';

/** Bits of native/tracker/claim.h, in sentences. */
const reasonBits = [
  { bit: 1, id: 'position_disagrees', text: 'sensors see the aircraft elsewhere than it says to be' },
  { bit: 2, id: 'not_seen_by_sensor', text: 'a sensor that covers the place sees nothing there' },
  { bit: 4, id: 'jump', text: 'it says to be where it cannot have flown' },
] as const;

/** What the tracker holds of a claim, as the document tells it. `duplicate`: its name is told by another too. */
export function verdictOf(row: Float64Array, duplicate: boolean): Integrity {
  const verdict = verdictCodes[row[COLUMN.verdict] ?? 0] ?? 'unchecked';
  const bits = row[COLUMN.reasons] ?? 0;
  const reasons: Integrity['reasons'] = reasonBits
    .filter(({ bit }) => (bits & bit) !== 0)
    .map(({ id, text }) => ({ id, text }));
  if (duplicate)
    reasons.push({ id: 'duplicate_identity', text: 'what it is called by is told of another aircraft too' });
  // Seen by sensors where it says to be, it is there, whoever else uses its name.
  if (verdict === 'consistent') return { verdict, score: duplicate ? 0.8 : 1, reasons };
  if (verdict === 'suspect' || duplicate)
    return { verdict: 'suspect', score: verdict === 'suspect' ? 0 : 0.2, reasons };
  return { verdict: 'unchecked', score: 0.5, reasons };
}
