import { isSerial, type ReadDossier } from '../integrity/dossier.ts';
import type { Fix } from './claim_place.ts';
import { type Claimant, MAX_BEARERS } from './claimant.ts';

/** A claim counts as transmitting until this time after its last report, s. */
const DUPLICATES_S = 15;

/**
 * Whether a second aircraft may transmit with the radio and the names of this claim. There must be room for another
 * duplicate. The claim and the dossier must have the same single serial, or neither may have one. Different serials
 * mean one transmitter that alternates between false serials.
 */
export function mayHaveDuplicate({ names, duplicates }: Claimant, { serial }: ReadDossier): boolean {
  if (duplicates.size >= MAX_BEARERS) return false;
  for (const name of names) if (isSerial(name) && name !== serial) return false;
  return serial === null || names.has(serial);
}

/**
 * Returns the claim and those duplicates that were received in the last `DUPLICATES_S`; an empty array if no duplicate
 * was.
 */
export function speakingDuplicates(claimant: Claimant, receivedS: number): Claimant[] {
  const others = [...claimant.duplicates].filter(
    (duplicate) => duplicate !== claimant && receivedS - duplicate.receivedS <= DUPLICATES_S,
  );
  return others.length === 0 ? [] : [claimant, ...others];
}

/**
 * Returns the duplicate whose last position is nearest to `fix`, among those whose aircraft can have flown to `fix`.
 * Returns `claimant` if there is none.
 */
export function tellerOf(claimant: Claimant, fix: Fix): Claimant {
  if (claimant.duplicates.size === 1) return claimant;
  let [teller, leastM] = [claimant, claimant.story.gapM(fix)];
  for (const duplicate of claimant.duplicates) {
    const gapM = duplicate.story.gapM(fix);
    if (gapM < leastM) [teller, leastM] = [duplicate, gapM];
  }
  return teller;
}

/** Removes the claim from the set that it shares with its duplicates. */
export function separateDuplicates(claimant: Claimant): void {
  claimant.duplicates.delete(claimant);
  claimant.duplicates = new Set([claimant]);
}
