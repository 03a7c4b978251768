import { randomUUID } from 'node:crypto';
import type { Clock } from '../../host/clock.ts';
import type { PictureState } from '../../picture/picture.ts';
import { AlertBook, type AlertBookRim } from './book.ts';

/** What a world gives its alerts. */
export type AlertParts = Pick<AlertBookRim, 'timeText' | 'log' | 'trouble' | 'keeper'> & {
  clock: Clock;
  picture: PictureState;
  /** Sees to it that what was told leaves soon. */
  plan(): void;
};

/** The alerts of a world, shown in its picture; call once the tracks of an earlier run are there again. */
export function beginAlerts({ picture, clock, plan, ...rim }: AlertParts): AlertBook {
  const book = new AlertBook({
    ...rim,
    newId: randomUUID,
    tell(alert, kinds) {
      for (const kind of kinds) picture.announce(kind, alert);
      plan();
    },
  });
  picture.alerts = () => book.shown();
  book.restore(clock.nowMs(), (id) => picture.track(id) !== undefined);
  return book;
}
