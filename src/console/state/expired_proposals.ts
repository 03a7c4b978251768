import { effect } from '@preact/signals';
import type { Store } from './store.ts';

/**
 * Calls `onExpired` once for each proposal that expires, with the number of its track; null for a closed track. The
 * card of the proposal disappears with the event, perhaps while nobody looks at it. Returns a function that ends this.
 */
export function followExpired(store: Store, onExpired: (trackNumber: string | null) => void): () => void {
  return effect(() => {
    const expired = store.expired.value;
    // Read without a subscription: a moving track would announce the same proposal again.
    if (expired !== null) onExpired(store.tracks.byId.get(expired.track_id)?.number ?? null);
  });
}
