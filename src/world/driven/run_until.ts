import { setTimeout as pause } from 'node:timers/promises';
import type { Steps } from './pacer.ts';

/** Time of uninterrupted steps, and of the pause after them: the live world has precedence. */
const TURN_MS = 10;
const PAUSE_MS = 4;

/** Runs a driven world as fast as possible beside the live one, until a time or until `goesOn` is false. */
export async function runUntil(
  steps: Steps,
  toMs: number,
  goesOn: () => boolean,
  realMs: () => number = () => performance.now(),
): Promise<void> {
  let begunMs = realMs();
  while (steps.nowMs < toMs && goesOn()) {
    await steps.step();
    if (realMs() - begunMs < TURN_MS) continue;
    await pause(PAUSE_MS);
    begunMs = realMs();
  }
}
