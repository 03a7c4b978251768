import {
  type Body,
  climbTo,
  distance,
  drift,
  groundSpeed,
  moved,
  offset,
  type Point,
  type Push,
  steer,
  type Target,
  velocityRound,
  velocityTo,
} from './flight.ts';

/** How hard each way of stopping is: BRAKE takes 8 m from 10 m/s, a loiter 20 m from 9 m/s. */
export const BRAKE: Push = { accel: 6.25, decel: 6.25 };
export const LOITER: Push = { accel: 3, decel: 2.05 };
const PAUSE: Push = { accel: 3, decel: 2.2 };
const CRUISE: Push = { accel: 3, decel: 1.9 };
/** How slowly it takes to a new place: what makes it overshoot when it is told to stop where it is. */
const REACTION_S = 0.7;
const RATES = { climb: 2.5, descent: 1.5 };
const SPOOL_UP_S = 3.1;
const FINAL_M = 10;
const FINAL_MPS = 0.5;

type Wanted = { north: number; east: number; up: number; push: Push };
const STILL = { north: 0, east: 0, up: 0 };

export type Circle = { centre: Point; altM: number; radiusM: number; clockwise: boolean; speedMps: number };

export type Manoeuvre =
  | { kind: 'hold'; push: Push }
  | { kind: 'goto'; to: Target; paused?: boolean }
  | { kind: 'follow'; to: Target; north: number; east: number; up: number; leftS: number }
  | { kind: 'velocity'; north: number; east: number; up: number; leftS: number }
  | { kind: 'takeoff'; altM: number }
  | { kind: 'return'; home: Target; viaM: number; waitS: number }
  | { kind: 'land' }
  | { kind: 'sink'; mps: number }
  | { kind: 'orbit'; circle: Circle };

/** Flies a copter: one manoeuvre at a time, which ends in holding where it is. */
export class CopterPilot {
  readonly body: Body;
  speedMps: number;
  readonly maxMps: number;
  isLanded = true;
  yawDeg: number | null = null;
  #now: Manoeuvre = { kind: 'hold', push: BRAKE };
  #sinceS = 0;
  #holdAltM = 0;
  #onGroundS = 0;
  #arrivedS = 0;
  #asked = { north: 0, east: 0 };

  constructor(body: Body, speedMps: number, maxMps: number) {
    this.body = body;
    this.speedMps = speedMps;
    this.maxMps = maxMps;
  }

  get manoeuvre(): Manoeuvre {
    return this.#now;
  }

  /** Seconds the present manoeuvre has lasted. */
  get sinceS(): number {
    return this.#sinceS;
  }

  /** Seconds on the ground, of the last touchdown. */
  get onGroundS(): number {
    return this.isLanded ? this.#onGroundS : 0;
  }

  do(manoeuvre: Manoeuvre): void {
    this.#now = manoeuvre;
    this.#sinceS = 0;
    this.#arrivedS = 0;
    this.#holdAltM = this.body.altM;
    this.#asked = { north: this.body.north, east: this.body.east };
  }

  /** MAV_LANDED_STATE. */
  get landed(): number {
    const { kind } = this.#now;
    if (this.isLanded) return kind === 'takeoff' && this.#sinceS >= SPOOL_UP_S ? 3 : 1;
    if (kind === 'takeoff') return 3;
    const isDescending = kind === 'land' || (kind === 'return' && this.#arrivedS > this.#waitS());
    return isDescending ? 4 : 2;
  }

  isAt(to: Target, withinM: number): boolean {
    return distance(this.body, to) < withinM && Math.abs(this.body.altM - to.altM) < withinM;
  }

  /** `isArmed` false in the air is a fall. */
  step(dtS: number, isArmed: boolean): void {
    this.#sinceS += dtS;
    const wasAltM = this.body.altM;
    if (!isArmed) this.#fall(dtS);
    else if (!this.isLanded || this.#now.kind === 'takeoff') this.#fly(dtS);
    drift(this.body, dtS);
    if (this.body.altM > 0.3) this.isLanded = false;
    else if (this.body.altM <= 0 && wasAltM >= 0 && !this.#isLiftingOff()) this.#touch(dtS);
  }

  #isLiftingOff(): boolean {
    return this.#now.kind === 'takeoff' && this.#sinceS < SPOOL_UP_S + 2;
  }

  #touch(dtS: number): void {
    Object.assign(this.body, { north: 0, east: 0, up: 0 });
    this.#onGroundS = this.isLanded ? this.#onGroundS + dtS : 0;
    this.isLanded = true;
  }

  #fall(dtS: number): void {
    if (!this.isLanded) this.body.up -= 9.81 * dtS;
  }

