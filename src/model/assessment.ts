import type { Firing, ZoneEvent } from './firing.ts';
import type { ThreatLevel } from './posture.ts';
import type { RuleCount } from './rule_value.ts';
import type { Threat, ThreatTrend } from './threat.ts';
import type { Track } from './track.ts';

/** Assessment of one threat by the core; the threat document adds the marks that people set. */
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

/** Least distance so far between a track and a protected asset, or the edge of a protected zone. */
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

/** Changes of threats, groups and events in one evaluation by the core. */
export type Assessment = {
  threats: AssessedThreat[];
  /** Tracks that ended or are no longer a threat. */
  cleared: { number: number; trackId: string }[];
  /** Tracks whose group changed, by track number. `groupId` is null if the track left its group. */
  groups: { number: number; groupId: string | null }[];
  zoneEvents: ZoneEvent[];
  firings: Firing[];
  /** Numbers of raised and suppressed events of each rule since the previous evaluation. */
  counts: RuleCount[];
  /** Tracks whose nearest approach to a protected area changed. */
  nearest: NearestApproach[];
};

/** Facts about a track that the core receives: its affiliation, its earlier visits, and decisions of people. */
export type TrackWord = {
  number: number;
  affiliation: Track['affiliation'];
  affiliationBasis: Track['affiliation_basis'];
  /** Asset that gave the track its affiliation; null if none did. */
  asset: { id: string; name: string } | null;
  /** Asset whose serial or other key the track transmits although the track is another aircraft; null if none. */
  clonedOf: { id: string; name: string } | null;
  /**
   * Number of earlier days on which the track's identity was here, without days as a friend by telemetry or assignment.
   */
  visits: number;
  /** True while a person's dismissal is in force: only rules that protect own vehicles raise alerts about the track. */
  dismissed: boolean;
  /** Affiliation that a person set for this track; null if none was set. */
  setAffiliation: Track['affiliation'] | null;
};
