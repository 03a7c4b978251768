import { calls } from '../api/calls.ts';
import { words } from '../words/en.ts';
import { announce, attempt } from './attempt.ts';

/** Stops everything, and says what holds now: nothing else on the screen may change. */
export async function stopAll(): Promise<void> {
  const done = await attempt(calls.stopAll);
  if (done === null) return;
  const refused = done.platforms.flatMap(({ held, text }) => (held || text === null ? [] : [words.notHeld(text)]));
  const held = done.platforms.filter((one) => one.held).length;
  announce(words.stopped(held, done.engagements, done.tasks) + refused.join(''), 'assertive');
}
