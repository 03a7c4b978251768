import { randomUUID } from 'node:crypto';
import type { Clock } from '../../host/clock.ts';
import type { Log } from '../../host/journal.ts';
import type { PictureState } from '../../picture/picture.ts';
import type { DeltaStream } from '../delta_stream.ts';
import type { Driven } from '../world_rim.ts';
import { AlertBook, type AlertBookRim } from './book.ts';
import { type CauseRim, causeOf } from './cause.ts';
import { type AlertKeeper, unkeptAlerts } from './keeper.ts';

/** What of the box a world's alerts need. */
type Box = { clock: Clock; log: Log; alerts?: AlertKeeper; driven?: Driven };
/** What of the world. */
type World = Pick<AlertBookRim, 'timeText'> & {
  picture: PictureState;
  stream: DeltaStream;
  sensors: CauseRim['sensors'];
  note: AlertBookRim['log'];
};

/** The alerts of a world, shown in its picture; call once the tracks of an earlier run are there again. */
export function beginAlerts(
  { clock, log, alerts, driven }: Box,
  { timeText, picture, stream, sensors, note }: World,
): AlertBook {
  const book = new AlertBook({
    keeper: alerts ?? unkeptAlerts,
    newId: randomUUID,
    timeText,
    tell(alert, kinds) {
      // What consoles sound on is of the live world alone: an exercise is none.
      for (const kind of kinds) if (kind !== 'live_alert' || !driven) picture.announce(kind, alert);
      stream.plan();
    },
    log: note,
    trouble: (sentence) => log.warn({}, sentence),
    causeOf: (alert) => causeOf(alert, { track: (id) => picture.track(id), sensors }),
  });
  picture.alerts = () => book.shown();
  book.restore(clock.nowMs());
  return book;
}
