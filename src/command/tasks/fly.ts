import { Chart } from '../../geo/flat/chart.ts';
import { haeOfMsl } from '../../geo/geoid.ts';
import type { Task } from '../../model/task.ts';
import type { Verb } from '../../model/verb.ts';
import { Ended, type Flight, notLed } from '../control/flight.ts';
import { type Done, hold } from '../control/maneuvers.ts';
import type { ControlRim, FlyPlace } from '../control/rim.ts';
import { FRESH_MS, HEARD_MS } from '../fleet/available.ts';
import { CMD } from '../fleet/mav.ts';
import type { Vehicle } from '../fleet/vehicle.ts';
import type { LiveTask } from './live_task.ts';
import { apartM, type Circle, Teller } from './teller.ts';

/** A step a second, right behind a report of where the vehicle flies to; without such a report a bit later. */
const STEP_MS = 900;
const STEP_AT_MOST_MS = 1_200;
const RIGHT_BEHIND_MS = 200;
/** So long without a way, or without its track, a vehicle holds; then it comes home. */
const HOLDS_FOR_MS = 20_000;
/** It goes into the mode that it flies places in within this. */
const MODE_WITHIN_MS = 8_000;
/** What stands although it was sent so far is given up after so long. */
const STANDS_MPS = 0.5;
const THERE_M = 5;
const MOVES_WITHIN_MS = 20_000;

/** A vehicle as the next step is reckoned from it. */
export type OwnState = {
  lat: number;
  lon: number;
  altHaeM: number;
  eastMps: number;
  northMps: number;
  upMps: number;
  nowMs: number;
};

/** Where to fly next, and how things stand. `done` says that there is no next. */
export type Step = {
  to: FlyPlace;
  speedMps: number | null;
  phase: Task['phase'];
  distanceM: number | null;
  etaS: number | null;
  progress: number | null;
  breach: boolean;
  done: string | null;
  /** What circles by itself is told the circle; `to` is the next place on it then. */
  circle?: Circle;
};

/** What a task flies by; `lost` says why there is no step now. */
export type Steer = (own: OwnState) => Step | { lost: string };

type Flown = { verb: Verb; assetId: string; standoffM?: number; steer: Steer };

/**
 * Flies a task: once a second where to go next, held against everything that a movement is held against, and told as a
 * position. What it must not do it does not: without a way it holds, then comes home.
 */
