import { Fault } from '../model/fault.ts';

export type OneAtATime = <T>(trial: () => Promise<T>) => Promise<T>;

/**
 * Limits trials to one at a time, because each needs much memory. Throws `rate_limited` while one runs; `what` begins
 * the sentence.
 */
export function oneAtATime(what = 'a dry run'): OneAtATime {
  let busy = false;
  return async (trial) => {
    if (busy) throw new Fault('rate_limited', `${what} is being made already: try again when it is done`);
    busy = true;
    try {
      return await trial();
    } finally {
      busy = false;
    }
  };
}
