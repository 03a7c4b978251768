import { type Signal, signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { attempt } from './attempt.ts';
import type { SilenceRow } from './silences.ts';

/** Limit of the log rows of each kind in one answer. */
const MOST = 200;

/** Log rows about silent sensors, read when the Health panel was opened; `epoch` is the epoch of their world. */
export const readSilences: Signal<{ epoch: string | null; rows: readonly SilenceRow[] }> = signal({
  epoch: null,
  rows: [],
});

/** Reads the latest silences of sensors, and their ends, from the daemon. */
export async function readPastSilences(epoch: string | null): Promise<void> {
  const kinds = ['sensor.silent', 'sensor.heard', 'sensor.not_silent'] as const;
  const lists = await attempt(() => Promise.all(kinds.map((kind) => calls.logOf(kind, MOST))));
  if (lists !== null) readSilences.value = { epoch, rows: lists.flat() };
}
