import type { Firing, ZoneEvent } from './firing.ts';
import type { ThreatLevel } from './posture.ts';
import type { RuleCount } from './rule_value.ts';
import type { Threat, ThreatTrend } from './threat.ts';
import type { Track } from './track.ts';

/** Assessment of one threat by the core; the document adds the marks that people set. */
export type AssessedThreat = Pick<
  Threat,
  'score' | 'factors' | 'nearest_zone' | 'nearest_protected' | 'cpa' | 'peak_score' | 'group_id'
> & {
  number: number;
  trackId: string;
  level: ThreatLevel;
  trend: ThreatTrend;
  firstMs: number;
  policyVersion: number;
};

/** Nearest approach of a track so far to a protected asset, or to the edge of a protected zone. */
export type NearestApproach = {
  number: number;
  trackId: string;
  kind: 'zone' | 'asset';
  id: string;
  name: string;
  /** Distance along the ground, m; 0 inside. */
  distanceM: number;
  atMs: number;
};

/** Changes of threats, groups and events in one step. */
export type Assessment = {
  threats: AssessedThreat[];
  /** Tracks that ended or are no longer a threat. */
  cleared: { number: number; trackId: string }[];
  /** Tracks whose group changed; the group is null where a track left it. */
  groups: { number: number; groupId: string | null }[];
  zoneEvents: ZoneEvent[];
  firings: Firing[];
  /** Firings of rules since the last report. */
  counts: RuleCount[];
  /** Tracks whose nearest approach to a protected area changed. */
  nearest: NearestApproach[];
};

/** Decisions of people and of the registry about a track, for the core. */
export type TrackWord = {
  number: number;
  affiliation: Track['affiliation'];
  affiliationBasis: Track['affiliation_basis'];
  /** The asset that gave the track its affiliation. */
  asset: { id: string; name: string } | null;
  /** The asset whose key the track reports without being that asset. */
  clonedOf: { id: string; name: string } | null;
  /** Number of earlier days on which one of its identities was received. */
  visits: number;
  /** Whether a person dismissed the track, so that it raises no alerts. */
  dismissed: boolean;
  /** Affiliation that a person set for this track. */
  setAffiliation: Track['affiliation'] | null;
};
