import type { Track, TrackState } from '../../model/track.ts';
import type { Integrity } from '../../model/track_row.ts';
import type { ScoredZoneKind } from '../../model/zone.ts';

/** Reference of a track's height: the ground, or its take-off place where it reports no height above ground. */
export type HeightReference = 'ground' | 'takeoff';

/** Relation of a track to one protected area, zone or asset. Unknown values are NaN, times that never come Infinity. */
export class AreaRelation {
  id = '';
  kind: 'zone' | 'asset' = 'zone';
  /** Kind of a zone; null of an asset. */
  zoneKind: ScoredZoneKind | null = null;
  name = 'nothing';
  /** Weight of the area's points, 0 to 1; see `importanceOf`. */
  importance = 0;
  /** Distance along the ground to the edge of the area, m; negative inside. */
  distanceM = Number.NaN;
  /** Height above the ceiling (positive) or below the floor (negative) of the area, m; 0 between them. */
  heightGapM = Number.NaN;
  /** Speed at which the distance shrinks, m/s; negative where it grows. */
  closingMps = Number.NaN;
  /** Closest approach to the edge on the present course, m, and the time until then, s: 0 where the track only recedes. */
  cpaDistanceM = Number.NaN;
  cpaInS = Number.NaN;
  /** Time to entry on the present course, s. */
  etaS = Number.POSITIVE_INFINITY;
  etaSigmaS = Number.NaN;
  /** Time in the area or at its edge. */
  dwellS = 0;
  /** Distance from the pilot to the edge of the area, m. */
  operatorDistanceM = Number.NaN;
}

/**
 * Inputs of a score. The initial values are those of a track that is only known to fly. The same situation scores the same
 * under the same policy.
 */
export class Situation {
  trackId: string;
  state: TrackState = 'confirmed';
  /** Probability that the tracked object exists. */
  existence = 1;
  /** Speed along the ground, in any direction, m/s. */
  speedMps = Number.NaN;
  climbMps = Number.NaN;
  /** One standard deviation of the position along the ground, m. */
  positionSigmaM = Number.NaN;
  /** Height above `heightAbove`, m. */
  heightM = Number.NaN;
  heightAbove: HeightReference = 'ground';
  affiliation: Track['affiliation'] = 'unknown';
  affiliationBasis: Track['affiliation_basis'] = 'none';
  /** The track reports a name. */
  named = false;
  /** The track should report a name: Remote ID is required here, and the track is not exempt. */
  nameRequired = false;
  verdict: Integrity['verdict'] = 'unchecked';
  /** Share of the reports that sensors confirm, 0 to 1. */
  integrityScore = 0.5;
  /** Reasons against its claims, in words. */
  doubts: readonly string[] = [];
  /** Confidence that people are on board, and that the object is a bird. */
  crewed = 0;
  bird = 0;
  emergency = false;
  /** Number of aircraft that fly together, itself included. */
  groupSize = 1;
  /** Number of earlier days on which the aircraft was here. */
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
 * Height relative to a floor and a ceiling of the same datum (±Infinity where there is none), as in `AreaRelation.heightGapM`.
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
