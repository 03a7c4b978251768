import type { LatLon } from '../geo/position.ts';
import type { VehicleType } from '../model/fleet.ts';

/** A position with its time of arrival and the sender's boot clock. */
export type TrailPoint = LatLon & { altMslM: number; atMs: number; bootMs: number };

/** Distance between two positions that may occur without flight, m: GNSS errors, and resets of a navigation filter. */
const SLACK_M = 50;
/**
 * Height difference between two positions that may occur without flight, m. An autopilot may reset its height by this
 * much, for example from barometer to GPS.
 */
const CLIMB_SLACK_M = 200;
/** Speed that no vehicle of the type exceeds, m/s. */
const FASTEST_MPS: Partial<Record<VehicleType, number>> = { multirotor: 50, rover: 50, boat: 50, submersible: 20 };
const FASTEST_OTHER_MPS = 120;
const METRES_PER_DEGREE = 111_195;
/** Longest time that positions may wait in a radio, ms. A clock that implies more is wrong. */
const MOST_DELAY_MS = 10_000;
/** Time after which the full delay of `MOST_DELAY_MS` is allowed again, ms. */
const DELAY_WINDOW_MS = 60_000;
/**
 * A doubtful position is confirmed by a second one. The second one counts only if it arrives at least `PACES` intervals
 * after the last accepted position. The interval is the time between the last two accepted positions, at most
 * `LONGEST_PACE_MS`, ms.
 */
const LONGEST_PACE_MS = 500;
const PACES = 1.5;

/**
 * Accepted positions of one vehicle. A position that the vehicle cannot have flown to is held until a second position
 * agrees with it. The held position is dropped if a position continues from the last accepted one. A single bit error,
 * glitch or forged packet is therefore not confirmed.
 */
export class Trail {
  readonly #fastestMps: () => number;
  #last: TrailPoint | null = null;
  #held: TrailPoint | null = null;
  /** Time between the last two accepted positions, ms. */
  #paceMs = 0;
  /**
   * Allowed delay, ms: the greatest time by which the boot clock may show a longer flight than the arrival times do.
   */
  #creditMs = MOST_DELAY_MS;
  /**
   * Whether the next position must continue the trail. Set after a handover to an address without a position, because
   * nothing else shows that it is the same vehicle.
   */
  mustGoOn = false;
  /** Time of the last position that had to continue the trail but did not, ms. */
  strayedMs = Number.NEGATIVE_INFINITY;

  constructor(type: () => VehicleType) {
    this.#fastestMps = () => FASTEST_MPS[type()] ?? FASTEST_OTHER_MPS;
  }

  /** Takes a position. Returns whether it is accepted. */
  follow(spot: TrailPoint): boolean {
    const last = this.#last;
    if (last !== null && !this.#isNext(spot, last) && !this.#isBorneOut(spot, last)) {
      if (this.mustGoOn) this.strayedMs = spot.atMs;
      this.#held = spot;
      return false;
    }
    if (last !== null) {
      this.#paceMs = Math.min(LONGEST_PACE_MS, spot.atMs - last.atMs);
      this.#spend(last, spot);
    }
    this.#last = spot;
    this.#held = null;
    this.mustGoOn = false;
    return true;
  }

  /**
   * Whether the vehicle can have flown from its last position to this position of another address; true if there is no
   * last position. Uses only arrival times, because the boot clock of an unproven address proves nothing.
   */
  goesOn(spot: TrailPoint): boolean {
    const last = this.#last;
    return last === null || this.#neededMs(last, spot) <= Math.max(0, spot.atMs - last.atMs);
  }

  /** Drops earlier positions. Called when a signature or a boot clock proves that an address belongs to the vehicle. */
  begin(): void {
    this.#last = null;
    this.#held = null;
    this.mustGoOn = false;
    this.strayedMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * Records that another address continued from the vehicle's position. The allowed delay then starts from zero and
   * grows again.
   */
  handOver(): void {
    this.#creditMs = 0;
    this.strayedMs = Number.NEGATIVE_INFINITY;
  }

  #isNext(spot: TrailPoint, last: TrailPoint): boolean {
    return this.mustGoOn ? this.goesOn(spot) : this.#isFlyable(last, spot);
  }

  get isBlank(): boolean {
    return this.#last === null;
  }

  #isBorneOut(spot: TrailPoint, last: TrailPoint): boolean {
    if (this.mustGoOn || this.#held === null || spot.atMs - last.atMs < PACES * this.#paceMs) return false;
    return this.#isFlyable(this.#held, spot);
  }

  /**
   * Whether the vehicle can have flown from one position to the other. Positions that waited in a radio arrive
   * together, so the boot clock then gives the flight time.
   */
  #isFlyable(from: TrailPoint, to: TrailPoint): boolean {
    const arrivedMs = to.atMs - from.atMs;
    const flownMs = Math.max(0, arrivedMs, Math.min(to.bootMs - from.bootMs, arrivedMs + this.#creditMs));
    return this.#neededMs(from, to) <= flownMs;
  }

  /** Least flight time between two positions, ms. */
  #neededMs(from: TrailPoint, to: TrailPoint): number {
    const overM = metresBetween(from, to) - SLACK_M;
    const climbM = Math.abs(to.altMslM - from.altMslM) - CLIMB_SLACK_M;
    return (Math.max(0, overM, climbM) * 1_000) / this.#fastestMps();
  }

  /**
   * Reduces the allowed delay (`#creditMs`) by the part that the last flight used, and restores it over time. Otherwise
   * a fast boot clock could justify any jump.
   */
  #spend(from: TrailPoint, to: TrailPoint): void {
    const arrivedMs = Math.max(0, to.atMs - from.atMs);
    const usedMs = Math.max(0, this.#neededMs(from, to) - arrivedMs);
    const regainedMs = (arrivedMs * MOST_DELAY_MS) / DELAY_WINDOW_MS;
    this.#creditMs = Math.max(0, Math.min(MOST_DELAY_MS, this.#creditMs + regainedMs - usedMs));
  }
}

/** Great-circle distance by the haversine formula, m. Correct across the antimeridian and at the poles. */
function metresBetween(a: TrailPoint, b: TrailPoint): number {
  const rad = Math.PI / 180;
  const dLat = Math.sin(((b.latDeg - a.latDeg) * rad) / 2);
  const dLon = Math.sin(((b.lonDeg - a.lonDeg) * rad) / 2);
  const chord = dLat * dLat + Math.cos(a.latDeg * rad) * Math.cos(b.latDeg * rad) * dLon * dLon;
  return ((2 * METRES_PER_DEGREE) / rad) * Math.asin(Math.min(1, Math.sqrt(chord)));
}
