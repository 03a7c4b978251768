import type { Alert, ClearedReason } from './alert.ts';
import type { zoneTransitions } from './zone.ts';

export type AlertSeverity = Alert['severity'];

/** Subject of an alert. */
export type AlertSubject = Alert['subject'];

/**
 * Report of a rule in the core about one event. `raised` begins it and `ended` ends it; `worse` means a higher severity or
 * more aircraft, `changed` other words or tracks alone.
 */
export type Firing = {
  /** Key of the event, made of the rule and its subject; constant while the event lasts. */
  key: string;
  ruleId: string;
  ruleVersion: number;
  change: 'raised' | 'worse' | 'changed' | 'ended';
  severity: AlertSeverity;
  subject: AlertSubject;
  /** A sentence for the one who has to act. `LAST_SEEN` in it stands for the time of `lastSeenMs`. */
  text: string;
  /** When its track was perceived last, world time; null while it is not lost. */
  lastSeenMs?: number | null;
  /** Why it ended; of ends alone. */
  because?: ClearedReason;
  /** Tracks of the event, the longest in it first; at most 50. */
  trackIds: readonly string[];
  zoneId: string | null;
  /** Number of aircraft that are or were in it. */
  count: number;
  atMs: number;
  /** Actions of the firing. `propose`: plans for its tracks are proposed to people. */
  does: { alert: boolean; log: boolean; notify: boolean; propose: boolean };
};

/** Mark in a text for a time of day: the core knows world time alone. */
export const LAST_SEEN = '{last_seen}';

/** The firing with its time of day written out; `timeText` writes a world time as RFC 3339. */
export function withTime<F extends Pick<Firing, 'text' | 'lastSeenMs'>>(
  firing: F,
  timeText: (ms: number) => string,
): F {
  const { text, lastSeenMs } = firing;
  const at = lastSeenMs === undefined || lastSeenMs === null ? -1 : text.lastIndexOf(LAST_SEEN);
  if (at < 0) return firing;
  const time = `${timeText(lastSeenMs ?? 0).slice(11, 19)} UTC`;
  return { ...firing, text: text.slice(0, at) + time + text.slice(at + LAST_SEEN.length) };
}

export type ZoneTransition = (typeof zoneTransitions)[number];

/**
 * Cause of a zone event: the flight (`flown`); a zone that was created, changed or deleted (`zone`); new knowledge about
 * the track, such as its affiliation (`track`); or the end of the track.
 */
export type ZoneEventCause = 'flown' | 'zone' | 'track' | 'closed' | 'dropped' | 'merged';

/** Evidence that the track's height lies within the zone: its altitude (or the zone has no heights), its height above
 * take-off, or none. */
export type HeightBasis = 'altitude' | 'takeoff' | 'unknown';

/** A track and a zone: something happened between them. */
export type ZoneEvent = {
  zoneId: string;
  trackId: string;
  transition: ZoneTransition;
  atMs: number;
  /** Time to entry of an approach, s. */
  etaS: number | null;
  because: ZoneEventCause;
  height: HeightBasis;
};
