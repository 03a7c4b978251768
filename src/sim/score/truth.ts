import type { Geodetic } from '../../geo/position.ts';
import type { ScenarioActor } from '../../model/scenario.ts';

/**
 * True position and motion of one object, in the local axes there. `id` is the actor's, followed by a number where the
 * actor has several objects (`swarm-3`). `visible` is false before the object appears, after it leaves, and while it is
 * hidden.
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

/** Whether a tracker must follow an object: it flies, is visible, and is no bird. */
export function isToBeFollowed({ kind, airborne, visible }: TruePlace): boolean {
  return airborne && visible && kind !== 'bird' && kind !== 'spoofer';
}

/**
 * Whether an object is real but need not be followed: it is hidden, on the ground, or a bird. Objects that a spoofer
 * invents are not real.
 */
export function isBeside(place: TruePlace): boolean {
  return place.kind !== 'spoofer' && !isToBeFollowed(place);
}