export async function fly(rim: ControlRim, flight: Flight, task: LiveTask, flown: Flown): Promise<Done> {
  const pilot = new Pilot(rim, flight, task, flown);
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
  readonly #rim: ControlRim;
  readonly #flight: Flight;
  readonly #task: LiveTask;
  readonly #flown: Flown;
  readonly #teller: Teller;
  readonly #sinceMs: number;
  /** Since when there is no way, or nothing to fly by. */
  #stuckMs: number | null = null;
  /** Since when another claims to be it, and since when it does not know where it is. */
  #conflictMs: number | null = null;
  #placelessMs: number | null = null;
  /** Since when it stands although it is to fly. */
  #standsMs: number | null = null;
  /** Since when it was ordered a place and does not show the mode that it flies places in. */
  #otherModeMs: number | null = null;

  constructor(rim: ControlRim, flight: Flight, task: LiveTask, flown: Flown) {
    this.#rim = rim;
    this.#flight = flight;
    this.#task = task;
    this.#flown = flown;
    this.#teller = new Teller(flight);
    this.#sinceMs = rim.nowMs();
  }

  /** One second of it; the sentence that ends it where it is done. */
  async step(): Promise<Done | null> {
    this.#requireHeard();
    if (!this.#isLed()) return null;
    this.#requireOurs();
    if (this.#isInDoubt) return null;
    await this.#requireEnergy();
    const own = ownState(this.#flight.vehicle, this.#rim.nowMs());
    if (own === null) return this.#isPlaceless();
    this.#placelessMs = null;
    const step = this.#flown.steer(own);
    if ('lost' in step) {
      await this.#stuck(step.lost);
      return null;
    }
    const { distanceM, etaS, progress, breach, phase } = step;
    this.#task.set({ phase, distance_m: round(distanceM), eta_s: round(etaS), progress, breach });
    if (step.done !== null) return step.done;
    const { verb, assetId, standoffM } = this.#flown;
    const speedMps = this.#speedFor(step);
    const way = { verb, to: step.to, speedMps, ...(standoffM === undefined ? {} : { standoffM }) };
    const blocked = this.#rim.wayRefusal(this.#flight.vehicle, assetId, way);
    if (blocked) {
      // Waiting would cost more of it.
      if (blocked.reason === 'low_energy' && this.#isUnderWay) await this.#goHome(blocked.text);
      await this.#stuck(blocked.text);
      return null;
    }
    this.#stuckMs = null;
    this.#requireMotion(own);
    await this.#teller.tell(step.to, speedMps, step.circle ?? null, this.#standsMs);
    return null;
  }

  /**
   * Lets a second pass. The next step leaves right behind the vehicle's word of whose it is: on PX4 its heartbeat, elsewhere
   * where it flies to, so that what another station ordered meanwhile is known.
   */
  async pause(): Promise<void> {
    const { vehicle } = this.#flight;
    const sinceMs = this.#rim.nowMs();
    const isDue = (): boolean => {
      const nowMs = this.#rim.nowMs();
      if (nowMs - sinceMs < STEP_MS) return false;
      if (vehicle.autopilot === 'px4') return nowMs - vehicle.heartbeat.atMs <= RIGHT_BEHIND_MS;
      return vehicle.targets.isConfirmed(nowMs, RIGHT_BEHIND_MS);
    };
    await this.#flight.until(isDue, STEP_AT_MOST_MS);
  }

  /** Word of another's hand came, or of an earlier mode: nothing is sent until it is known whose the vehicle is. */
  get #isInDoubt(): boolean {
    const { custody, heartbeat, targets } = this.#flight.vehicle;
    const { customMode } = heartbeat.value;
    return targets.isForeign || (custody.own !== null && custody.own !== customMode && custody.left !== customMode);
  }

  /** What a person said last counts, but where the speed is what keeps it off something. */
  #speedFor({ speedMps }: Step): number | null {
    const { wished } = this.#flight.vehicle;
    if (wished === null) return speedMps;
    const isNewer = this.#flown.verb === 'goto' && wished.atMs >= this.#sinceMs;
    return isNewer ? wished.value : (speedMps ?? wished.value);
  }

  /** A first step that has no way is no flight at all. */
  get #isUnderWay(): boolean {
    return this.#teller.ordered !== null || this.#stuckMs !== null;
  }

  /** Nobody sends it anywhere any more. */
  leave(): void {
    this.#teller.leave();
    this.#standsMs = null;
    this.#otherModeMs = null;
  }

  /** A vehicle that is not heard follows its own failsafe: nothing of ours would reach it. */
  #requireHeard(): void {
    const { heardMs, position } = this.#flight.vehicle;
    const silentMs = this.#rim.nowMs() - heardMs;
    if (silentMs > HEARD_MS) {
      throw new Ended('failed', 'the link to it is lost: it follows its own failsafe');
    }
    if (position === null || this.#rim.nowMs() - position.atMs > 2 * HEARD_MS) {
      throw new Ended('failed', 'it says no more where it is: it flies on to where it was told last, and holds there');
    }
  }

  /** Whether it may be told anything. That another claims to be it may pass in a moment; until then nothing is said. */
  #isLed(): boolean {
    const refusal = this.#flight.whyNotLed();
    const nowMs = this.#rim.nowMs();
    if (refusal === null) {
      this.#conflictMs = null;
      return true;
    }
    this.#conflictMs ??= nowMs;
    if (refusal.reason !== 'id_conflict' || nowMs - this.#conflictMs >= HEARD_MS) throw notLed(refusal);
    return false;
  }

  /** It speaks, and says of no place that it is there. */
  #isPlaceless(): null {
    const nowMs = this.#rim.nowMs();
    this.#placelessMs ??= nowMs;
    if (nowMs - this.#placelessMs < 2 * HEARD_MS) return null;
    throw new Ended('failed', 'it does not know where it is: it flies on as its own failsafe has it');
  }

  /** Whoever takes it into another mode ends the command by that; here it is seen that it went into ours at all. */
  #requireOurs(): void {
    const { vehicle } = this.#flight;
    const { ordered, refused, isInMode } = this.#teller;
    if (ordered === null) return;
    if (refused !== null) throw new Ended('rejected', refused);
    if (!vehicle.armed) throw new Ended('failed', 'it disarmed');
    if (isInMode) {
      this.#otherModeMs = null;
      return;
    }
    this.#otherModeMs ??= this.#rim.nowMs();
    if (this.#rim.nowMs() - this.#otherModeMs < MODE_WITHIN_MS) return;
    throw new Ended('failed', `it was told a place, and does not fly there: it is in ${vehicle.mode.name}`);
  }

  /** What an approved task includes: home while there is enough to get there. */
  async #requireEnergy(): Promise<void> {
    const { vehicle } = this.#flight;
    const reserve = this.#rim.policy().engagement.reserve_pct;
    const energy = vehicle.energyPct?.value ?? null;
    if (energy === null || energy > reserve) return;
    await this.#goHome(`its energy is at ${energy} %, and ${reserve} % is kept for the way home`);
  }

  async #stuck(why: string): Promise<void> {
    const nowMs = this.#rim.nowMs();
    if (this.#stuckMs === null) {
      this.#stuckMs = nowMs;
      this.#task.set({ phase: 'holding', eta_s: null });
      this.#rim.note('task.holding', 'notice', `${this.#flown.verb} holds: ${why}`, this.#subject());
      if (this.#teller.ordered === null) throw new Ended('rejected', why);
      this.leave();
      this.#flight.goOn();
      await hold(this.#flight).catch(rethrowEnded);
      return;
    }
    if (nowMs - this.#stuckMs >= HOLDS_FOR_MS) await this.#goHome(why);
  }

  /** It is on its way home when this ends; the task is over, and a command that comes then has the vehicle. */
  async #goHome(why: string): Promise<never> {
    const { vehicle } = this.#flight;
    this.leave();
    this.#flight.goOn();
    this.#task.set({ phase: 'returning', eta_s: null });
    const mode = vehicle.modeFor('return');
    const isReturning = (): boolean => mode !== null && vehicle.heartbeat.value.customMode === mode.customMode;
    const enters = mode ? { enters: mode.customMode } : {};
    await this.#flight.ask({ command: CMD.navReturnToLaunch, params: [], repeat: true, ...enters }, isReturning);
    const went = await this.#flight.until(isReturning, MODE_WITHIN_MS);
    throw new Ended(
      'failed',
      went ? `${why}: it returns home` : `${why}: it was told to return home, and is in ${vehicle.mode.name}`,
    );
  }

  /** It said yes, and does not go: the answer may have been to an earlier place. Or it said nothing at all. */
  #requireMotion({ lat, lon, altHaeM, eastMps, northMps, upMps, nowMs }: OwnState): void {
    const stands = Math.hypot(eastMps, northMps, upMps) < STANDS_MPS;
    const { ordered, hasPlace } = this.#teller;
    if (!ordered || !stands || apartM({ lat, lon, altHaeM }, ordered) < THERE_M) {
      this.#standsMs = null;
      return;
    }
    this.#standsMs ??= nowMs;
    if (nowMs - this.#standsMs < MOVES_WITHIN_MS) return;
    if (hasPlace) throw new Ended('failed', 'the vehicle acknowledged the place but does not move');
    throw new Ended('timed_out', 'the vehicle did not answer, and does not move');
  }

  #subject() {
    const { assetId } = this.#flown;
    return { type: 'asset', id: assetId, label: this.#rim.asset(assetId)?.name ?? assetId };
  }
}

/** Where it is now, flown on from its last word; null where that is stale. */
export function ownState(vehicle: Vehicle, nowMs: number): OwnState | null {
  const { position } = vehicle;
  if (position === null || nowMs - position.atMs > FRESH_MS) return null;
  const { latDeg, lonDeg, altMslM, vEastMps, vNorthMps, vDownMps } = position.value;
  if (latDeg === null || lonDeg === null) return null;
  const seconds = (nowMs - position.atMs) / 1000;
  const { lat, lon } = new Chart(latDeg, lonDeg).placeOf([vEastMps * seconds, vNorthMps * seconds]);
  const altHaeM = haeOfMsl(altMslM, latDeg, lonDeg) - vDownMps * seconds;
  return { lat, lon, altHaeM, eastMps: vEastMps, northMps: vNorthMps, upMps: -vDownMps, nowMs };
}

function round(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}

function rethrowEnded(thrown: unknown): void {
  if (thrown instanceof Ended && thrown.state !== 'failed') throw thrown;
}
