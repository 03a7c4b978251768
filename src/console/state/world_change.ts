import { effect } from '@preact/signals';
import type { Situation, Store } from './store.ts';
import { chosenMinute } from './timeline.ts';

type World = Pick<Situation, 'epoch' | 'mode'> & { scenarioId: string | null };

/**
 * Follows the shown world. A chosen minute belongs to one world, so another world clears it. `onAgain` is called where
 * a scenario begins again, since its clock then goes back. Returns a function that ends this.
 */
export function followWorlds(store: Store, onAgain: () => void): () => void {
  let shown: World | null = null;
  return effect(() => {
    const now = store.situation.value;
    if (now === null || now.epoch === shown?.epoch) return;
    const { epoch, mode, sim } = now;
    const before = shown;
    shown = { epoch, mode, scenarioId: sim.scenario_id };
    if (before === null) return;
    chosenMinute.value = null;
    const isPlayed = before.mode === 'sim' && mode === 'sim';
    if (isPlayed && before.scenarioId !== null && before.scenarioId === sim.scenario_id) onAgain();
  });
}
