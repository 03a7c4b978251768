import { mslOf } from '../../fleet/msl_position.ts';
import { CMD } from '../../fleet/verbs.ts';
import { Chart } from '../../geo/flat/chart.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { Flight } from './flight.ts';
import { claimPlaceMode, placeMode, repositionOf } from './reposition.ts';

/** A place this near to the one ordered last is not ordered again. */
const SAME_PLACE_M = 0.5;
const SPEED_STEP_MPS = 1;
/** Time after which a place is ordered again to a vehicle that stands elsewhere, ms. */
const ORDERED_AGAIN_MS = 4_000;
/** PX4 takes places only by orders of a mode: each is sent right behind a heartbeat. */
const RIGHT_BEHIND_MS = 300;
/** Orders in a row that a vehicle may leave unanswered, or a link may not send. */
const MOST_SILENT = 3;

export type Circle = { middle: Geodetic; radiusM: number; clockwise: boolean };

/**
 * Orders the places of a task, and the speed. Orders after the first do not change the mode. They are sent only while
 * the vehicle shows the mode of our last order and no target of another station.
 */
export class PlaceOrders {
  readonly #flight: Flight;
  /** The place ordered last. */
  ordered: Geodetic | null = null;
  #orderedMs = 0;
  #orderedSpeedMps: number | null = null;
  /** The vehicle accepted a place since it began to fly to places: with the first place it forgets its speed. */
  hasPlace = false;
  /** Reason why the vehicle took no place: refusal, silence or failed sending. The task ends with it. */
  refused: string | null = null;
  /** Orders of before are not sent again. */
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

  /** Withdraws the ordered target from the vehicle. */
  leave(): void {
    const { vehicle } = this.#flight;
    if (vehicle.sentTo?.to === this.ordered) vehicle.sentTo = null;
    this.ordered = null;
    this.#orderedSpeedMps = null;
    this.hasPlace = false;
    this.#series++;
  }

  /** Orders where to go next. `standsSinceMs` says since when it stands although it is not there. */
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
    // Not waited for: the next place is ordered in a second whatever became of this one.
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
        else if (answer.kind === 'not_sent') this.#count(`it could not be sent: ${answer.text}`);
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
    // A vehicle that has left the mode refuses places; its heartbeat will say so.
    if (this.hasPlace && !this.isInMode) return;
    this.refused = `it was ordered to a place and ${text}${cause === null ? '' : `; ${cause}`}`;
    if (vehicle.sentTo?.to === this.ordered) vehicle.sentTo = null;
  }

  #count(why: string): void {
    this.#silent++;
    if (this.#silent >= MOST_SILENT) this.refused = why;
  }

  /** ArduPilot leaves the speed of a position unread, and takes it by itself. */
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

/** Metres in space. */
export function apartM(a: Geodetic, b: Geodetic): number {
  return Math.hypot(...new Chart(a).spotOf(b), a.altHaeM - b.altHaeM);
}
