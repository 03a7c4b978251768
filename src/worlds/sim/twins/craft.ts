import type { FlightLimits } from '../flight/limits.ts';
import type { Body, Manoeuvre, Place } from './body.ts';
import type { Wind } from './facts.ts';
import { stepRotors } from './rotors.ts';
import { stepWings } from './wings.ts';

/** MAV_LANDED_STATE. */
export const LANDED = { onGround: 1, inAir: 2, takingOff: 3, landing: 4 } as const;

const SPOOLS_UP_S = 2;
/** It has left the ground above this. */
const LIFTED_M = 0.3;
const RETURNS_ABOVE_M = { rotors: 30, wings: 100 };

/** The aircraft of a twin: it flies what its autopilot has it do, within what it can. */
export class Craft {
  readonly limits: FlightLimits;
  readonly body: Body;
  /** Where it stood first, or below where it began in the air. */
  readonly home: Place;
  isOnGround: boolean;
  speedMps: number;
  #now: Manoeuvre;
  #wind: Wind | null = null;

  constructor(limits: FlightLimits, start: Place, headingRad: number) {
    this.limits = limits;
    this.isOnGround = start.upM <= LIFTED_M;
    const airMps = this.isOnGround || limits.hovers ? 0 : limits.cruiseMps;
    const [eastMps, northMps] = [Math.sin(headingRad) * airMps, Math.cos(headingRad) * airMps];
    this.body = { ...start, eastMps, northMps, upMps: 0, headingRad, airMps };
    if (this.isOnGround) this.body.upM = 0;
    this.home = { eastM: start.eastM, northM: start.northM, upM: 0 };
    this.speedMps = limits.cruiseMps;
    this.#now = { kind: 'hold', upM: this.body.upM, at: null };
  }

  get manoeuvre(): Manoeuvre {
    return this.#now;
  }

  get landed(): number {
    const { kind } = this.#now;
    if (this.isOnGround) return LANDED.onGround;
    if (kind === 'takeoff') return LANDED.takingOff;
    const isLanding = kind === 'land' || (kind === 'return' && this.#now.arrived);
    return isLanding ? LANDED.landing : LANDED.inAir;
  }

  do(manoeuvre: Manoeuvre): void {
    this.#now = manoeuvre;
  }

  hold(): void {
    this.#now = { kind: 'hold', upM: this.body.upM, at: null };
  }

  /** To a height above home. */
  takeOff(upM: number): void {
    this.#now = { kind: 'takeoff', upM, waitS: SPOOLS_UP_S };
  }

  land(): void {
    this.#now = { kind: 'land', at: null };
  }

  returnHome(lands: boolean): void {
    const overM = Math.max(this.body.upM, this.limits.hovers ? RETURNS_ABOVE_M.rotors : RETURNS_ABOVE_M.wings);
    // What is nearly there goes no higher first.
    const away = Math.hypot(this.body.eastM - this.home.eastM, this.body.northM - this.home.northM);
    const isNear = this.limits.hovers && away < 5;
    this.#now = { kind: 'return', overM: isNear ? this.body.upM : overM, arrived: false, lands };
  }

  step(wind: Wind, dtS: number): 'took off' | 'flew' {
    const { body } = this;
    if (this.isOnGround && this.#now.kind !== 'takeoff') return 'flew';
    const flown = { limits: this.limits, home: this.home, speedMps: this.speedMps };
    if (this.limits.hovers) stepRotors(body, this.#now, flown, { wind, gust: this.#gustIn(wind) }, dtS);
    else stepWings(body, this.#now, flown, wind, dtS);
    body.eastM += body.eastMps * dtS;
    body.northM += body.northMps * dtS;
    body.upM += body.upMps * dtS;
    if (body.upM > LIFTED_M) this.isOnGround = false;
    if (body.upM <= 0) this.#touch();
    return this.#hasTakenOff() ? 'took off' : 'flew';
  }

  /** How the wind has changed since the step before. */
  #gustIn(wind: Wind): Wind {
    const { eastMps, northMps } = this.#wind ?? wind;
    this.#wind = wind;
    return { eastMps: wind.eastMps - eastMps, northMps: wind.northMps - northMps };
  }

  #touch(): void {
    const { body } = this;
    body.upM = 0;
    body.upMps = Math.max(0, body.upMps);
    if (this.isOnGround) return;
    this.isOnGround = true;
    Object.assign(body, { eastMps: 0, northMps: 0, upMps: 0, airMps: 0 });
  }

  /** It holds at the height that it was told then. */
  #hasTakenOff(): boolean {
    const now = this.#now;
    if (now.kind !== 'takeoff' || Math.abs(this.body.upM - now.upM) > 0.3) return false;
    this.#now = { kind: 'hold', upM: now.upM, at: null };
    return true;
  }
}
