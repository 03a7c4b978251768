import type { Air } from '../flight/air.ts';

/**
 * One part of a pilot's plan. Each call sets the wished velocity of body `i`, and returns true once the part is
 * complete. It reads the states that other bodies had before this step.
 */
export type Behaviour = (air: Air, i: number, atS: number) => boolean;

/** Offset of one member of a formation or swarm from the common target, m. */
export type Shift = { eastM: number; northM: number; upM: number };

export const NO_SHIFT: Shift = { eastM: 0, northM: 0, upM: 0 };
