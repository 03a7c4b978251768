import { type Act, whyNot } from './state/can.ts';
import { WorldClock } from './state/clock.ts';
import { session } from './state/session.ts';
import { Store } from './state/store.ts';

/** The picture and the clock of this page; there is one of each. */
export const store = new Store();
export const clock = new WorldClock();

/** Reason why an act is not permitted now, or null. It subscribes to all signals that it depends on. */
export function forbidden(act: Act): string | null {
  return whyNot(act, {
    link: store.link.value.state,
    role: session.value.role,
    mode: store.situation.value?.mode ?? 'live',
    isNamed: session.value.name !== null,
  });
}
