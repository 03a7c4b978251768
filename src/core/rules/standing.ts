import type { AlertSeverity } from '../../model/firing.ts';
import { alertSeverities } from '../../model/zone.ts';
import type { TrackFacts, ZoneFact } from './facts.ts';

/** Confidence from which a track counts as a bird. */
const SURE_FROM = 0.8;

/** Whether telemetry proves the track a friend, or a person assigned it: then it raises no zone alarm. */
export function isSureFriend({
  affiliation,
  affiliationBasis,
}: Pick<TrackFacts, 'affiliation' | 'affiliationBasis'>): boolean {
  return affiliation === 'friend' && (affiliationBasis === 'telemetry' || affiliationBasis === 'assignment');
}

/** Trust that a track is ours: 0 for a stranger, 1 for a neutral or a friend by its own claim, 2 for a proven friend. */
export function trustOf(track: Pick<TrackFacts, 'affiliation' | 'affiliationBasis'>): 0 | 1 | 2 {
  if (isSureFriend(track)) return 2;
  return track.affiliation === 'friend' || track.affiliation === 'neutral' ? 1 : 0;
}

/** Whether the zone's alarm may be raised for this track. At a protected zone, its own claim alone makes no friend. */
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
