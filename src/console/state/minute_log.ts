import { type Signal, signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { attempt } from './attempt.ts';
import type { ShownRow } from './store.ts';

/** Log rows of one minute, read from the daemon. The page itself has only rows that arrived while it was open. */
export type MinuteLog = { minuteMs: number; epoch: string | null; rows: readonly ShownRow[] };

/** The rows of the chosen minute; null until the daemon has answered. */
export const minuteLog: Signal<MinuteLog | null> = signal(null);
let asked: string | null = null;

/** Reads the rows of a minute once for each choice. */
export async function readMinute(minuteMs: number, epoch: string | null): Promise<void> {
  const key = `${minuteMs} ${epoch}`;
  if (asked === key) return;
  asked = key;
  const rows = await attempt(() => calls.logOfMinute(minuteMs));
  if (asked !== key) return;
  if (rows === null) asked = null;
  else minuteLog.value = { minuteMs, epoch, rows: rows.toReversed() };
}

/** Forgets the minute, so that its rows are read anew when it is chosen again. */
export function forgetMinute(): void {
  asked = null;
  minuteLog.value = null;
}
