import type { alertSeverities } from './zone.ts';

export type AlertSeverity = (typeof alertSeverities)[number];

/** What an alert is about. */
export type AlertSubject = {
  type: 'track' | 'group' | 'zone' | 'sensor' | 'asset' | 'site';
  id: string;
  label: string;
};

/**
 * What a rule in the core tells of one event. `raised` begins it, `worse` says that it is of greater weight now (another
 * severity, or more aircraft in it), `changed` that only words or tracks are others, `ended` that it is over.
 */
export type Firing = {
  /** The same for as long as it is the same event: the rule and what it is about. */
  key: string;
  ruleId: string;
  ruleVersion: number;
  change: 'raised' | 'worse' | 'changed' | 'ended';
  severity: AlertSeverity;
  subject: AlertSubject;
  /** A sentence for the one who has to act. */
  text: string;
  /** Those in it, the longest first; at most 50. */
  trackIds: readonly string[];
  zoneId: string | null;
  /** How many aircraft are or were in it. */
  count: number;
  atMs: number;
  /** What besides being told is to come of it. `propose`: people are to be asked what may be done about its tracks. */
  does: { alert: boolean; log: boolean; notify: boolean; propose: boolean };
};

export type ZoneTransition = 'approach' | 'enter' | 'exit' | 'dwell';

/**
 * Why it happened: it flew so; the zone came, went or was changed under it; what is known of the track made it so (it was
 * found there, or is another's than was held); or the track is no more.
 */
export type ZoneEventCause = 'flown' | 'zone' | 'track' | 'closed' | 'dropped' | 'merged';

/** What says that its height is the zone's: its altitude (or no height is asked for), its height above take-off, nothing. */
export type HeightBasis = 'altitude' | 'takeoff' | 'unknown';

/** A track and a zone: something happened between them. */
export type ZoneEvent = {
  zoneId: string;
  trackId: string;
  transition: ZoneTransition;
  atMs: number;
  /** Of an approach: seconds until it is in. */
  etaS: number | null;
  because: ZoneEventCause;
  height: HeightBasis;
};
