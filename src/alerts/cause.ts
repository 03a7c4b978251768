import type { Alert } from '../model/alert.ts';
import type { SensorState } from '../model/sensor.ts';
import type { Track } from '../model/track.ts';
import type { Cause } from './alert_log.ts';

export type CauseDeps = {
  track(id: string): Pick<Track, 'state'> | undefined;
  /** The state of a sensor; null where there is none of this id. */
  sensors(id: string): SensorState | null;
};

/** Present state of an alert's cause, by its tracks or its sensor. Causes in a zone or the site are always visible. */
export function causeOf({ subject, track_ids }: Pick<Alert, 'subject' | 'track_ids'>, deps: CauseDeps): Cause {
  if (subject.type === 'sensor') return causeOfSensor(deps.sensors(subject.id));
  if (track_ids.length === 0) return 'seen';
  const states = track_ids.flatMap((id) => deps.track(id)?.state ?? []);
  if (states.every((state) => state === 'closed')) return 'gone';
  return states.includes('confirmed') ? 'seen' : 'unseen';
}

/**
 * A sensor of which nothing was received yet may still be dead: only one that is received again, or turned off, is well.
 * One that is not declared may be declared in a moment, where the service has just started.
 */
function causeOfSensor(state: SensorState | null): Cause {
  if (state === null) return 'seen';
  return state === 'unknown' || state === 'silent' || state === 'fault' ? 'unseen' : 'over';
}
