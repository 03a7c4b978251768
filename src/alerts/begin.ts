import { randomUUID } from 'node:crypto';
import type { Clock } from '../host/clock.ts';
import type { Log } from '../host/journal.ts';
import type { Alert, ClearedReason } from '../model/alert.ts';
import type { SensorState } from '../model/sensor.ts';
import type { Track } from '../model/track.ts';
import type { PictureState } from '../picture/picture.ts';
import type { AlertStore } from '../store/alerts.ts';
import { AlertLog } from './alert_log.ts';
import type { AlertLogDeps, Cause } from './deps.ts';

/** Parts of the box that the alerts of a world need. */
type Box = { clock: Clock; log: Log; alerts: AlertStore; driven?: object };
/** Parts of the world that alerts need. */
type World = Pick<AlertLogDeps, 'timeText'> & {
  picture: PictureState;
  sensors: CauseDeps['sensors'];
  note: AlertLogDeps['log'];
};

/** The alerts of a world, shown in its picture; call once the tracks of an earlier run are there again. */
export function beginAlerts(
  { clock, log, alerts, driven }: Box,
  { timeText, picture, sensors, note }: World,
): AlertLog {
  const cause = { track: (id: string) => picture.track(id), sensors };
  const held = new AlertLog({
    store: alerts,
    newId: randomUUID,
    timeText,
    publish(alert, kinds) {
      // Consoles sound for the live world alone, never for an exercise.
      for (const kind of kinds) if (kind !== 'live_alert' || !driven) picture.alert(kind, alert);
    },
    log: note,
    trouble: (sentence) => log.warn({}, sentence),
    causeOf: (alert) => causeOf(alert, cause),
    endOf: (alert) => endOf(alert, cause),
  });
  held.restore(clock.nowMs());
  return held;
}

type CauseDeps = {
  track(id: string): Pick<Track, 'state' | 'affiliation'> | undefined;
  /** The state of a sensor; null where there is none of this id. */
  sensors(id: string): SensorState | null;
};

/** Present state of an alert's cause, by its tracks or its sensor. Causes in a zone or the site are always visible. */
function causeOf({ subject, track_ids }: Pick<Alert, 'subject' | 'track_ids'>, deps: CauseDeps): Cause {
  if (subject.type === 'sensor') return causeOfSensor(deps.sensors(subject.id));
  if (track_ids.length === 0) return 'seen';
  const states = track_ids.flatMap((id) => deps.track(id)?.state ?? []);
  if (states.every((state) => state === 'closed')) return 'gone';
  return states.includes('confirmed') ? 'seen' : 'unseen';
}

/** Reason why no rule reports an alert any more: its tracks are friends by now, or have left. */
function endOf({ subject, track_ids }: Pick<Alert, 'subject' | 'track_ids'>, deps: CauseDeps): ClearedReason {
  if (subject.type === 'sensor' || track_ids.length === 0) return 'recovered';
  return track_ids.some((id) => deps.track(id)?.affiliation === 'friend') ? 'friend' : 'left';
}

/**
 * A sensor of which nothing was received yet may still be dead: only one that is received again, or turned off, is well.
 * One that is not declared may be declared in a moment, where the service has just started.
 */
function causeOfSensor(state: SensorState | null): Cause {
  if (state === null) return 'seen';
  return state === 'unknown' || state === 'silent' || state === 'fault' ? 'unseen' : 'over';
}
