import { SILENT_AFTER_MS } from '../../fleet/available.ts';
import { CMD } from '../../fleet/verbs.ts';
import type { Verb } from '../../model/verb.ts';
import type { ControlDeps } from '../deps.ts';
import { type OwnState, ownState } from '../own_state.ts';
import { Ended, type Flight, notLed } from './flight.ts';
import type { LiveTask } from './live_task.ts';
import { type Done, hold } from './maneuvers.ts';
import type { Step as PathStep } from './paths/vehicle.ts';
import { apartM, type Circle, PlaceOrders } from './place_orders.ts';

/**
 * Shortest interval between two steps, ms. A step orders the next place. It is sent right after a report of the
 * vehicle's target (on PX4: of its mode). On PX4, and without reports of the target, the interval is at most
 * `STEP_AT_MOST_MS`.
 */
const STEP_MS = 900;
const STEP_AT_MOST_MS = 1_200;
const RIGHT_BEHIND_MS = 200;
/**
 * A step waits for a report of the target that is at most this old, ms, but no longer than the limits of `pause`. A
 * later step could replace an order of another station that no report shows yet.
 */
const BEHIND_TARGET_MS = 60;
/**
 * A vehicle counts as reporting its target if its last report is at most this old, ms. Such a vehicle gets the next
 * step right after a new report, or after this time without one.
 */
const REPORTS_WITHIN_MS = 3_000;
/**
 * Time after which a holding vehicle is ordered home, ms. A vehicle holds while it has no free leg, or while the
 * followed track is missing. A free leg is one that no limit of movement forbids.
 */
const HOLDS_FOR_MS = 20_000;
/** Time for the vehicle to enter the mode in which it flies to ordered places, ms. */
const MODE_WITHIN_MS = 8_000;
/**
 * Speed below which a vehicle counts as standing, m/s. A maneuver has failed if the vehicle stands away from its place
 * for 20 s.
 */
const STANDS_MPS = 0.5;
const THERE_M = 5;
const MOVES_WITHIN_MS = 20_000;

/** The next point and the state of the task. `done` is the sentence that ends the task; `point` is then not ordered. */
export type Step = PathStep & {
  progress?: number;
  done?: string | null;
  /** Circle for a vehicle whose autopilot circles by itself. `point` is then the next place on the circle. */
  circle?: Circle;
};

/** Returns the next step of a task, or in `lost` the reason why there is none now. */
export type Steer = (own: OwnState) => Step | { lost: string };

type Flown = { verb: Verb; assetId: string; standoffM?: number; steer: Steer };

/**
 * Flies a task. About once a second it computes the next place, checks the leg to that place against the limits of
 * movement, and orders the place. Without a free leg the vehicle holds; after 20 s it is ordered home. Without enough
 * energy it is ordered home at once.
 */
export async function fly(deps: ControlDeps, flight: Flight, task: LiveTask, flown: Flown): Promise<Done> {
  const pilot = new Pilot(deps, flight, task, flown);
  try {
    for (;;) {
      const done = await pilot.step();
      if (done !== null) return done;
      await pilot.pause();
    }
  } finally {
    pilot.leave();
  }
}

class Pilot {
  readonly #deps: ControlDeps;
  readonly #flight: Flight;
  readonly #task: LiveTask;
  readonly #flown: Flown;
  readonly #orders: PlaceOrders;
  readonly #sinceMs: number;
  /**
   * World time at which the vehicle got stuck, ms: no leg is free, or no target is known. Null while it is not stuck.
   */
  #stuckMs: number | null = null;
  /**
   * World times at which an identity conflict began (`#conflictMs`), and at which the vehicle lost its position
   * (`#placelessMs`), ms; else null.
   */
  #conflictMs: number | null = null;
  #placelessMs: number | null = null;
  /** World time at which the vehicle stopped away from its ordered place, ms; else null. */
  #standsMs: number | null = null;
  /** World time from which the vehicle, ordered to a place, was not in the mode that flies there, ms; else null. */
  #otherModeMs: number | null = null;

  constructor(deps: ControlDeps, flight: Flight, task: LiveTask, flown: Flown) {
    this.#deps = deps;
    this.#flight = flight;
    this.#task = task;
    this.#flown = flown;
    this.#orders = new PlaceOrders(flight);
    this.#sinceMs = deps.nowMs();
  }

