import { batch, computed, effect } from '@preact/signals';
import type { Alert } from '../../model/alert.ts';
import { calls } from '../api/calls.ts';
import type { Store } from './store.ts';

/** Interval at which alerts of the live world are read while one is unacknowledged, ms. */
const ASKED_EVERY_MS = 10_000;

/** The continuing, unacknowledged alerts of the live world, while another world is shown. */
export function openLiveAlerts(store: Store): Alert[] {
  return store.liveAlerts.list().filter(({ state, acknowledged }) => state !== 'cleared' && acknowledged === null);
}

/**
 * Shows alerts of the live world while another world is shown. The stream of that world reports that a live alert was
 * raised or became worse, but not that it ended. The page therefore reads the live alerts of at least `warning` when
 * another world is first shown, and every 10 s while one is open (`openLiveAlerts`). Returns a function that ends this.
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
        store.liveAlerts.byId.clear();
        for (const alert of alerts)
          if (alert.severity === 'critical' || alert.severity === 'warning') store.liveAlerts.byId.set(alert.id, alert);
        store.liveAlerts.revision.value++;
      });
    } catch {
      // The link state shows that the daemon is not reachable. Later alerts come by the stream.
    }
  };
  const stop = effect(() => {
    if (otherEpoch.value !== null) void take(otherEpoch.value);
  });
  const timer = setInterval(() => {
    const epoch = otherEpoch.peek();
    if (epoch !== null && openLiveAlerts(store).length > 0) void take(epoch);
  }, ASKED_EVERY_MS);
  return () => {
    stop();
    clearInterval(timer);
  };
}
