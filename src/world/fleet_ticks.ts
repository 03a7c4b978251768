import type { Fleet } from '../fleet/fleet.ts';

/** Interval of ticks while a vehicle is known, ms. Each tick sends the fleet's due requests, repeats and reports. */
const TICK_MS = 100;
/**
 * Interval of ticks while no vehicle is known, ms. It is longer because each tick wakes a machine that may run on a
 * battery.
 */
const EMPTY_TICK_MS = 500;

/** Calls `tick` of the live world's fleet at regular intervals. */
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
