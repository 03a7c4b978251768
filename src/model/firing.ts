import type { Alert, ClearedReason } from './alert.ts';
import type { zoneTransitions } from './zone.ts';

export type AlertSeverity = Alert['severity'];

/** Subject of an alert. */
export type AlertSubject = Alert['subject'];

/**
 * Report of a rule in the core about one event. `raised` begins it and `ended` ends it. `worse` means a higher severity
 * or more aircraft; `changed` means only another text or other tracks.
 */
export type Firing = {
  /** Key of the event, made from the rule and its subject; constant while the event lasts. */
  key: string;
  ruleId: string;
  ruleVersion: number;
  change: 'raised' | 'worse' | 'changed' | 'ended';
  severity: AlertSeverity;
  subject: AlertSubject;
  /** Sentence for operators. `LAST_SEEN` in it stands for the time of `lastSeenMs`. */
  text: string;
  /** World time at which a sensor last received the track, ms; null while the track is not lost. */
  lastSeenMs?: number | null;
  /** Reason of the end; only where `change` is `ended`. */
  because?: ClearedReason;
  /** Tracks of the event, those in it longest first; at most 50. */
  trackIds: readonly string[];
  zoneId: string | null;
  /** Number of aircraft that are or were in the event. */
  count: number;
  atMs: number;
  /** Actions of the firing. `propose`: plans for its tracks are proposed to people. */
  does: { alert: boolean; log: boolean; notify: boolean; propose: boolean };
};

/** Placeholder for a time of day in a text: the core knows only world time. */
export const LAST_SEEN = '{last_seen}';

/** The firing with its time of day inserted; `timeText` converts world time to RFC 3339. */
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
 * Cause of a zone event. `flown`: the flight. `zone`: a zone was created, changed or deleted. `track`: new knowledge
 * about the track, for example its affiliation. Otherwise the end of the track.
 */
export type ZoneEventCause = 'flown' | 'zone' | 'track' | 'closed' | 'dropped' | 'merged';

/** Evidence that the track's height lies within the zone: its altitude (or the zone has no heights), its height above
 * take-off, or none. */
export type HeightBasis = 'altitude' | 'takeoff' | 'unknown';

/** An event between a track and a zone. */
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
