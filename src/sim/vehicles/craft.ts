import type { ChartPosition } from '../../geo/position.ts';
import type { FlightLimits } from '../aircraft/flight/limits.ts';
import type { Wind } from '../aircraft/flight/wind.ts';
import { apartM, type Body, type Manoeuvre } from './body.ts';
import { stepRotors } from './rotors.ts';
import { stepWings } from './wings.ts';

/** MAV_LANDED_STATE. */
const LANDED = { onGround: 1, inAir: 2, takingOff: 3, landing: 4 } as const;

const SPOOLS_UP_S = 2;
/** Height above which it has left the ground. */
const LIFTED_M = 0.3;
const RETURNS_ABOVE_M = { rotors: 30, wings: 100 };

/** The airframe of a simulated vehicle: it flies its autopilot's manoeuvre within its limits. */
export class Craft {
  readonly limits: FlightLimits;
  readonly body: Body;
  /** Initial position, on the ground. */
  readonly home: ChartPosition;
  isOnGround: boolean;
  speedMps: number;
  #now: Manoeuvre;
  #wind: Wind | null = null;

  constructor(limits: FlightLimits, start: ChartPosition, headingRad: number) {
    this.limits = limits;
    this.isOnGround = start.heightM <= LIFTED_M;
    const airMps = this.isOnGround || limits.hovers ? 0 : limits.cruiseMps;
    const [eastMps, northMps] = [Math.sin(headingRad) * airMps, Math.cos(headingRad) * airMps];
    this.body = { ...start, eastMps, northMps, upMps: 0, headingRad, airMps };
    if (this.isOnGround) this.body.heightM = 0;
    this.home = { eastM: start.eastM, northM: start.northM, heightM: 0 };
    this.speedMps = limits.cruiseMps;
    this.#now = { kind: 'hold', heightM: this.body.heightM, at: null };
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
    this.#now = { kind: 'hold', heightM: this.body.heightM, at: null };
  }

  /** `heightM` is above home. */
  takeOff(heightM: number): void {
    this.#now = { kind: 'takeoff', heightM, waitS: SPOOLS_UP_S };
  }

  land(): void {
    this.#now = { kind: 'land', at: null };
  }

  returnHome(lands: boolean): void {
    const overM = Math.max(this.body.heightM, this.limits.hovers ? RETURNS_ABOVE_M.rotors : RETURNS_ABOVE_M.wings);
    // Close to home it does not climb first.
    const isNear = this.limits.hovers && apartM(this.body, this.home) < 5;
    this.#now = { kind: 'return', overM: isNear ? this.body.heightM : overM, arrived: false, lands };
  }

  step(wind: Wind, dtS: number): 'took off' | 'flew' {
    const { body } = this;
    if (this.isOnGround && this.#now.kind !== 'takeoff') return 'flew';
    if (this.limits.hovers) stepRotors(body, this.#now, this, { wind, gust: this.#gustIn(wind) }, dtS);
    else stepWings(body, this.#now, this, wind, dtS);
    body.eastM += body.eastMps * dtS;
    body.northM += body.northMps * dtS;
    body.heightM += body.upMps * dtS;
    if (body.heightM > LIFTED_M) this.isOnGround = false;
    if (body.heightM <= 0) this.#touch();
    return this.#hasTakenOff() ? 'took off' : 'flew';
  }

  /** Change of the wind since the previous step. */
  #gustIn(wind: Wind): Wind {
    const { eastMps, northMps } = this.#wind ?? wind;
    this.#wind = wind;
    return { eastMps: wind.eastMps - eastMps, northMps: wind.northMps - northMps };
  }

  #touch(): void {
    const { body } = this;
    body.heightM = 0;
    body.upMps = Math.max(0, body.upMps);
    if (this.isOnGround) return;
    this.isOnGround = true;
    Object.assign(body, { eastMps: 0, northMps: 0, upMps: 0, airMps: 0 });
  }

  /** On reaching the ordered height, it holds there. */
  #hasTakenOff(): boolean {
    const now = this.#now;
    if (now.kind !== 'takeoff' || Math.abs(this.body.heightM - now.heightM) > 0.3) return false;
    this.#now = { kind: 'hold', heightM: now.heightM, at: null };
    return true;
  }
}
