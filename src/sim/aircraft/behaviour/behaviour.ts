import type { Air } from '../flight/air.ts';

/**
 * A pilot's aim for a while: writes the next wish of body `i`, and returns true once nothing is left to do. Reads other
 * bodies as they were before this step.
 */
export type Behaviour = (air: Air, i: number, atS: number) => boolean;

/** Offset of one member of a formation from the point at which all aim. */
export type Shift = { eastM: number; northM: number; upM: number };

export const NO_SHIFT: Shift = { eastM: 0, northM: 0, upM: 0 };
