import type { Track, TrackState } from '../../model/track.ts';
import type { Integrity } from '../../model/track_row.ts';
import type { ScoredZoneKind } from '../../model/zone.ts';

/** Relation of a track to one protected area, zone or asset. Unknown values are NaN, times that never come Infinity. */
export class AreaRelation {
  id = '';
  kind: 'zone' | 'asset' = 'zone';
  /** Kind of a zone; null of an asset. */
  zoneKind: ScoredZoneKind | null = null;
  name = 'nothing';
  /** 0 to 1: what its points count; see `importanceOf`. */
  importance = 0;
  /** Along the ground to its edge; negative inside. */
  distanceM = Number.NaN;
  /** Above its ceiling positive, below its floor negative, 0 between them. */
  heightGapM = Number.NaN;
  /** Speed at which the distance shrinks; negative where it grows. */
  closingMps = Number.NaN;
  /** Nearest to its edge as it flies from now on, and when: 0 s where it only goes away. */
  cpaDistanceM = Number.NaN;
  cpaInS = Number.NaN;
  /** When it comes in as it flies. */
  etaS = Number.POSITIVE_INFINITY;
  etaSigmaS = Number.NaN;
  /** Time in the area or at its edge. */
  dwellS = 0;
  /** Distance from the pilot to the edge of the area, m. */
  operatorDistanceM = Number.NaN;
}

/** Inputs of a score, at first those of a track of which nothing is known but that it flies. The same situation scores the same under the same policy. */
export class Situation {
  trackId: string;
  state: TrackState = 'confirmed';
  /** Chance that it is there. */
  existence = 1;
  /** Along the ground, in any direction. */
  speedMps = Number.NaN;
  climbMps = Number.NaN;
  /** One standard deviation along the ground. */
  positionSigmaM = Number.NaN;
  /** Above ground, else above where it took off. */
  heightM = Number.NaN;
  affiliation: Track['affiliation'] = 'unknown';
  affiliationBasis: Track['affiliation_basis'] = 'none';
  /** The track reports a name. */
  named = false;
  /** The track should report a name: Remote ID is required here, and the track is not exempt. */
  nameRequired = false;
  verdict: Integrity['verdict'] = 'unchecked';
  /** Share of the reports that sensors confirm, 0 to 1. */
  integrityScore = 0.5;
  /** Why it is not, in words. */
  doubts: readonly string[] = [];
  /** Confidence that people are on board, and that it is a bird. */
  crewed = 0;
  bird = 0;
  emergency = false;
  /** Number of aircraft that fly together, itself included. */
  groupSize = 1;
  /** Earlier days on which it was here. */
  visits = 0;
  /** Time for which it has stood or circled within a small place. */
  loiterS = 0;
  relations: readonly AreaRelation[] = [];

  constructor(trackId: string) {
    this.trackId = trackId;
  }
}

/** Weight of an area's points from the kind of its zone and its priority (0 to 10). Only protected zones count in full. */
export function importanceOf(kind: ScoredZoneKind | 'asset', priority: number): number {
  const severity = { protected: 1, asset: 1, alert: 0.6, warning: 0.3 }[kind];
  return severity * Math.min(1, 0.5 + priority / 10);
}

/**
 * Height relative to a floor and a ceiling of the same datum (±Infinity where there is none), as `Standing.heightGapM`.
 * An area without a ceiling reaches `openCeilingM` above ground: an airliner over a fence is not in it.
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
