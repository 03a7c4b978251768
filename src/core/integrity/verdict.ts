import { SUSPECT_REASON } from '../../model/rows/layouts.ts';
import { type Integrity, verdictCodes } from '../../model/track_row.ts';
import type { HeldReason } from './claim_watch.ts';

type Reason = Integrity['reasons'][number];

/** Bits of the tracker's reasons, in sentences. */
const reasonBits = [
  {
    bit: SUSPECT_REASON.positionDisagrees,
    id: 'position_disagrees',
    text: 'sensors see the aircraft away from its reported position',
  },
  {
    bit: SUSPECT_REASON.notSeenBySensor,
    id: 'not_seen_by_sensor',
    text: 'a sensor that covers the place sees nothing there',
  },
  { bit: SUSPECT_REASON.jump, id: 'jump', text: 'it reports a position that it cannot have flown to' },
] as const;

/** Reduction of the score for a fault that honest aircraft have too, such as a home-built serial: it is still shown. */
const MILD_COSTS = 0.1;

/** Shared by all claims without any finding; never modified. */
export const unchecked: Integrity = { verdict: 'unchecked', score: 0.5, reasons: [] };
const consistent: Integrity = { verdict: 'consistent', score: 1, reasons: [] };

/** The tracker's finding on a claim, from two columns of the track's row. */
export type Tracked = { verdict: number; reasons: number };

/** All findings on a claim in the form of the document; `said` are the findings from the claim's own reports. */
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
  // A claim that sensors confirm at its position is real, whatever other transmitter uses its name.
  if (verdict === 'consistent' && !contradictions)
    return { verdict, score: round((duplicate ? 0.8 : 1) - off), reasons };
  if (contradictions || duplicate) return { verdict: 'suspect', score: round(0.2 - off), reasons };
  return { verdict, score: round(0.5 - off), reasons };
}

/** Filter that leaves out reasons in `seen`: each reason is given once, whatever check found it. */
function isNotOf(seen: readonly Reason[]): (reason: Reason) => boolean {
  return ({ id }) => !seen.some((other) => other.id === id);
}

function round(score: number): number {
  return Math.round(score * 10) / 10;
}
