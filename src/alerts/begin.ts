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

/** Services of the box that the alerts of a world need. Only simulated and replayed worlds have `driven`. */
type Box = { clock: Clock; log: Log; alerts: AlertStore; driven?: object };
/** Parts of the world that alerts need. */
type World = Pick<AlertLogDeps, 'timeText'> & {
  picture: PictureState;
  sensors: CauseDeps['sensors'];
  note: AlertLogDeps['log'];
};

/**
 * Creates the alerts of a world and publishes them in its picture. Call this after the tracks of an earlier run are
 * restored.
 */
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
      // `live_alert` reports alerts of the live world to consoles that show another world.
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
  /** Returns the state of a sensor; null if no sensor has this id. */
  sensors(id: string): SensorState | null;
};

/**
 * Returns the state of an alert's cause, from its sensor or its tracks. Without either, for example for an alert about
 * the site, the cause counts as `seen`.
 */
function causeOf({ subject, track_ids }: Pick<Alert, 'subject' | 'track_ids'>, deps: CauseDeps): Cause {
  if (subject.type === 'sensor') return causeOfSensor(deps.sensors(subject.id));
  if (track_ids.length === 0) return 'seen';
  const states = track_ids.flatMap((id) => deps.track(id)?.state ?? []);
  if (states.every((state) => state === 'closed')) return 'gone';
  return states.includes('confirmed') ? 'seen' : 'unseen';
}

/**
 * Returns the reason for the end of an alert that no rule reports any longer: one of its tracks is a friend (`friend`),
 * its tracks left (`left`), or its sensor or a subject without tracks recovered (`recovered`).
 */
function endOf({ subject, track_ids }: Pick<Alert, 'subject' | 'track_ids'>, deps: CauseDeps): ClearedReason {
  if (subject.type === 'sensor' || track_ids.length === 0) return 'recovered';
  return track_ids.some((id) => deps.track(id)?.affiliation === 'friend') ? 'friend' : 'left';
}

/**
 * Returns the state of a sensor as the cause of an alert. A sensor that is silent, faulty or without data since the
 * start may be dead as before, so it is `unseen`. A sensor that sends again, or is off, is `over`. A sensor that is not
 * declared counts as `seen`, because it may be declared later during the start.
 */
function causeOfSensor(state: SensorState | null): Cause {
  if (state === null) return 'seen';
  return state === 'unknown' || state === 'silent' || state === 'fault' ? 'unseen' : 'over';
}
