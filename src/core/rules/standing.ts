import type { AlertSeverity } from '../../model/firing.ts';
import { alertSeverities } from '../../model/zone.ts';
import type { TrackFacts, ZoneFact } from './facts.ts';

/** Confidence from which a track counts as a bird. */
const SURE_FROM = 0.8;

/** A friend that proved itself or that a person vouches for: no zone alarm is raised of it. */
export function isSureFriend({
  affiliation,
  affiliationBasis,
}: Pick<TrackFacts, 'affiliation' | 'affiliationBasis'>): boolean {
  return affiliation === 'friend' && (affiliationBasis === 'telemetry' || affiliationBasis === 'assignment');
}

/** Greater is more certainly ours: a stranger, a friend by its own word or a neutral, a friend that is borne out. */
export function trustOf(track: Pick<TrackFacts, 'affiliation' | 'affiliationBasis'>): 0 | 1 | 2 {
  if (isSureFriend(track)) return 2;
  return track.affiliation === 'friend' || track.affiliation === 'neutral' ? 1 : 0;
}

/** Whether its alarm may be raised of this track: a friend by its own word is no friend to a protected zone. */
export function concerns(zone: ZoneFact, track: TrackFacts): boolean {
  if (zone.kind !== 'protected' && zone.kind !== 'warning' && zone.kind !== 'alert') return false;
  return track.affiliation !== 'friend' || (zone.kind === 'protected' && !isSureFriend(track));
}

export function isBird({ classification }: TrackFacts): boolean {
  const [first] = classification;
  return first?.label === 'bird' && first.confidence >= SURE_FROM;
}

/** Alert severity of a rule in a zone: the zone's severity, shifted by the rule's distance from `warning`. */
export function loudness(zone: ZoneFact | null, rule: AlertSeverity): AlertSeverity {
  if (zone === null) return rule;
  const shift = alertSeverities.indexOf(rule) - alertSeverities.indexOf('warning');
  const at = alertSeverities.indexOf(zone.alarm.severity) + shift;
  return alertSeverities[Math.min(alertSeverities.length - 1, Math.max(0, at))] ?? rule;
}

export function rankOf(severity: AlertSeverity): number {
  return alertSeverities.indexOf(severity);
}

/** Whether the track is in a protected area, or within `withinM` of one. */
export function isNear({ nearest }: TrackFacts, withinM: number): boolean {
  return nearest !== null && nearest.distanceM <= withinM;
}
