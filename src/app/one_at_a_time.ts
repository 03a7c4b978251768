import { Fault } from '../model/fault.ts';

export type OneAtATime = <T>(trial: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs one trial at a time, because a trial needs much memory. The function throws
 * `rate_limited` while another trial runs. `what` names the trial in the refusal.
 */
export function oneAtATime(what = 'a dry run'): OneAtATime {
  let busy = false;
  return async (trial) => {
    if (busy) throw new Fault('rate_limited', `${what} is already running: try again when it has ended`);
    busy = true;
    try {
      return await trial();
    } finally {
      busy = false;
    }
  };
}
