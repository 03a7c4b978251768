import { computed, effect } from '@preact/signals';
import { calls } from '../api/calls.ts';
import { stoppedAtOf } from './movements.ts';
import type { Store } from './store.ts';

/**
 * Reads from the log whether everything is stopped, for a page that was opened after the stop. The stream reports later
 * stops. Returns a function that ends this.
 */
export function startStopped(store: Store): () => void {
  const epoch = computed(() => (store.situation.value?.mode === 'replay' ? null : store.situation.value?.epoch));
  const read = async (asked: string): Promise<void> => {
    try {
      const [stops, approvals, automatic, orders] = await Promise.all([
        calls.logOf('engagement.stop_all', 1),
        calls.logOf('plan.approved', 1),
        calls.logOf('plan.automatic', 1),
        calls.logOf('command.created', 100),
      ]);
      if (epoch.peek() !== asked) return;
      store.stoppedAt.value ??= stoppedAtOf(stops, [...approvals, ...automatic], orders);
    } catch {
      // Without an answer, only stops that the stream reports are shown.
    }
  };
  return effect(() => {
    if (epoch.value) void read(epoch.value);
  });
}
