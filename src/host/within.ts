import { Fault } from '../model/fault.ts';
import type { Timers } from './timers.ts';

/**
 * Runs `work` and rejects with an `unavailable` Fault where it has not ended after `timeoutMs`. The work itself cannot
 * be stopped; how it ends after all is told to `late`.
 */
export function within(
  work: () => void | Promise<void>,
  timeoutMs: number,
  timers: Timers,
  late: (outcome: 'done' | 'failed') => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    const cancel = timers.after(timeoutMs, () => {
      over = true;
      reject(new Fault('unavailable', `it took longer than ${Math.round(timeoutMs)} ms`));
    });
    const end = (outcome: 'done' | 'failed', settle: () => void): void => {
      cancel();
      if (over) late(outcome);
      else settle();
    };
    // Deferring through a promise turns a synchronous throw into a rejection; the call itself is made at once.
    new Promise<void>((settle) => settle(work())).then(
      () => end('done', resolve),
      (error: unknown) => end('failed', () => reject(error)),
    );
  });
}
