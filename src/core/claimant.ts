import type { Fix } from './claim_place.ts';
import { ClaimStory } from './claim_story.ts';
import { isSerial, type ReadDossier } from './dossier.ts';
import { ClaimWatch } from './integrity/claim_watch.ts';

/** One who says "I am this aircraft": all its radios and names, and where it last said to be. */
export type Claimant = {
  readonly index: number;
  readonly transmitters: Set<string>;
  readonly names: Set<string>;
  last: Fix | null;
  lastTransmitter: string | null;
  heardS: number;
  /** When it was heard last over a link that proves the sender; it is found by its names from then on, wherever it is. */
  provenS: number;
  /** What it says against itself; also that its name is told by another too, or that it has told several. */
  readonly watch: ClaimWatch;
  /** The places that it told, and those that do not follow from them. */
  readonly story: ClaimStory;
  /** The claim of the other aircraft that speaks by the same radio and names. */
  twin: Claimant | null;
  /** What it said of itself last. */
  spoke: ReadDossier | null;
  /** How often in a row its radios told places that one aircraft cannot be at. */
  disputes: number;
  /** How often in a row it spoke while one of its serial was elsewhere. */
  apart: number;
  /** The number of its track, 0 while it has none. */
  track: number;
};

export type ClaimRim = {
  /** Everything resolved so far is to be tracked now: claims may end by it. */
  settle(): void;
  /** What `from` has is `into`'s. */
  join(from: number, into: number): void;
  /** The number is free again. */
  forget(claim: number): void;
};

export function newClaimant(index: number, heardS: number): Claimant {
  return {
    index,
    transmitters: new Set(),
    names: new Set(),
    last: null,
    lastTransmitter: null,
    heardS,
    provenS: Number.NEGATIVE_INFINITY,
    watch: new ClaimWatch(),
    story: new ClaimStory(),
    twin: null,
    spoke: null,
    disputes: 0,
    apart: 0,
    track: 0,
  };
}

/** Whether both tell serials, and no common one: a serial outranks every other name. */
export function hasOtherSerial(claimant: Claimant, { names }: ReadDossier): boolean {
  let told = false;
  for (const name of names) {
    if (!isSerial(name)) continue;
    if (claimant.names.has(name)) return false;
    told = true;
  }
  return told && [...claimant.names].some(isSerial);
}

/** The one of two claims of one radio whose story a report continues; the claim itself where it has no twin. */
export function tellerOf(claimant: Claimant, fix: Fix): Claimant {
  const { twin } = claimant;
  return twin && twin.story.gapM(fix) < claimant.story.gapM(fix) ? twin : claimant;
}

/** Neither claim has a twin from now on. */
export function partTwins(claimant: Claimant): void {
  if (claimant.twin) claimant.twin.twin = null;
  claimant.twin = null;
}
