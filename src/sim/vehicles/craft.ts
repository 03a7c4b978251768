import type { ChartPosition } from '../../geo/position.ts';
import type { FlightLimits } from '../aircraft/flight/limits.ts';
import type { Wind } from '../aircraft/flight/wind.ts';
import { apartM, type Body, type Flown, levelTo, lift, type Manoeuvre, turnRate, usualRadiusM } from './body.ts';
import { stepRotors } from './rotors.ts';

/** Acceleration on the runway, m/s², and descent rate at touchdown, m/s. */
const RUNS_MPS2 = 5;
const LANDING_MPS = 1.5;

type Circle = { middle: ChartPosition; radiusM: number; clockwise: boolean };

/** Advances a fixed-wing aircraft by one step. It flies circles in every manoeuvre except take-off. */
function stepWings(body: Body, now: Manoeuvre, { limits, home, speedMps }: Flown, wind: Wind, dtS: number): void {
  if (now.kind === 'takeoff') {
    climbOut(body, now, limits, wind, dtS);
    return;
  }
  const airMps = Math.max(limits.minMps, Math.min(limits.maxMps, speedMps));
  const circle = circleOf(body, now, home, usualRadiusM(limits, airMps));
  flyOn(body, courseRound(body, circle), airMps, limits, wind, dtS);
  const isLanding = now.kind === 'land' || (now.kind === 'return' && now.arrived);
  const landingMps = LANDING_MPS + Math.max(0, body.heightM - 10) / 4;
  const upMps = isLanding ? -Math.min(limits.descentMps, landingMps) : levelTo(body, circle.middle.heightM, limits);
  lift(body, upMps, dtS);
}

function circleOf(body: Body, now: Manoeuvre, home: ChartPosition, radiusM: number): Circle {
  switch (now.kind) {
    case 'goto':
      return { ...now, middle: now.to };
    case 'circle':
      return now;
    case 'return':
      if (now.lands && !now.arrived) {
        now.arrived = apartM(body, home) < 2 * radiusM && Math.abs(body.heightM - now.overM) < 10;
      }
      return { middle: { ...home, heightM: now.overM }, radiusM, clockwise: true };
    case 'hold':
    case 'land': {
      now.at ??= { ...body };
      const heightM = now.kind === 'hold' ? now.heightM : 0;
      return { middle: { ...now.at, heightM }, radiusM, clockwise: true };
    }
    case 'takeoff':
      return { middle: body, radiusM, clockwise: true };
  }
}

/** Returns the course that leads to a circle and then along it, rad. Far away it points straight at the circle. */
function courseRound(body: Body, { middle, radiusM, clockwise }: Circle): number {
  const [east, north] = [body.eastM - middle.eastM, body.northM - middle.northM];
  const inwards = Math.PI / 2 + Math.atan((Math.hypot(east, north) - radiusM) / (0.5 * radiusM));
  return Math.atan2(east, north) + (clockwise ? inwards : -inwards);
}

/** Turns towards a course over the ground, with the crab angle that the wind requires. */
function flyOn(body: Body, course: number, airMps: number, limits: FlightLimits, wind: Wind, dtS: number): void {
  const change = (body.airMps < limits.minMps ? RUNS_MPS2 : limits.accelMps2) * dtS;
  body.airMps += Math.max(-change, Math.min(change, airMps - body.airMps));
  const across = wind.eastMps * Math.cos(course) - wind.northMps * Math.sin(course);
  const crab = Math.asin(Math.max(-0.9, Math.min(0.9, -across / Math.max(body.airMps, 1))));
  const off = course + crab - body.headingRad;
  const most = turnRate(limits, body.airMps) * dtS;
  body.headingRad += Math.max(-most, Math.min(most, Math.atan2(Math.sin(off), Math.cos(off))));
  move(body, wind);
}

function move(body: Body, wind: Wind): void {
  body.eastMps = Math.sin(body.headingRad) * body.airMps + wind.eastMps;
  body.northMps = Math.cos(body.headingRad) * body.airMps + wind.northMps;
}

function climbOut(body: Body, now: Manoeuvre & { kind: 'takeoff' }, limits: FlightLimits, wind: Wind, dtS: number) {
  now.waitS -= dtS;
  if (now.waitS > 0) return;
  const change = RUNS_MPS2 * dtS;
  body.airMps += Math.max(-change, Math.min(change, limits.cruiseMps - body.airMps));
  const flies = body.airMps >= limits.minMps;
  // On the runway the wind does not move the aircraft.
  move(body, flies ? wind : { eastMps: 0, northMps: 0 });
  lift(body, flies ? levelTo(body, now.heightM, limits) : 0, dtS);
}

/** Values of the MAVLink enum MAV_LANDED_STATE. */
const LANDED = { onGround: 1, inAir: 2, takingOff: 3, landing: 4 } as const;

const SPOOLS_UP_S = 2;
/** Height above which the vehicle counts as off the ground, m. */
const LIFTED_M = 0.3;
const RETURNS_ABOVE_M = { rotors: 30, wings: 100 };

/** Airframe of a simulated vehicle. It flies the autopilot's manoeuvre within its limits. */
export class Craft {
  readonly limits: FlightLimits;
  readonly body: Body;
  /** Home position: the initial position, at ground height. */
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

  /** Starts a take-off to height `heightM` above the site's ground. */
  takeOff(heightM: number): void {
    this.#now = { kind: 'takeoff', heightM, waitS: SPOOLS_UP_S };
  }

  land(): void {
    this.#now = { kind: 'land', at: null };
  }

  returnHome(lands: boolean): void {
    const overM = Math.max(this.body.heightM, this.limits.hovers ? RETURNS_ABOVE_M.rotors : RETURNS_ABOVE_M.wings);
    // A hovering vehicle close to home does not climb first.
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

  /** Returns the change of the wind since the previous step, m/s. */
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

  /** True once the vehicle has reached the ordered height of a take-off. It then holds there. */
  #hasTakenOff(): boolean {
    const now = this.#now;
    if (now.kind !== 'takeoff' || Math.abs(this.body.heightM - now.heightM) > 0.3) return false;
    this.#now = { kind: 'hold', heightM: now.heightM, at: null };
    return true;
  }
}
