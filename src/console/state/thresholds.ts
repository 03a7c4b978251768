import { computed, effect, type Signal, signal } from '@preact/signals';
import type { DecisionConfig } from '../../model/decision_config.ts';
import { calls } from '../api/calls.ts';
import type { Store } from './store.ts';

/** Scores at which the levels of threats begin; null until the daemon has answered. */
export const thresholds: Signal<DecisionConfig['levels'] | null> = signal(null);

/** Reads the thresholds again when threats are scored under another policy. Returns a function that ends this. */
export function startThresholds(store: Store): () => void {
  const version = computed(() => {
    const [first] = store.threats.list();
    return first === undefined ? null : `${store.situation.value?.epoch} ${first.policy_version}`;
  });
  const read = async (): Promise<void> => {
    try {
      thresholds.value = (await calls.decisionConfig()).levels;
    } catch {
      // Without an answer, the list does not say that a level is about to fall.
    }
  };
  return effect(() => {
    if (version.value !== null) void read();
  });
}
