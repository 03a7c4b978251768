import type { Severity } from '../model/event.ts';
import { type ThreatLevel, threatLevels } from '../model/posture.ts';
import type { Threat } from '../model/threat.ts';
import type { PictureState } from '../picture/picture.ts';
import type { EventLog } from './event_log.ts';

const severityOf: Record<ThreatLevel, Severity> = {
  none: 'info',
  low: 'info',
  medium: 'notice',
  high: 'warning',
  critical: 'critical',
};

/** Logs a changed threat level of a track. */
export function logThreatLevel(events: EventLog, picture: PictureState, threat: Threat, was: ThreatLevel): void {
  const track = picture.track(threat.track_id);
  if (!track || track.state === 'tentative') return;
  const { level, score, factors, policy_version } = threat;
  const rises = threatLevels.indexOf(level) > threatLevels.indexOf(was);
  // Readers of the log must not learn positions of pilots, so `operator_near` is left out. A factor with negative
  // points does not explain a rise.
  const first = factors.find(({ id, contribution }) => id !== 'operator_near' && contribution > 0);
  const why = rises && first ? `: ${first.text}` : '';
  const text = `the threat level of ${track.number} is ${level} (before: ${was})${why}`;
  const main = factors.slice(0, 5).map(({ id, contribution }) => ({ id, contribution }));
  const change = { before: { level: was }, after: { level, score, factors: main }, policy_version };
  const subject = { type: 'track', id: track.id, label: track.number };
  events.write('threat.level', rises ? severityOf[level] : 'info', text, subject, change);
}
