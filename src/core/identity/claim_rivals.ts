import { type Fix, isApart } from './claim_place.ts';
import type { Claimant } from './claimant.ts';

/** Number of consecutive changes between radios at places apart, from which these radios count as two aircraft. */
const DISPUTES = 5;
/** Time since its last report within which a claimant counts as transmitting, s. */
const RIVAL_S = 3;

/**
 * Whether two radios of one claim are on two aircraft near each other. On one aircraft their places differ only by its flight
 * in between. Counts the changes between radios at places apart.
 */
export function haveRadiosParted(claimant: Claimant, transmitter: string | null, fix: Fix): boolean {
  const { last } = claimant;
  if (!last || claimant.lastTransmitter === transmitter) return false;
  claimant.disputes = isApart(last, fix) ? claimant.disputes + 1 : 0;
  return claimant.disputes >= DISPUTES;
}

/**
 * Claim of the same serial that transmits from another place at the same time: it is another aircraft. Null while no such
 * claim is sure. Counts the reports from places apart.
 */
export function rivalOf(
  claimant: Claimant,
  holders: Iterable<Claimant>,
  receivedS: number,
  isMarked: (one: Claimant) => boolean,
): Claimant | null {
  for (const other of holders) {
    if (other === claimant || receivedS - other.receivedS > RIVAL_S) continue;
    const found = isMarked(claimant) && isMarked(other);
    if (!found && !isApart(claimant.last, other.last)) continue;
    claimant.apart++;
    return found || claimant.apart >= DISPUTES ? other : null;
  }
  claimant.apart = 0;
  return null;
}
