import type { Test } from 'tap';
import { until as untilWithin } from '../daemon/daemon.ts';
import { emulator } from '../references/emulator.ts';

/** An emulated processor takes so many times as long. */
const SLOWER = emulator.length === 0 ? 1 : 12;

/** Gives a file of tests more time than the runner's default: `t` is its top one. The runner reads the comment. */
export function takeTime(t: Test, seconds: number): void {
  // Files that share a process share the time that the runner gave to all of them.
  if (process.env.TAP_BATCH !== undefined) return;
  t.setTimeout(seconds * 1_000 * SLOWER);
  t.comment(`timeout=${seconds * 1_000 * SLOWER}`);
}

/**
 * Marks a file of tests for `scripts/test --full` and for its name: it repeats at length, or in more variants, what shorter
 * files show. The runner reads the call.
 */
export function onlyInFull(t: Test): void {
  t.comment('only in the full run');
}

/** Asks again until there is an answer, for as long as a starved machine may need for what takes a moment. */
export function until<T>(
  ask: () => Promise<T | null | undefined | false>,
  what: string,
  withinMs = 60_000,
): Promise<T> {
  return untilWithin(ask, what, withinMs);
}
