import { isSerial, type ReadDossier } from '../integrity/dossier.ts';
import type { Fix } from './claim_place.ts';
import { type Claimant, MAX_BEARERS } from './claimant.ts';

/** Two of one radio may speak as seldom as this. */
const DUPLICATES_S = 15;

/**
 * Whether another aircraft may transmit by the claim's radio and names: there is room for one more, and neither reports
 * another serial. A transmitter that alternates its serial is one aircraft that lies.
 */
export function mayHaveDuplicate({ names, duplicates }: Claimant, { serial }: ReadDossier): boolean {
  if (duplicates.size >= MAX_BEARERS) return false;
  for (const name of names) if (isSerial(name) && name !== serial) return false;
  return serial === null || names.has(serial);
}

/** The claims of one radio where several were received lately; else none. */
export function speakingDuplicates(claimant: Claimant, receivedS: number): Claimant[] {
  const others = [...claimant.duplicates].filter(
    (duplicate) => duplicate !== claimant && receivedS - duplicate.receivedS <= DUPLICATES_S,
  );
  return others.length === 0 ? [] : [claimant, ...others];
}

/** The claim, among those of one radio, whose story a report continues; the claim itself where none does. */
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
