import { randomUUID } from 'node:crypto';
import type { Clock } from '../host/clock.ts';
import type { Log } from '../host/journal.ts';
import type { PictureState } from '../picture/picture.ts';
import type { AlertStore } from '../store/alerts.ts';
import { AlertLog, type AlertLogDeps } from './alert_log.ts';
import { type CauseDeps, causeOf } from './cause.ts';

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
    causeOf: (alert) => causeOf(alert, { track: (id) => picture.track(id), sensors }),
  });
  held.restore(clock.nowMs());
  return held;
}
