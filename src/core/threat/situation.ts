import type { Track, TrackState } from '../../model/track.ts';
import type { Integrity } from '../../model/track_row.ts';
import type { ScoredZoneKind } from '../../model/zone.ts';

/** Reference of a track's height: the ground, or the take-off position if no height above ground is reported. */
export type HeightReference = 'ground' | 'takeoff';

/**
 * Relation of a track to one protected area, which is a zone or an asset. NaN is an unknown value. Infinity is the time
 * of an event that is not predicted, because it comes too late or never.
 */
export class AreaRelation {
  id = '';
  kind: 'zone' | 'asset' = 'zone';
  /** Kind of the zone; null for an asset. */
  zoneKind: ScoredZoneKind | null = null;
  name = 'nothing';
  /** Weight of the area's points, 0 to 1; see `importanceOf`. */
  importance = 0;
  /** Distance along the ground to the edge of the area, m; negative inside. */
  distanceM = Number.NaN;
  /** Height above the ceiling (positive) or below the floor (negative) of the area, m; 0 between them. */
  heightGapM = Number.NaN;
  /** Rate at which the distance decreases, m/s; negative if it grows. */
  closingMps = Number.NaN;
  /**
   * Closest approach to the area's edge on the present course: its distance, m, and the time until then, s. The time is
   * 0 if the track only recedes.
   */
  cpaDistanceM = Number.NaN;
  cpaInS = Number.NaN;
  /** Time until entry on the present course, s, and its standard deviation, s. */
  etaS = Number.POSITIVE_INFINITY;
  etaSigmaS = Number.NaN;
  /** Time that the track has spent in the area or at its edge, s. */
  dwellS = 0;
  /** Distance from the pilot to the edge of the area, m. */
  operatorDistanceM = Number.NaN;
}

/**
 * Inputs of a score. The initial values describe a flying track of which nothing else is known. Under one policy, equal
 * situations give equal scores.
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
  /** Whether the track reports an identity that names the aircraft. */
  named = false;
  /**
   * Whether the track should report a name: Remote ID is required and can be received here, the track is not exempt,
   * and it is older than the grace period.
   */
  nameRequired = false;
  verdict: Integrity['verdict'] = 'unchecked';
  /** Integrity of the track's claims: from 0 (contradicted) over 0.5 (unchecked) to 1 (confirmed by sensors). */
  integrityScore = 0.5;
  /** Reasons against the track's claims, in words. */
  doubts: readonly string[] = [];
  /** Confidence, 0 to 1, that the aircraft is crewed, and that the object is a bird. */
  crewed = 0;
  bird = 0;
  emergency = false;
  /** Number of aircraft in the group, this one included; 1 without a group, so also in a pair. */
  groupSize = 1;
  /** Number of earlier days on which the aircraft was seen at this site. */
  visits = 0;
  /** Time for which the track has hovered or circled within a small area, s. */
  loiterS = 0;
  relations: readonly AreaRelation[] = [];

  constructor(trackId: string) {
    this.trackId = trackId;
  }
}

/**
 * Weight of an area's points, from the kind of the zone and its priority (0 to 10). Only protected zones and assets can
 * reach 1.
 */
export function importanceOf(kind: ScoredZoneKind | 'asset', priority: number): number {
  const severity = { protected: 1, asset: 1, alert: 0.6, warning: 0.3 }[kind];
  return severity * Math.min(1, 0.5 + priority / 10);
}

/**
 * Height relative to a floor and a ceiling, as in `AreaRelation.heightGapM`, m. `altitudeM`, `floorM` and `ceilingM`
 * have one reference; ±Infinity means no limit. An area without a ceiling ends at `openCeilingM` above ground, so that
 * an airliner above a fence is not inside.
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
