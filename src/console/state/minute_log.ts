import { type Signal, signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { attempt } from './attempt.ts';
import type { ShownRow } from './store.ts';

/** Rows of the log of a minute as the box has them: the page knows only those that arrived while it was open. */
export type MinuteLog = { minuteMs: number; epoch: string | null; rows: readonly ShownRow[] };

/** The rows of the chosen minute; null until the box has answered. */
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

/** Forgets the minute, so that another choice of it reads it anew. */
export function forgetMinute(): void {
  asked = null;
  minuteLog.value = null;
}
