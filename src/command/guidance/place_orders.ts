import { mslOf } from '../../fleet/msl_position.ts';
import { CMD } from '../../fleet/verbs.ts';
import { Chart } from '../../geo/flat/chart.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { Flight } from './flight.ts';
import { claimPlaceMode, placeMode, repositionOf } from './reposition.ts';

/** Distance from the last ordered place below which a new place is not ordered, m. */
const SAME_PLACE_M = 0.5;
const SPEED_STEP_MPS = 1;
/** Time after which a place is ordered again to a vehicle that stands away from it, ms. */
const ORDERED_AGAIN_MS = 4_000;
/**
 * A later place of a task is sent to PX4 only if the last heartbeat is at most this old, ms: on PX4 every order of a
 * place also orders a mode.
 */
const RIGHT_BEHIND_MS = 300;
/** Number of consecutive orders, unanswered or not sent, after which the task ends. */
const MOST_SILENT = 3;

export type Circle = { middle: Geodetic; radiusM: number; clockwise: boolean };

/**
 * Orders the places of a task, and its speed. Only the first order changes the mode; on PX4 each order also contains
 * the mode. Later orders are sent only while the vehicle shows the mode of our last order and no target of another
 * station.
 */
export class PlaceOrders {
  readonly #flight: Flight;
  /** Place that was ordered last; null if none is. */
  ordered: Geodetic | null = null;
  #orderedMs = 0;
  #orderedSpeedMps: number | null = null;
  /**
   * True once the vehicle has accepted a place of this series of orders. The speed is ordered only then, because the
   * first place resets the vehicle's speed.
   */
  hasPlace = false;
  /** Reason with which the task ends, because a place was refused or `MOST_SILENT` was reached; else null. */
  refused: string | null = null;
  /** Number of the current series of orders. Orders of an earlier series are not repeated. */
  #series = 0;
  #silent = 0;

  constructor(flight: Flight) {
    this.#flight = flight;
  }

  get isInMode(): boolean {
    const { vehicle } = this.#flight;
    const mode = placeMode(vehicle);
    return mode === null || vehicle.isIn(mode);
  }

  /** Clears the record of the ordered target, and begins a new series of orders. No message is sent to the vehicle. */
  leave(): void {
    const { vehicle } = this.#flight;
    if (vehicle.sentTo?.to === this.ordered) vehicle.sentTo = null;
    this.ordered = null;
    this.#orderedSpeedMps = null;
    this.hasPlace = false;
    this.#series++;
  }

  /**
   * Orders the next place if it is new, or the speed if that changed. `standsSinceMs`: world time at which the vehicle
   * stopped away from its place, ms; null if it flies or is at its place.
   */
  async send(
    to: Geodetic,
    speedMps: number | null,
    circle: Circle | null,
    standsSinceMs: number | null,
  ): Promise<void> {
    const place = circle?.middle ?? to;
    if (this.ordered === null) {
      await claimPlaceMode(this.#flight);
      this.#order(place, speedMps, circle);
    } else if (this.#mayOrder() && this.#isDue(place, standsSinceMs)) this.#order(place, speedMps, circle);
    else this.#orderSpeed(speedMps);
  }

  #mayOrder(): boolean {
    const { vehicle } = this.#flight;
    if (!this.isInMode || vehicle.targets.isForeign) return false;
    return vehicle.autopilot !== 'px4' || this.#flight.nowMs() - vehicle.heartbeat.atMs <= RIGHT_BEHIND_MS;
  }

  #isDue(place: Geodetic, standsSinceMs: number | null): boolean {
    if (!this.ordered || apartM(this.ordered, place) >= SAME_PLACE_M) return true;
    const nowMs = this.#flight.nowMs();
    const stands = standsSinceMs !== null && nowMs - standsSinceMs >= ORDERED_AGAIN_MS;
    return stands && nowMs - this.#orderedMs >= ORDERED_AGAIN_MS;
  }

  #order(to: Geodetic, speedMps: number | null, circle: Circle | null): void {
    const { vehicle } = this.#flight;
    const nowMs = this.#flight.nowMs();
    this.ordered = to;
    this.#orderedMs = nowMs;
    vehicle.sentTo = { to, speedMps };
    const target = mslOf(to);
    const order = repositionOf(vehicle, target, { speedMps, ...(circle ?? {}) });
    const taken = vehicle.targets.order(target, nowMs);
    // The answer is not awaited: the next step follows after about 1 s in any case.
    const series = this.#series;
    const isWanted = (): boolean => this.#series === series;
    this.#flight.ask(order, undefined, isWanted).then(
      (answer) => {
        if (!isWanted()) return;
        if (answer.kind === 'accepted') {
          taken();
          this.#accepted(speedMps);
        } else if (answer.kind === 'refused') this.#refuse(answer.text);
        else if (answer.kind === 'silent') this.#count('the vehicle does not answer');
        else if (answer.kind === 'not_sent') this.#count(`the order could not be sent: ${answer.text}`);
      },
      () => {},
    );
  }

  #accepted(speedMps: number | null): void {
    this.#silent = 0;
    this.#flight.goOn();
    this.#flight.accepted();
    this.hasPlace = true;
    this.#orderSpeed(speedMps);
  }

  #refuse(text: string): void {
    const { vehicle } = this.#flight;
    const cause = this.#flight.fenceCause();
    // A vehicle that has left the mode refuses places. The task then ends because of the mode, in `fly.ts`.
    if (this.hasPlace && !this.isInMode) return;
    this.refused = `the vehicle was ordered to a place and ${text}${cause === null ? '' : `; ${cause}`}`;
    if (vehicle.sentTo?.to === this.ordered) vehicle.sentTo = null;
  }

  #count(why: string): void {
    this.#silent++;
    if (this.#silent >= MOST_SILENT) this.refused = why;
  }

  /** Orders the speed separately: ArduPilot ignores the speed in the order of a place. */
  #orderSpeed(speedMps: number | null): void {
    const { vehicle } = this.#flight;
    if (speedMps === null || vehicle.autopilot !== 'ardupilot' || !this.hasPlace) return;
    const mode = placeMode(vehicle);
    if (!mode || !this.isInMode || vehicle.targets.isForeign) return;
    if (this.#orderedSpeedMps !== null && Math.abs(this.#orderedSpeedMps - speedMps) < SPEED_STEP_MPS) return;
    this.#orderedSpeedMps = speedMps;
    const kind = vehicle.type === 'fixed_wing' ? 0 : 1;
    const params = [kind, speedMps, -1];
    this.#flight.ask({ command: CMD.doChangeSpeed, params, repeat: true, within: mode.customMode }).then(
      (answer) => {
        if (answer.kind !== 'accepted') this.#orderedSpeedMps = null;
      },
      () => {},
    );
  }
}

/** Returns the distance of two positions in space, m. */
export function apartM(a: Geodetic, b: Geodetic): number {
  return Math.hypot(...new Chart(a).spotOf(b), a.altHaeM - b.altHaeM);
}
