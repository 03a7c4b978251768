import { type Integrity, verdictCodes } from '../model/track_row.ts';
import type { HeldReason } from './integrity/claim_watch.ts';

type Reason = Integrity['reasons'][number];

/** Bits of native/tracker/claim.h, in sentences. */
const reasonBits = [
  { bit: 1, id: 'position_disagrees', text: 'sensors see the aircraft elsewhere than it says to be' },
  { bit: 2, id: 'not_seen_by_sensor', text: 'a sensor that covers the place sees nothing there' },
  { bit: 4, id: 'jump', text: 'it says to be where it cannot have flown' },
] as const;

/** What honest aircraft do too, as home-built ones with a serial of their own form: shown, and taken off the score. */
const MILD_COSTS = 0.1;

/** Of those against whom nothing speaks, one for all: nobody changes it. */
export const unchecked: Integrity = { verdict: 'unchecked', score: 0.5, reasons: [] };
const consistent: Integrity = { verdict: 'consistent', score: 1, reasons: [] };

/** What the tracker holds of a claim, by its columns of the track's row. */
export type Tracked = { verdict: number; reasons: number };

/** All that is held of a claim, as the document tells it; `said` is what it says against itself. */
export function verdictOf(tracked: Tracked, said: readonly HeldReason[]): Integrity {
  const verdict = verdictCodes[tracked.verdict] ?? 'unchecked';
  const seen = reasonBits.filter(({ bit }) => (tracked.reasons & bit) !== 0).map(({ id, text }) => ({ id, text }));
  const reasons: Reason[] = [...seen, ...said.map(({ id, text }) => ({ id, text })).filter(isNotOf(seen))];
  if (reasons.length === 0 && verdict === 'unchecked') return unchecked;
  if (reasons.length === 0 && verdict === 'consistent') return consistent;
  const off = said.some(({ isMild }) => isMild) ? MILD_COSTS : 0;
  const duplicate = said.some(({ id }) => id === 'duplicate_identity');
  const lies = said.some(({ id, isMild }) => !isMild && id !== 'duplicate_identity');
  if (verdict === 'suspect') return { verdict, score: 0, reasons };
  // Seen by sensors where it says to be, it is there, whoever else uses its name.
  if (verdict === 'consistent' && !lies) return { verdict, score: round((duplicate ? 0.8 : 1) - off), reasons };
  if (lies || duplicate) return { verdict: 'suspect', score: round(0.2 - off), reasons };
  return { verdict, score: round(0.5 - off), reasons };
}

/** One reason is named once, whoever found it. */
function isNotOf(seen: readonly Reason[]): (reason: Reason) => boolean {
  return ({ id }) => !seen.some((other) => other.id === id);
}

function round(score: number): number {
  return Math.round(score * 10) / 10;
}
