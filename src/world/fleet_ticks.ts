import type { Fleet } from '../fleet/fleet.ts';

/** Interval at which the fleet sends requests, repeats and reports, ms. */
const TICK_MS = 100;
/** The same without a vehicle, ms: each tick wakes a box that may run on a battery. */
const EMPTY_TICK_MS = 500;

/** Ticks the fleet of the live world, seldom while no vehicle is known. */
export class FleetTicks {
  readonly #fleet: Fleet;
  #timer: NodeJS.Timeout;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
    this.#timer = this.#next();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #next(): NodeJS.Timeout {
    return setTimeout(() => this.#tick(), this.#fleet.isEmpty ? EMPTY_TICK_MS : TICK_MS);
  }

  #tick(): void {
    this.#timer = this.#next();
    this.#fleet.tick();
  }
}
