import { type Signal, signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { attempt } from './attempt.ts';
import type { SilenceRow } from './silences.ts';

/** Rows of each kind that are read at once. */
const MOST = 200;

/** Rows about silences that the box had when Health was opened; `epoch` is that of their world. */
export const readSilences: Signal<{ epoch: string | null; rows: readonly SilenceRow[] }> = signal({
  epoch: null,
  rows: [],
});

/** Reads the latest silences and their ends from the box. */
export async function readPastSilences(epoch: string | null): Promise<void> {
  const kinds = ['sensor.silent', 'sensor.heard', 'sensor.not_silent'] as const;
  const lists = await attempt(() => Promise.all(kinds.map((kind) => calls.logOf(kind, MOST))));
  if (lists !== null) readSilences.value = { epoch, rows: lists.flat() };
}
