import { setTimeout as pause } from 'node:timers/promises';
import type { Steps } from './pacer.ts';

/** So long at a time steps are made, one after the other; then the box is left alone for a while: the live world comes first. */
const TURN_MS = 10;
const PAUSE_MS = 4;

/** Lets time pass in a world as fast as the box can beside what guards the fence, until then or for as long as `goesOn` says. */
export async function hurry(
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
