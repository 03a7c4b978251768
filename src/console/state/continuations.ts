import { effect } from '@preact/signals';
import type { Track } from '../../model/track.ts';
import { clock, store } from '../console.ts';
import { namedSuccessor, Successors } from './successors.ts';

const successors = new Successors();

/** Decides once a second which track perhaps continues a lost one. Returns a function that ends this. */
export function startContinuations(): () => void {
  return effect(() => {
    void clock.second.value;
    successors.look([...store.tracks.byId.values()]);
  });
}

/** The track that perhaps continues a lost or closed one: by its name, else by its place. */
export function continuation(lost: Track): Track | null {
  if (lost.state !== 'lost') return null;
  return namedSuccessor(lost, store.tracks.list()) ?? store.tracks.get(successors.of(lost.id)) ?? null;
}

/** The lost track that a track perhaps continues. */
export function continuedBy(track: Track): Track | null {
  const lost = store.tracks.get(successors.before(track.id));
  return lost?.state === 'lost' ? lost : null;
}
