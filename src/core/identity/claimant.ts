import { ClaimWatch, type DuplicateFinding } from '../integrity/claim_watch.ts';
import { isExternalName, isSerial, type ReadDossier } from '../integrity/dossier.ts';
import type { Fix } from './claim_place.ts';
import { ClaimStory } from './claim_story.ts';
import { Strays } from './strays.ts';

/**
 * Greatest number of claims with one serial or one radio. A further transmitter gets no claim and no track, unless a
 * link proves it. Its reports only count as evidence against an existing claim.
 */
export const MAX_BEARERS = 4;

/** The claim of a transmitter to be a certain aircraft: its radios, its names, and its last reported position. */
export class Claimant {
  readonly index: number;
  readonly transmitters = new Set<string>();
  readonly names = new Set<string>();
  last: Fix | null = null;
  lastTransmitter: string | null = null;
  receivedS = Number.NaN;
  /**
   * Time of the last reception over a link that proves the sender, s; −Infinity if there was none. After the first one,
   * every report over such a link matches this claim by name, at any position.
   */
  provenS = Number.NEGATIVE_INFINITY;
  /**
   * Contradictions found in the claim's reports. They include another transmitter with the same name, and several names
   * of this one.
   */
  readonly watch = new ClaimWatch();
  /** Accepted positions of the claim, and reported positions that contradict them. */
  readonly story = new ClaimStory();
  /** All claims with the same radio address and names, this one included. The claims share one set. */
  duplicates: Set<Claimant>;
  /** Dossier (reported values of one transmitter) whose serial the claim received last; null if none had a serial. */
  spoke: ReadDossier | null = null;
  /**
   * Number of consecutive changes of the radio after which the new radio's position was too far away for one aircraft.
   */
  disputes = 0;
  /** Transmissions of which one copy reported an alarm (an emergency or failure) and another copy did not. */
  readonly denials = new Strays();
  /**
   * Number of consecutive reports while another claim with the same serial was too far away to be the same aircraft.
   */
  apart = 0;
  /** Number of the claim's track; 0 while it has none. */
  track = 0;

  constructor(index: number, receivedS: number) {
    this.index = index;
    this.receivedS = receivedS;
    this.duplicates = new Set([this]);
  }
}

export type ClaimDeps = {
  /**
   * Makes the tracker process all observations that were assigned to claims so far. This may end tracks and their
   * claims.
   */
  settle(): void;
  /** Merges the tracker's state of claim `from` into claim `into`. */
  join(from: number, into: number): void;
  /** Drops the tracker's and the tracks' values of an ended claim, whose index may be used again. */
  forget(claim: number): void;
};

/** Whether one of the claim's names is a serial. */
export function hasSerial({ names }: Claimant): boolean {
  return [...names].some(isSerial);
}

/** Whether claim and dossier both have serials, but none in common. A serial outranks every other name. */
export function hasOtherSerial(claimant: Claimant, { names }: ReadDossier): boolean {
  let reported = false;
  for (const name of names) {
    if (!isSerial(name)) continue;
    if (claimant.names.has(name)) return false;
    reported = true;
  }
  return reported && hasSerial(claimant);
}

/** Whether the aircraft itself reported an identity of the claim. Numbers that other systems gave do not count. */
export function hasOwnIdentity({ names, transmitters }: Claimant): boolean {
  if (transmitters.size > 0) return true;
  for (const name of names) if (!isExternalName(name)) return true;
  return false;
}

/** Whether both claims have serials, but none in common. */
export function reportDifferentSerials(a: Claimant, b: Claimant): boolean {
  if ([...a.names].some((name) => isSerial(name) && b.names.has(name))) return false;
  return hasSerial(a) && hasSerial(b);
}

/** Whether claim `a` has a track, and claim `b` has none or a track that began later. */
export function hasOlderTrack(a: Claimant, b: Claimant): boolean {
  return a.track !== 0 && (b.track === 0 || a.track < b.track);
}

/** Returns the finding behind the flag `id_duplicate` of a track from an earlier run; the track keeps no finding. */
export function restoredFinding({ names }: ReadDossier): DuplicateFinding {
  return new Set(names.filter(isSerial)).size > 1 ? 'serial_changes' : 'other_aircraft';
}
