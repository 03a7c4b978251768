import { batch, computed, effect } from '@preact/signals';
import { calls } from '../api/calls.ts';
import type { Store } from './store.ts';

/**
 * Keeps alerts of the live world in sight while another world is shown. Their events reach only those who watch then: a page
 * that opens later, or leaves the live world with alerts that nobody has seen, asks for them. Returns how to stop.
 */
export function startLiveAlerts(store: Store): () => void {
  const otherEpoch = computed(() => {
    const now = store.situation.value;
    return now === null || now.mode === 'live' ? null : now.epoch;
  });
  const take = async (epoch: string): Promise<void> => {
    try {
      const { alerts } = await calls.livePicture();
      if (otherEpoch.peek() !== epoch) return;
      batch(() => {
        for (const alert of alerts)
          if (alert.severity === 'critical' || alert.severity === 'warning') store.liveAlerts.byId.set(alert.id, alert);
        store.liveAlerts.revision.value++;
      });
    } catch {
      // A box that is away says so through the link; its next alerts come by the stream.
    }
  };
  return effect(() => {
    if (otherEpoch.value !== null) void take(otherEpoch.value);
  });
}
