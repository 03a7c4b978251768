import { batch, computed, effect } from '@preact/signals';
import type { Alert } from '../../model/alert.ts';
import { calls } from '../api/calls.ts';
import type { Store } from './store.ts';

/** Interval at which alerts of the live world are asked for while one of them waits for a person, ms. */
const ASKED_EVERY_MS = 10_000;

/** The alerts of the live world that a person has not seen while another world is shown. */
export function openLiveAlerts(store: Store): Alert[] {
  return store.liveAlerts.list().filter(({ state, acknowledged }) => state !== 'cleared' && acknowledged === null);
}

/**
 * Keeps alerts of the live world in sight while another world is shown. The stream reports there that one was raised or got
 * worse, and nothing of its end: the page asks for them when it opens, when it leaves the live world, and while one waits.
 * Returns how to stop.
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
      // A box that is away says so through the link; its next alerts come by the stream.
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
