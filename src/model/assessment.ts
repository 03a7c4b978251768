import type { Firing, ZoneEvent } from './firing.ts';
import type { ThreatLevel } from './posture.ts';
import type { RuleCount } from './rule_value.ts';
import type { Threat, ThreatTrend } from './threat.ts';
import type { Track } from './track.ts';

/** What the core finds of one track that matters; the document has besides what people did about it. */
export type AssessedThreat = Pick<Threat, 'score' | 'factors' | 'nearest_zone' | 'cpa' | 'peak_score' | 'group_id'> & {
  number: number;
  trackId: string;
  level: ThreatLevel;
  trend: ThreatTrend;
  firstMs: number;
  policyVersion: number;
};

/** What one step changed of what matters. */
export type Assessment = {
  threats: AssessedThreat[];
  /** Tracks that matter no more, or that are gone. */
  cleared: { number: number; trackId: string }[];
  /** Tracks that fly with others now, or no more. */
  groups: { number: number; groupId: string | null }[];
  zoneEvents: ZoneEvent[];
  firings: Firing[];
  /** How often rules fired since this was told last. */
  counts: RuleCount[];
};

/** Where nothing that matters changed. */
export function nothingAssessed(): Assessment {
  return { threats: [], cleared: [], groups: [], zoneEvents: [], firings: [], counts: [] };
}

/** What people and the registry say of a track, as far as the core goes by it. */
export type TrackWord = {
  number: number;
  affiliation: Track['affiliation'];
  affiliationBasis: Track['affiliation_basis'];
  /** The asset that it is held for. */
  asset: { id: string; name: string } | null;
  /** The asset whose key it tells without being it. */
  clonedOf: { id: string; name: string } | null;
  /** Earlier days on which one of its name was here. */
  visits: number;
  /** A person looked at it and wants no alerts of it. */
  dismissed: boolean;
};
