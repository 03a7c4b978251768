import type { Track, TrackState } from '../../model/track.ts';
import type { Integrity } from '../../model/track_row.ts';

/** How a track stands to one protected thing, zone or asset. What is not known is NaN, what never comes Infinity. */
export type Standing = {
  id: string;
  kind: 'zone' | 'asset';
  name: string;
  /** 0 to 1: what its points count; see `importanceOf`. */
  importance: number;
  /** Along the ground to its edge; negative inside. */
  distanceM: number;
  /** Above its ceiling positive, below its floor negative, 0 between them. */
  heightGapM: number;
  /** How fast the distance shrinks; negative where it grows. */
  closingMps: number;
  /** Nearest to its edge as it flies from now on, and when: 0 s where it only goes away. */
  cpaDistanceM: number;
  cpaInS: number;
  /** When it comes in as it flies. */
  etaS: number;
  etaSigmaS: number;
  /** How long it has been in it or at its edge. */
  dwellS: number;
  /** From its pilot to the edge. */
  operatorDistanceM: number;
};

/** Everything that a score is made of: a value, so that the same situation under the same policy scores the same. */
export type Situation = {
  trackId: string;
  state: TrackState;
  /** Chance that it is there. */
  existence: number;
  /** Along the ground, in any direction. */
  speedMps: number;
  climbMps: number;
  /** One standard deviation along the ground. */
  positionSigmaM: number;
  /** Above ground, else above where it took off. */
  heightM: number;
  affiliation: Track['affiliation'];
  affiliationBasis: Track['affiliation_basis'];
  /** It tells a name of itself. */
  named: boolean;
  /** It should tell one here: Remote ID is required and it is nothing that is exempt. */
  nameRequired: boolean;
  verdict: Integrity['verdict'];
  /** 0 to 1, how far what it says is borne out. */
  integrityScore: number;
  /** Why it is not, in words. */
  doubts: readonly string[];
  /** Confidence that people are on board, and that it is a bird. */
  crewed: number;
  bird: number;
  emergency: boolean;
  /** How many fly together, itself included. */
  groupSize: number;
  /** Earlier days on which it was here. */
  visits: number;
  /** How long it has stood or circled within a small place. */
  loiterS: number;
  standings: readonly Standing[];
};

/** What the kind of a zone and a person's priority (0 to 10) make of its points. Only protected zones count in full. */
export function importanceOf(kind: 'protected' | 'alert' | 'warning' | 'asset', priority: number): number {
  const severity = { protected: 1, asset: 1, alert: 0.6, warning: 0.3 }[kind];
  return severity * Math.min(1, 0.5 + priority / 10);
}

/**
 * How a height stands between a floor and a ceiling of the same datum (±Infinity where there is none), as
 * `Standing.heightGapM`. What has no ceiling reaches `openCeilingM` above ground: an airliner over a fence is not in it.
 */
export function heightGapOf(
  altitudeM: number,
  floorM: number,
  ceilingM: number,
  aboveGroundM: number,
  openCeilingM: number,
): number {
  const overM = ceilingM < Number.POSITIVE_INFINITY ? altitudeM - ceilingM : aboveGroundM - openCeilingM;
  if (overM > 0) return overM;
  if (altitudeM < floorM) return altitudeM - floorM;
  return Number.isNaN(altitudeM) && Number.isNaN(overM) ? Number.NaN : 0;
}

/** A situation of which nothing is known but that something flies. */
export function blankSituation(trackId: string): Situation {
  return {
    trackId,
    state: 'confirmed',
    existence: 1,
    speedMps: Number.NaN,
    climbMps: Number.NaN,
    positionSigmaM: Number.NaN,
    heightM: Number.NaN,
    affiliation: 'unknown',
    affiliationBasis: 'none',
    named: false,
    nameRequired: false,
    verdict: 'unchecked',
    integrityScore: 0.5,
    doubts: [],
    crewed: 0,
    bird: 0,
    emergency: false,
    groupSize: 1,
    visits: 0,
    loiterS: 0,
    standings: [],
  };
}

/** To nothing in particular. */
export function blankStanding(): Standing {
  return {
    id: '',
    kind: 'zone',
    name: 'nothing',
    importance: 0,
    distanceM: Number.NaN,
    heightGapM: Number.NaN,
    closingMps: Number.NaN,
    cpaDistanceM: Number.NaN,
    cpaInS: Number.NaN,
    etaS: Number.POSITIVE_INFINITY,
    etaSigmaS: Number.NaN,
    dwellS: 0,
    operatorDistanceM: Number.NaN,
  };
}
