import type { Geodetic } from '../../geo/position.ts';
import type { ScenarioActor } from '../../model/scenario.ts';

/**
 * True position and motion of one object, in the local axes at its position. `id` is the actor's id. If the actor has
 * several objects, a hyphen and a number follow (`swarm-3`). `visible` is false before the object appears, after it
 * leaves, and while it is hidden.
 */
export type TruePlace = Geodetic & {
  id: string;
  kind: ScenarioActor['kind'];
  eastMps: number;
  northMps: number;
  upMps: number;
  airborne: boolean;
  visible: boolean;
};

/** True if a tracker must follow an object: the object flies, is visible, and is neither a bird nor of a spoofer. */
export function isToBeFollowed({ kind, airborne, visible }: TruePlace): boolean {
  return airborne && visible && kind !== 'bird' && kind !== 'spoofer';
}

/**
 * True if an object is real but need not be followed: a hidden object, one on the ground, or a bird. Objects of a
 * spoofer are left out.
 */
export function isBeside(place: TruePlace): boolean {
  return place.kind !== 'spoofer' && !isToBeFollowed(place);
}