  /** Flies one step. Returns the sentence that ends the task once it is done, else null. */
  async step(): Promise<Done | null> {
    this.#requireTelemetry();
    if (!this.#isLed()) return null;
    this.#requireOurs();
    if (this.#isInDoubt) return null;
    await this.#requireEnergy();
    const own = ownState(this.#flight.vehicle, this.#deps.nowMs());
    if (own === null) return this.#isPlaceless();
    this.#placelessMs = null;
    const step = this.#flown.steer(own);
    if ('lost' in step) {
      await this.#stuck(step.lost);
      return null;
    }
    const { point: to, distanceM, etaS, progress = null, breach, phase, done = null } = step;
    this.#task.set({ phase, distance_m: round(distanceM), eta_s: round(etaS), progress, breach });
    if (done !== null) return done;
    const { verb, assetId, standoffM } = this.#flown;
    const speedMps = this.#speedFor(step);
    const leg = { verb, to, speedMps, ...(standoffM === undefined ? {} : { standoffM }) };
    const blocked = this.#deps.legRefusal(this.#flight.vehicle, assetId, leg);
    if (blocked) {
      // A vehicle low on energy is ordered home at once, since waiting would cost more energy.
      if (blocked.reason === 'low_energy' && this.#isUnderWay) await this.#goHome(blocked.text);
      await this.#stuck(blocked.text);
      return null;
    }
    this.#stuckMs = null;
    this.#requireMotion(own);
    await this.#orders.send(to, speedMps, step.circle ?? null, this.#standsMs);
    return null;
  }

  /**
   * Waits at least `STEP_MS` for the next step, until a report shows who controls the vehicle: the heartbeat on PX4,
   * the report of the target on other autopilots. An order that another station sent since the last step is then known.
   * Without such a report the wait ends after 1.2 s, or after 3 s if the vehicle reported its target before.
   */
  async pause(): Promise<void> {
    const { vehicle } = this.#flight;
    const sinceMs = this.#deps.nowMs();
    const isDue = (): boolean => {
      const nowMs = this.#deps.nowMs();
      if (nowMs - sinceMs < STEP_MS) return false;
      if (vehicle.autopilot === 'px4') return nowMs - vehicle.heartbeat.atMs <= RIGHT_BEHIND_MS;
      return vehicle.targets.isConfirmed(nowMs, BEHIND_TARGET_MS);
    };
    const reports = vehicle.autopilot !== 'px4' && vehicle.targets.isConfirmed(sinceMs, REPORTS_WITHIN_MS);
    await this.#flight.until(isDue, reports ? REPORTS_WITHIN_MS : STEP_AT_MOST_MS);
  }

  /**
   * True while it is unclear who controls the vehicle; no order is sent then. One reason is a reported target of
   * another station. The second reason is a change from a mode of ours to a mode that is not our latest order.
   */
  get #isInDoubt(): boolean {
    const { custody, customMode, targets } = this.#flight.vehicle;
    return targets.isForeign || (custody.own !== null && custody.own !== customMode && custody.left !== customMode);
  }

  /**
   * Returns the speed of a step, m/s; null for the cruise speed. In `goto`, a speed ordered by `set_speed` since the
   * start has precedence. Otherwise the step's own speed has precedence: in other tasks it may serve to keep a
   * distance.
   */
  #speedFor({ speedMps }: Step): number | null {
    const { wished } = this.#flight.vehicle;
    if (wished === null) return speedMps;
    const isNewer = this.#flown.verb === 'goto' && wished.atMs >= this.#sinceMs;
    return isNewer ? wished.value : (speedMps ?? wished.value);
  }

  /** True once a place was ordered or the vehicle holds. A task whose first step has no free leg never started. */
  get #isUnderWay(): boolean {
    return this.#orders.ordered !== null || this.#stuckMs !== null;
  }

  /** Clears the record of the ordered target. No message is sent to the vehicle. */
  leave(): void {
    this.#orders.leave();
    this.#standsMs = null;
    this.#otherModeMs = null;
  }

  /**
   * Throws `Ended` if the vehicle is silent or reports no position. A silent vehicle follows its own failsafe, and no
   * order would reach it.
   */
  #requireTelemetry(): void {
    const { receivedMs, position } = this.#flight.vehicle;
    const silentMs = this.#deps.nowMs() - receivedMs;
    if (silentMs > SILENT_AFTER_MS) {
      throw new Ended('failed', 'the link to the vehicle is lost: the vehicle follows its own failsafe');
    }
    if (position === null || this.#deps.nowMs() - position.atMs > 2 * SILENT_AFTER_MS) {
      throw new Ended(
        'failed',
        `the vehicle has not reported its position for ${(2 * SILENT_AFTER_MS) / 1_000} s: its last order stays in force`,
      );
    }
  }

  /**
   * True if orders may be sent. During an identity conflict of less than 5 s nothing is sent; a longer conflict or any
   * other refusal ends the task.
   */
  #isLed(): boolean {
    const refusal = this.#flight.whyNotLed();
    const nowMs = this.#deps.nowMs();
    if (refusal === null) {
      this.#conflictMs = null;
      return true;
    }
    this.#conflictMs ??= nowMs;
    if (refusal.reason !== 'id_conflict' || nowMs - this.#conflictMs >= SILENT_AFTER_MS) throw notLed(refusal);
    return false;
  }