  #fly(dtS: number): void {
    const wanted = this.#wanted(this.#now, dtS);
    if (wanted === null) return;
    const { body } = this;
    steer(body, wanted, wanted.push, dtS);
    const course = (Math.atan2(body.east, body.north) * 180) / Math.PI;
    if (this.yawDeg !== null) body.yawDeg = this.yawDeg;
    else if (groundSpeed(body) > 1) body.yawDeg = (course + 360) % 360;
  }

  /** The velocity a manoeuvre asks for now; null while the motors still spool up. */
  #wanted(now: Manoeuvre, dtS: number): Wanted | null {
    switch (now.kind) {
      case 'hold':
        return { ...STILL, up: this.#level(this.#holdAltM), push: now.push };
      case 'goto': {
        if (now.paused) return { ...STILL, push: PAUSE };
        const speed = Math.min(this.speedMps, this.maxMps);
        const asked = this.#react(velocityTo(this.body, now.to, speed), dtS);
        return { ...asked, up: this.#level(now.to.altM), push: CRUISE };
      }
      case 'follow':
        return this.#alongside(now, dtS);
      case 'velocity':
        now.leftS -= dtS;
        return now.leftS < 0 ? { ...STILL, push: PAUSE } : { ...now, push: CRUISE };
      case 'takeoff':
        return this.#lift(now.altM);
      case 'return':
        return this.#homewards(now, dtS);
      case 'land':
        return { ...STILL, up: this.#landing(), push: LOITER };
      case 'sink':
        return { ...STILL, up: -now.mps, push: LOITER };
      case 'orbit': {
        const up = this.#level(now.circle.altM);
        return { ...velocityRound(this.body, now.circle.centre, now.circle), up, push: { accel: 5, decel: 5 } };
      }
    }
  }

  #react(wanted: { north: number; east: number }, dtS: number): { north: number; east: number } {
    // Slowing down for a place it has long known it begins in time.
    const share = this.#sinceS > 2 * REACTION_S ? 1 : Math.min(1, dtS / REACTION_S);
    this.#asked.north += (wanted.north - this.#asked.north) * share;
    this.#asked.east += (wanted.east - this.#asked.east) * share;
    return this.#asked;
  }

  /** Beside a place that moves on at a known velocity, for as long as it is told so again and again. */
  #alongside(now: Manoeuvre & { kind: 'follow' }, dtS: number): Wanted {
    now.leftS -= dtS;
    if (now.leftS < 0) return { ...STILL, push: PAUSE };
    const { north, east } = offset(this.body, now.to);
    Object.assign(now.to, moved(now.to, now.north * dtS, now.east * dtS));
    now.to.altM += now.up * dtS;
    const wanted = { north: now.north + north, east: now.east + east };
    const most = Math.min(this.speedMps, this.maxMps) / Math.max(Math.hypot(wanted.north, wanted.east), 1e-9);
    const scale = Math.min(1, most);
    return { north: wanted.north * scale, east: wanted.east * scale, up: this.#level(now.to.altM), push: CRUISE };
  }

  #lift(altM: number): Wanted | null {
    if (this.#sinceS < SPOOL_UP_S) return null;
    if (Math.abs(this.body.altM - altM) < 0.3) {
      this.do({ kind: 'hold', push: LOITER });
      this.#holdAltM = altM;
    }
    return { ...STILL, up: this.#level(altM), push: CRUISE };
  }

  #homewards(now: Manoeuvre & { kind: 'return' }, dtS: number): Wanted {
    const { body } = this;
    const away = distance(body, now.home);
    if ((away < 1 && groundSpeed(body) < 1) || this.#arrivedS > 0) {
      this.#arrivedS += dtS;
      const up = this.#arrivedS > now.waitS ? this.#landing() : this.#level(now.viaM);
      return { ...velocityTo(body, now.home, 1), up, push: CRUISE };
    }
    const altM = Math.max(now.viaM, this.#holdAltM);
    const mayLeave = body.altM > altM - 1 || away < 5;
    const speed = mayLeave ? Math.min(this.speedMps, this.maxMps) : 0;
    return { ...velocityTo(body, now.home, speed), up: this.#level(altM), push: CRUISE };
  }

  #waitS(): number {
    return this.#now.kind === 'return' ? this.#now.waitS : 0;
  }

  #level(altM: number): number {
    return climbTo(this.body, altM, RATES);
  }

  #landing(): number {
    return this.body.altM > FINAL_M ? -RATES.descent : -FINAL_MPS;
  }
}
