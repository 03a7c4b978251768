import { type Signal, signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { store } from '../console.ts';
import { attempt } from './attempt.ts';
import { MOST_READ, type ReadLog, withNewest, withPage } from './log_rows.ts';

/** The log as read so far. */
export const readLog: Signal<ReadLog> = signal({ epoch: null, rows: [], isWhole: false });

/** Reads the newest page of the log. Without an answer, the log shows the rows that the page has. */
export async function readNewest(epoch: string | null): Promise<void> {
  try {
    const page = await calls.logBefore(null);
    if (store.situation.peek()?.epoch === epoch) readLog.value = withNewest(readLog.peek(), page, epoch);
  } catch {
    // The badge of the link says that the box does not answer.
  }
}

/** Limit of the pages that one wish of a person reads. */
const MOST_PAGES = 10;
let isReading = false;

/** Reads older pages until `isEnough`, or until there are none. */
export async function readOlder(epoch: string | null, isEnough: () => boolean): Promise<void> {
  if (isReading) return;
  isReading = true;
  try {
    for (let pages = 0; pages < MOST_PAGES && !isEnough(); pages++) {
      const { rows, isWhole, epoch: readEpoch } = readLog.peek();
      if (readEpoch !== epoch || isWhole || rows.length >= MOST_READ) return;
      const page = await attempt(() => calls.logBefore(justAfter(rows[0]?.at)));
      // The log can have begun anew meanwhile; then this page is not the one before it.
      if (page === null || readLog.peek().epoch !== epoch || readLog.peek().rows[0]?.id !== rows[0]?.id) return;
      readLog.value = { epoch, rows: withPage(readLog.peek().rows, page), isWhole: page.cursor === null };
    }
  } finally {
    isReading = false;
  }
}

/** Time 1 ms after `at`, so that other rows with the same time as the oldest known row are read too. */
const justAfter = (at: string | undefined): string | null =>
  at === undefined ? null : new Date(Date.parse(at) + 1).toISOString();
