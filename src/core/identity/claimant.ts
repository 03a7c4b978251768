import { ClaimWatch } from '../integrity/claim_watch.ts';
import { isExternalName, isSerial, type ReadDossier } from '../integrity/dossier.ts';
import type { Fix } from './claim_place.ts';
import { ClaimStory } from './claim_story.ts';
import { Strays } from './strays.ts';

/**
 * Greatest number of claims of one serial or of one radio. Further transmitters are received and mark these claims, and
 * have no track.
 */
export const MAX_BEARERS = 4;

/** One transmitter's statement "I am this aircraft": all its radios and names, and its last reported place. */
export class Claimant {
  readonly index: number;
  readonly transmitters = new Set<string>();
  readonly names = new Set<string>();
  last: Fix | null = null;
  lastTransmitter: string | null = null;
  receivedS = Number.NaN;
  /**
   * Time of the last reception over a link that proves the sender, s. From then on the claimant is found by its names,
   * at any place.
   */
  provenS = Number.NEGATIVE_INFINITY;
  /** Contradictions in its own reports; also a name that another claimant uses, or several names of its own. */
  readonly watch = new ClaimWatch();
  /** Its believed places, and reported places that do not follow from them. */
  readonly story = new ClaimStory();
  /** Claims of all aircraft that transmit with the same radio address and names, this one included. All share one set. */
  duplicates: Set<Claimant>;
  /** Its latest dossier. */
  spoke: ReadDossier | null = null;
  /** Consecutive reports in which its radios gave places that one aircraft cannot have. */
  disputes = 0;
  /** Transmissions in which it both raised and denied an alarm. */
  readonly denials = new Strays();
  /** Consecutive reports while another claimant of its serial was elsewhere. */
  apart = 0;
  /** The number of its track, 0 while it has none. */
  track = 0;

  constructor(index: number, receivedS: number) {
    this.index = index;
    this.receivedS = receivedS;
    this.duplicates = new Set([this]);
  }
}

export type ClaimDeps = {
  /** Lets the tracker process everything resolved so far, which may end claims. */
  settle(): void;
  /** Moves the state of `from` into `into`. */
  join(from: number, into: number): void;
  /** Frees the index of an ended claim. */
  forget(claim: number): void;
};

/** Whether claim and dossier both have serials, but none in common: a serial outranks every other name. */
export function hasOtherSerial(claimant: Claimant, { names }: ReadDossier): boolean {
  let reported = false;
  for (const name of names) {
    if (!isSerial(name)) continue;
    if (claimant.names.has(name)) return false;
    reported = true;
  }
  return reported && [...claimant.names].some(isSerial);
}

/** Whether the aircraft itself has reported an identity of the claim. */
export function hasOwnIdentity({ names, transmitters }: Claimant): boolean {
  if (transmitters.size > 0) return true;
  for (const name of names) if (!isExternalName(name)) return true;
  return false;
}

/** Whether both claims have serials, but none in common. */
export function reportDifferentSerials(a: Claimant, b: Claimant): boolean {
  if ([...a.names].some((name) => isSerial(name) && b.names.has(name))) return false;
  return [a, b].every(({ names }) => [...names].some(isSerial));
}

/** Whether the first claim has the track that began earlier. */
export function hasOlderTrack(a: Claimant, b: Claimant): boolean {
  return a.track !== 0 && (b.track === 0 || a.track < b.track);
}
