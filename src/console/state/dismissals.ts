import { effect } from '@preact/signals';
import type { DismissalEnd } from '../../model/threat.ts';
import type { Store } from './store.ts';

/**
 * Calls `onEnd` once for each dismissal that ends by itself while this page is open, with the number of the track. The
 * threat returns to its place in the list, perhaps while nobody looks at it. Returns a function that ends this.
 */
export function followDismissals(store: Store, onEnd: (trackNumber: string, ended: DismissalEnd) => void): () => void {
  let dismissed: ReadonlySet<string> = new Set();
  return effect(() => {
    const threats = store.threats.list();
    for (const { track_id, dismissal_ended: ended } of threats) {
      // Read without a subscription: a moving track changes nothing about its dismissal.
      const number = store.tracks.byId.get(track_id)?.number;
      if (ended && dismissed.has(track_id) && number !== undefined) onEnd(number, ended);
    }
    dismissed = new Set(threats.filter((one) => one.dismissed !== null).map(({ track_id }) => track_id));
  });
}
