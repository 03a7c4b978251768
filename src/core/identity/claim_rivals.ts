import { type Fix, isApart } from './claim_place.ts';
import type { Claimant } from './claimant.ts';

/** Number of consecutive contradicting reports from which two aircraft are assumed. */
const DISPUTES = 5;
/** A claimant counts as transmitting until this time after its last report, s. */
const RIVAL_S = 3;

/**
 * Whether two radios of one claim are on two separate aircraft. Counts consecutive changes of the radio between
 * positions that are too far apart for one aircraft. On one aircraft the radios' positions differ only by the flight
 * between their reports.
 */
export function haveRadiosParted(claimant: Claimant, transmitter: string | null, fix: Fix): boolean {
  const { last } = claimant;
  if (!last || claimant.lastTransmitter === transmitter) return false;
  claimant.disputes = isApart(last, fix) ? claimant.disputes + 1 : 0;
  return claimant.disputes >= DISPUTES;
}

/**
 * Returns another claim with the same serial that currently transmits from a separate position: another aircraft.
 * Returns null until `DISPUTES` consecutive reports contradict, or both claims are marked already.
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