  /** Throws `Ended` once a vehicle that is still received has had no position for 10 s. */
  #isPlaceless(): null {
    const nowMs = this.#deps.nowMs();
    this.#placelessMs ??= nowMs;
    if (nowMs - this.#placelessMs < 2 * SILENT_AFTER_MS) return null;
    throw new Ended(
      'failed',
      `the vehicle has reported no usable position for ${(2 * SILENT_AFTER_MS) / 1_000} s: its last order stays in force`,
    );
  }

  /**
   * Throws `Ended` if a place was refused, three orders in a row were not answered or not sent, or the vehicle
   * disarmed. Also throws if the vehicle has not been in the mode for ordered places for 8 s.
   */
  #requireOurs(): void {
    const { vehicle } = this.#flight;
    const { ordered, refused, isInMode } = this.#orders;
    if (ordered === null) return;
    if (refused !== null) throw new Ended('rejected', refused);
    if (!vehicle.armed) throw new Ended('failed', 'the vehicle disarmed before the task was done');
    if (isInMode) {
      this.#otherModeMs = null;
      return;
    }
    this.#otherModeMs ??= this.#deps.nowMs();
    if (this.#deps.nowMs() - this.#otherModeMs < MODE_WITHIN_MS) return;
    throw new Ended(
      'failed',
      `the vehicle was ordered to a place and does not fly there: it is in ${vehicle.mode.name}`,
    );
  }

  /** Orders the vehicle home once its energy is down to the reserve. This return needs no approval of its own. */
  async #requireEnergy(): Promise<void> {
    const { vehicle } = this.#flight;
    const reserve = this.#deps.policy().engagement.reserve_pct;
    const energy = vehicle.energyPct?.value ?? null;
    if (energy === null || energy > reserve) return;
    await this.#goHome(`the vehicle has ${energy} % of its energy left, and ${reserve} % is kept for the return home`);
  }

  async #stuck(why: string): Promise<void> {
    const nowMs = this.#deps.nowMs();
    if (this.#stuckMs === null) {
      this.#stuckMs = nowMs;
      this.#task.set({ phase: 'holding', eta_s: null });
      this.#deps.note(
        'task.holding',
        'notice',
        `the vehicle holds during ${this.#flown.verb}: ${why}`,
        this.#subject(),
      );
      if (this.#orders.ordered === null) throw new Ended('rejected', why);
      this.leave();
      this.#flight.goOn();
      await hold(this.#flight).catch(rethrowReplaced);
      return;
    }
    if (nowMs - this.#stuckMs >= HOLDS_FOR_MS) await this.#goHome(why);
  }

  /** Orders the vehicle home and ends the task. A later command may then use the vehicle. */
  async #goHome(why: string): Promise<never> {
    const { vehicle } = this.#flight;
    this.leave();
    this.#flight.goOn();
    this.#task.set({ phase: 'returning', eta_s: null });
    const mode = vehicle.modeFor('return');
    const isReturning = (): boolean => vehicle.isIn(mode);
    const enters = mode ? { enters: mode.customMode } : {};
    const order = { command: CMD.navReturnToLaunch, params: [], repeat: true, ...enters };
    const answer = await this.#flight.ask(order, isReturning);
    if (answer.kind !== 'accepted' && mode) await this.#flight.enter(mode).catch(rethrowReplaced);
    if (await this.#flight.until(isReturning, answer.kind === 'accepted' ? MODE_WITHIN_MS : 0))
      throw new Ended('failed', `${why}: the vehicle returns home`);
    // A vehicle that does not return must at least not fly on.
    await hold(this.#flight).catch(rethrowReplaced);
    throw new Ended('failed', `${why}: the vehicle was ordered home but is in ${vehicle.mode.name}`);
  }

  /**
   * Throws `Ended` if the vehicle has stood away from its ordered place for 20 s. An acknowledgement does not prove
   * motion: it may belong to an earlier place.
   */
  #requireMotion({ position, eastMps, northMps, upMps, nowMs }: OwnState): void {
    const stands = Math.hypot(eastMps, northMps, upMps) < STANDS_MPS;
    const { ordered, hasPlace } = this.#orders;
    if (!ordered || !stands || apartM(position, ordered) < THERE_M) {
      this.#standsMs = null;
      return;
    }
    this.#standsMs ??= nowMs;
    if (nowMs - this.#standsMs < MOVES_WITHIN_MS) return;
    const still = `has not moved for ${MOVES_WITHIN_MS / 1_000} s`;
    if (hasPlace) throw new Ended('failed', `the vehicle acknowledged the ordered place but ${still}`);
    throw new Ended('timed_out', `the vehicle did not answer the order, and ${still}`);
  }

  #subject() {
    const { assetId } = this.#flown;
    return { type: 'asset', id: assetId, label: this.#deps.asset(assetId)?.name ?? assetId };
  }
}

function round(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}

/** Lets a command go on that the vehicle refused or did not answer, but not one that another replaced. */
function rethrowReplaced(thrown: unknown): void {
  if (!(thrown instanceof Ended) || thrown.state === 'superseded' || thrown.state === 'cancelled') throw thrown;
}
