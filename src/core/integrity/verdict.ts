import { SUSPECT_REASON } from '../../model/rows/layouts.ts';
import { type Integrity, verdictCodes } from '../../model/track_row.ts';
import type { HeldReason } from './claim_watch.ts';

type Reason = Integrity['reasons'][number];

/** Reason bits of the tracker, with their ids and sentences. */
const reasonBits = [
  {
    bit: SUSPECT_REASON.positionDisagrees,
    id: 'position_disagrees',
    text: 'sensors see the aircraft at another position than it reports',
  },
  {
    bit: SUSPECT_REASON.notSeenBySensor,
    id: 'not_seen_by_sensor',
    text: 'a sensor that covers its reported position sees nothing there',
  },
  { bit: SUSPECT_REASON.jump, id: 'jump', text: 'it reports a position that it cannot have flown to' },
] as const;

/**
 * Deduction from the integrity score (0 to 1) for mild reasons, however many there are. An example is the malformed
 * serial of a home-built aircraft. Mild reasons are still shown.
 */
const MILD_COSTS = 0.1;

/** Result shared by all claims without findings; never modified. */
export const unchecked: Integrity = { verdict: 'unchecked', score: 0.5, reasons: [] };
const consistent: Integrity = { verdict: 'consistent', score: 1, reasons: [] };

/** The tracker's finding on a claim: its verdict code and its reason bits, two columns of the track's row. */
export type Tracked = { verdict: number; reasons: number };

/**
 * Combines all findings on a claim for its document. `tracked` has the tracker's findings; `said` has those from the
 * claim's own reports.
 */
export function verdictOf(tracked: Tracked, said: readonly HeldReason[]): Integrity {
  const verdict = verdictCodes[tracked.verdict] ?? 'unchecked';
  const seen = reasonBits.filter(({ bit }) => (tracked.reasons & bit) !== 0).map(({ id, text }) => ({ id, text }));
  const reasons: Reason[] = [...seen, ...said.map(({ id, text }) => ({ id, text })).filter(isNotOf(seen))];
  if (reasons.length === 0 && verdict === 'unchecked') return unchecked;
  if (reasons.length === 0 && verdict === 'consistent') return consistent;
  const off = said.some(({ isMild }) => isMild) ? MILD_COSTS : 0;
  const duplicate = said.some(({ id }) => id === 'duplicate_identity');
  const contradictions = said.some(({ id, isMild }) => !isMild && id !== 'duplicate_identity');
  if (verdict === 'suspect') return { verdict, score: 0, reasons };
  // If sensors confirm the position of a claim, the claim is real, even if another transmitter uses its name.
  if (verdict === 'consistent' && !contradictions)
    return { verdict, score: round((duplicate ? 0.8 : 1) - off), reasons };
  if (contradictions || duplicate) return { verdict: 'suspect', score: round(0.2 - off), reasons };
  return { verdict, score: round(0.5 - off), reasons };
}

/** Returns a filter that drops reasons whose id is in `seen`, so that each reason is listed once. */
function isNotOf(seen: readonly Reason[]): (reason: Reason) => boolean {
  return ({ id }) => !seen.some((other) => other.id === id);
}

function round(score: number): number {
  return Math.round(score * 10) / 10;
}
