import { effect } from '@preact/signals';
import type { Store } from './store.ts';

/**
 * Calls `onBack` with the name of each sensor that works again after it was silent or faulty. Its alert disappears with
 * this, perhaps while nobody looks at it. Returns a function that ends this.
 */
export function followSensors(store: Store, onBack: (name: string) => void): () => void {
  let dead: ReadonlySet<string> = new Set();
  let epoch: string | undefined;
  return effect(() => {
    const sensors = store.sensors.list();
    const shown = store.situation.peek()?.epoch;
    const isSameWorld = shown === epoch;
    epoch = shown;
    for (const { id, name, state } of sensors) if (isSameWorld && state === 'operational' && dead.has(id)) onBack(name);
    dead = new Set(sensors.filter(({ state }) => state === 'silent' || state === 'fault').map(({ id }) => id));
  });
}
