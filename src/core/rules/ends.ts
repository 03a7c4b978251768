import type { ClearedReason } from '../../model/alert.ts';
import type { Subject } from './episode.ts';
import type { Evaluation, Finder } from './evaluation.ts';
import { trustOf } from './standing.ts';

/**
 * Returns why a rule no longer holds for a subject (a track or sensor) that this evaluation did not match. The first
 * reason that applies counts.
 */
export function endOf(
  subject: Pick<Subject, 'id' | 'order' | 'evaluation' | 'trust'>,
  zoneId: string | null,
  finder: Finder,
  changedAt: number,
  look: Evaluation,
): ClearedReason {
  if (subject.order < 0) return endOfSensor(subject.id, look);
  const track = look.find(subject.id);
  if (!track || track.state === 'lost' || track.state === 'closed') return 'lost';
  if (track.dismissed && !finder.evenDismissed) return 'dismissed';
  if (zoneId !== null && look.zoneIds?.has(zoneId) === false) return 'zone_removed';
  if (subject.evaluation === changedAt) return 'rule_changed';
  if (trustOf(track) > subject.trust) return 'friend';
  return finder.ends?.(track, track.zones.find(({ id }) => id === zoneId)?.inside === true) ?? 'left';
}

/**
 * Returns the reason for the end of a sensor's alert: `dismissed` if a person turned off or removed the sensor, else
 * `recovered`.
 */
function endOfSensor(sensorId: string, { sensors }: Evaluation): ClearedReason {
  const sensor = sensors.find(({ id }) => id === sensorId);
  return sensor === undefined || sensor.state === 'off' ? 'dismissed' : 'recovered';
}

const sentences: Record<Exclude<ClearedReason, 'left' | 'recovered'>, string> = {
  friend: 'the alert is over, because the aircraft is now known as friend or neutral.',
  lost: 'the alert is over, because the track is lost.',
  dismissed: 'the alert is over, because a person dismissed it.',
  rule_changed: 'the rule or its zone was changed.',
  zone_removed: 'the zone is no longer active.',
  merged: 'now part of another alert.',
};

/** Text for the end of an alert. The rule gives the texts for `left` and `recovered`. */
export function endText(label: string, because: ClearedReason, finder: Pick<Finder, 'over'>): string {
  return because === 'left' || because === 'recovered'
    ? finder.over(label, because)
    : `${label}: ${sentences[because]}`;
}
