import { isSerial, type ReadDossier } from '../integrity/dossier.ts';
import type { Fix } from './claim_place.ts';
import { type Claimant, MAX_BEARERS } from './claimant.ts';

/** Time since its last report within which another claim of the same radio counts as transmitting, s. */
const DUPLICATES_S = 15;

/**
 * Whether another aircraft may transmit with the claim's radio and names. There must be room for one more claim, and claim and
 * dossier must not report different serials. A transmitter that alternates its serial is one aircraft that lies.
 */
export function mayHaveDuplicate({ names, duplicates }: Claimant, { serial }: ReadDossier): boolean {
  if (duplicates.size >= MAX_BEARERS) return false;
  for (const name of names) if (isSerial(name) && name !== serial) return false;
  return serial === null || names.has(serial);
}

/** All claims of one radio where several were received within `DUPLICATES_S`; else none. */
export function speakingDuplicates(claimant: Claimant, receivedS: number): Claimant[] {
  const others = [...claimant.duplicates].filter(
    (duplicate) => duplicate !== claimant && receivedS - duplicate.receivedS <= DUPLICATES_S,
  );
  return others.length === 0 ? [] : [claimant, ...others];
}

/**
 * The claim, among those of one radio, whose last place a report continues most closely; `claimant` where it continues none.
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

/** Removes the claim from the duplicates of all others. */
export function separateDuplicates(claimant: Claimant): void {
  claimant.duplicates.delete(claimant);
  claimant.duplicates = new Set([claimant]);
}
