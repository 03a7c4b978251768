import type { actorKinds } from '../../../model/scenario.ts';

/**
 * Where something really is, as the engine says: `id` is its actor's, of one of many the actor's with a number behind it
 * (`swarm-3`). `airborne` is false of what is not in the air yet, or no more; `visible` of what no sensor can see now.
 */
export type TruePlace = {
  id: string;
  kind: (typeof actorKinds)[number];
  lat: number;
  lon: number;
  altHaeM: number;
  eastMps: number;
  northMps: number;
  upMps: number;
  airborne: boolean;
  visible: boolean;
};

/** It has to be followed: it flies, sensors can see it, and somebody wants to know of it, which nobody does of birds. */
export function isToBeFollowed({ kind, airborne, visible }: TruePlace): boolean {
  return airborne && visible && kind !== 'bird' && kind !== 'spoofer';
}

/** It is there, though nobody need follow it: hidden, on the ground, a bird. Of what a spoofer invents nothing is there. */
export function isBeside(place: TruePlace): boolean {
  return place.kind !== 'spoofer' && !isToBeFollowed(place);
}
