import type { Alert, ClearedReason } from './alert.ts';
import type { zoneTransitions } from './zone.ts';

export type AlertSeverity = Alert['severity'];

/** Subject of an alert. */
export type AlertSubject = Alert['subject'];

/**
 * Report about one event, from a rule that the core evaluates. `raised` begins the event and `ended` ends it. `worse`
 * means a higher severity or more aircraft; `changed` means only another text or other tracks.
 */
export type Firing = {
  /** Key of the event, made from the rule and its subject; constant while the event lasts. */
  key: string;
  ruleId: string;
  ruleVersion: number;
  change: 'raised' | 'worse' | 'changed' | 'ended';
  severity: AlertSeverity;
  subject: AlertSubject;
  /** Sentence for operators. `withTime` replaces its placeholder `LAST_SEEN` by the time `lastSeenMs`. */
  text: string;
  /**
   * World time of the last observation of the event's first track, ms. Null unless this track is lost; absent if
   * `change` is `ended`.
   */
  lastSeenMs?: number | null;
  /** Reason why the event ended; present only if `change` is `ended`. */
  because?: ClearedReason;
  /** Tracks of the event, longest-involved first; at most 50. */
  trackIds: readonly string[];
  zoneId: string | null;
  /** Number of aircraft that are or were involved in the event. */
  count: number;
  atMs: number;
  /** Actions that follow. `propose` requests plans about the tracks; people must approve the plans. */
  does: { alert: boolean; log: boolean; notify: boolean; propose: boolean };
};

/** Placeholder for a UTC time of day in a text. The core uses it because it knows only world time. */
export const LAST_SEEN = '{last_seen}';

/**
 * Replaces the placeholder `LAST_SEEN` in a firing's text by the time `lastSeenMs`. Without such a time or placeholder,
 * returns the firing unchanged. `timeText` converts world time to RFC 3339.
 */
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
 * Cause of a zone event. `flown`: the track moved. `zone`: a zone was created, changed or deleted. `track`: a property
 * of the track changed, for example its affiliation. `closed`, `dropped`, `merged`: the track ended.
 */
export type ZoneEventCause = 'flown' | 'zone' | 'track' | 'closed' | 'dropped' | 'merged';

/**
 * Height of a track that was compared with a zone's floor and ceiling. `altitude`: its altitude or height above ground;
 * also for a zone without floor and ceiling. `takeoff`: its height above take-off. `unknown`: no height is known.
 */
export type HeightBasis = 'altitude' | 'takeoff' | 'unknown';

/** Change of the relation between a track and a zone. */
export type ZoneEvent = {
  zoneId: string;
  trackId: string;
  transition: ZoneTransition;
  atMs: number;
  /** Predicted time until the entry, s; null unless the transition is `approach`. */
  etaS: number | null;
  because: ZoneEventCause;
  height: HeightBasis;
};
