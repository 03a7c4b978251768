import type { Air } from '../flight/air.ts';

/** What somebody who flies does for a while. */
export type Behaviour = {
  /** Writes what body `i` wishes next; true once there is no more to do. Reads the others as they were before this step. */
  steer(air: Air, i: number, atS: number): boolean;
};

/** How far from where everybody of its formation aims this one aims. */
export type Shift = { eastM: number; northM: number; upM: number };

export const NO_SHIFT: Shift = { eastM: 0, northM: 0, upM: 0 };
