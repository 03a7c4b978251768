import { computed, effect, type Signal, signal } from '@preact/signals';
import { calls } from '../api/calls.ts';
import type { ShownRow, Store } from './store.ts';

/** Log rows from before the page was opened, for the timeline; `epoch` is the epoch of their world. */
export const earlierRows: Signal<{ epoch: string | null; rows: readonly ShownRow[] }> = signal({
  epoch: null,
  rows: [],
});

/** Limit of the alerts that are read, in addition to the newest page of the log. */
const MOST_ALERTS = 200;

/**
 * Reads the raised alerts and the newest page of the log of each shown world once. Without them, the timeline of a page
 * that was loaded again would look as if nothing had happened. Returns a function that ends this.
 */
export function startEarlierRows(store: Store): () => void {
  const epoch = computed(() => store.situation.value?.epoch ?? null);
  const read = async (asked: string): Promise<void> => {
    try {
      const [alerts, page] = await Promise.all([calls.logOf('alert.raised', MOST_ALERTS), calls.logBefore(null)]);
      if (epoch.peek() === asked) earlierRows.value = { epoch: asked, rows: [...alerts, ...page.rows] };
    } catch {
      // Without an answer, the timeline begins when the page was opened.
    }
  };
  return effect(() => {
    if (epoch.value !== null) void read(epoch.value);
  });
}
