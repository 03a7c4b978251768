import { setTimeout as pause } from 'node:timers/promises';
import type { Steps } from './pacer.ts';

/** Real time of uninterrupted steps, and of the pause after them, ms. The live world runs in the pauses. */
const TURN_MS = 10;
const PAUSE_MS = 4;

/**
 * Runs a driven world as fast as possible beside the live one. Ends at world time `toMs`, or once `goesOn` returns
 * false.
 */
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
