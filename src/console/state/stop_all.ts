import { calls } from '../api/calls.ts';
import { words } from '../words/en.ts';
import { announce, attempt } from './attempt.ts';

/** Stops everything, and announces the result, because the rest of the screen may look as before. */
export async function stopAll(): Promise<void> {
  const done = await attempt(calls.stopAll, words.stopNotConfirmed);
  if (done === null) return;
  const refused = done.platforms.flatMap(({ held, text }) => (held || text === null ? [] : [words.notHeld(text)]));
  const held = done.platforms.filter((one) => one.held).length;
  announce(words.stopped(held, done.engagements, done.tasks) + refused.join(''), 'assertive');
}
