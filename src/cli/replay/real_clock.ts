import { setTimeout as delay } from 'node:timers/promises';
import type { PlayClock } from './player.ts';

/** Timers take no more than 2^31 ms; the player asks again. */
const LONGEST_MS = 3_600_000;

export const realClock: PlayClock = {
  nowMs: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await delay(Math.min(ms, LONGEST_MS), undefined, signal === undefined ? {} : { signal });
    } catch (thrown) {
      if (!signal?.aborted) throw thrown;
    }
  },
};
