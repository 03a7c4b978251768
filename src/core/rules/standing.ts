import type { AlertSeverity } from '../../model/firing.ts';
import { alertSeverities } from '../../model/zone.ts';
import type { TrackFacts, ZoneFact } from './facts.ts';

/** Confidence from which a track counts as a bird. */
const SURE_FROM = 0.8;

/**
 * Whether telemetry proves that the track is a friend, or a person assigned it to be one. Such a track raises no zone
 * alarm.
 */
export function isSureFriend({
  affiliation,
  affiliationBasis,
}: Pick<TrackFacts, 'affiliation' | 'affiliationBasis'>): boolean {
  return affiliation === 'friend' && (affiliationBasis === 'telemetry' || affiliationBasis === 'assignment');
}

/**
 * Returns the trust that a track is own or neutral. 0: unknown or hostile; 1: neutral, or a friend by its own claim
 * alone; 2: friend by telemetry or assignment.
 */
export function trustOf(track: Pick<TrackFacts, 'affiliation' | 'affiliationBasis'>): 0 | 1 | 2 {
  if (isSureFriend(track)) return 2;
  return track.affiliation === 'friend' || track.affiliation === 'neutral' ? 1 : 0;
}

/**
 * Whether the zone's alarm applies to this track: only in zones of the kinds `protected`, `warning` and `alert`, and
 * not to friends. In a protected zone, however, it applies to a friend that is identified by its own claim alone.
 */
export function concerns(zone: ZoneFact, track: TrackFacts): boolean {
  if (zone.kind !== 'protected' && zone.kind !== 'warning' && zone.kind !== 'alert') return false;
  return track.affiliation !== 'friend' || (zone.kind === 'protected' && !isSureFriend(track));
}

export function isBird({ classification }: TrackFacts): boolean {
  const [first] = classification;
  return first?.label === 'bird' && first.confidence >= SURE_FROM;
}

/**
 * Returns the severity of a rule's alert in a zone. It is the severity of the zone's alarm, moved by as many steps as
 * the rule's severity is above or below `warning`. Without a zone, it is the rule's severity.
 */
export function loudness(zone: ZoneFact | null, rule: AlertSeverity): AlertSeverity {
  if (zone === null) return rule;
  const shift = alertSeverities.indexOf(rule) - alertSeverities.indexOf('warning');
  const at = alertSeverities.indexOf(zone.alarm.severity) + shift;
  return alertSeverities[Math.min(alertSeverities.length - 1, Math.max(0, at))] ?? rule;
}

export function rankOf(severity: AlertSeverity): number {
  return alertSeverities.indexOf(severity);
}

/** Whether the track is in a protected area, or at most `withinM` away from one. */
export function isNear({ nearest }: TrackFacts, withinM: number): boolean {
  return nearest !== null && nearest.distanceM <= withinM;
}
