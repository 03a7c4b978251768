import type { Geodetic } from '../../geo/position.ts';
import type { ScenarioActor } from '../../model/scenario.ts';

/**
 * True position and motion of one object, in the local axes there. `id` is its actor's; one of many has a number behind it
 * (`swarm-3`). `visible` is false before it appears, after it leaves, and while it is hidden.
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

/** Flying and visible objects have to be followed, except birds. */
export function isToBeFollowed({ kind, airborne, visible }: TruePlace): boolean {
  return airborne && visible && kind !== 'bird' && kind !== 'spoofer';
}

/**
 * Real objects that need not be followed: hidden, on the ground, or birds. An object that a spoofer invents is not
 * real.
 */
export function isBeside(place: TruePlace): boolean {
  return place.kind !== 'spoofer' && !isToBeFollowed(place);
}
