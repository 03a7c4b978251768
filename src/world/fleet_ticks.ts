import type { Fleet } from '../fleet/fleet.ts';
import { pulse } from '../host/pulse.ts';

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
  #cancel: () => void;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
    this.#cancel = this.#next();
  }

  stop(): void {
    this.#cancel();
  }

  #next(): () => void {
    return pulse.once(this.#fleet.isEmpty ? EMPTY_TICK_MS : TICK_MS, () => this.#tick());
  }

  #tick(): void {
    this.#cancel = this.#next();
    this.#fleet.tick();
  }
}
