import { type Fix, isApart } from './claim_place.ts';
import type { Claimant } from './claimant.ts';

/** Number of consecutive contradicting reports after which two aircraft are assumed. */
const DISPUTES = 5;
/** A claim counts as transmitting until this time after its last report, s. */
const RIVAL_S = 3;

/**
 * Whether two radios of one claim are on two separate aircraft. Counts reports in a row that come from another radio
 * than the last one, at a position too far away for one aircraft. Two radios on one aircraft report positions that
 * differ only by the flight between the reports.
 */
export function haveRadiosParted(claimant: Claimant, transmitter: string | null, fix: Fix): boolean {
  const { last } = claimant;
  if (!last || claimant.lastTransmitter === transmitter) return false;
  claimant.disputes = isApart(last, fix) ? claimant.disputes + 1 : 0;
  return claimant.disputes >= DISPUTES;
}

/**
 * Returns another claim with the same serial (`holders`) that currently transmits from a position too far away for one
 * aircraft. Returns null until `DISPUTES` consecutive reports have shown this. If both claims are already marked as
 * duplicates, returns the other one at once, at any position.
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
