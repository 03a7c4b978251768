import { type Body, bank, circleWithWings, drift, groundSpeed, type Target, type Wings } from './flight.ts';

/** What a plane does: it goes straight up and out, or round a point, or on its way to a point it then goes round. */
export type PlaneManoeuvre =
  | { kind: 'parked' }
  | { kind: 'takeoff'; altM: number }
  | { kind: 'circle'; to: Target; radiusM: number; clockwise: boolean }
  | { kind: 'straight' };

const CLIMB_OUT = 5.8;

/** Flies a plane, which never stands still in the air. */
export class PlanePilot {
  readonly body: Body;
  readonly wings: Wings;
  speedMps: number;
  isLanded = true;
  manoeuvre: PlaneManoeuvre = { kind: 'parked' };
  readonly #cruiseMps: number;

  constructor(body: Body, cruiseMps: number, maxMps: number) {
    this.body = body;
    this.speedMps = cruiseMps;
    this.#cruiseMps = cruiseMps;
    this.wings = { minMps: 12, maxMps, bankDeg: 45, climb: 5, sink: 3 };
  }

  do(manoeuvre: PlaneManoeuvre): void {
    this.manoeuvre = manoeuvre;
  }

  resetSpeed(): void {
    this.speedMps = this.#cruiseMps;
  }

  step(dtS: number, isArmed: boolean): void {
    const { body, manoeuvre } = this;
    if (!isArmed) this.#fall(dtS);
    else if (this.isLanded && manoeuvre.kind !== 'takeoff') return;
    else if (manoeuvre.kind === 'takeoff') this.#climbOut(manoeuvre.altM, dtS);
    else if (manoeuvre.kind === 'circle') {
      const { to, radiusM, clockwise } = manoeuvre;
      circleWithWings(body, to, { radiusM, clockwise, speedMps: this.speedMps }, this.wings, dtS);
    } else this.#straight(0, dtS);
    drift(body, dtS);
    if (body.altM > 0.5) this.isLanded = false;
    else if (!this.isLanded && body.altM <= 0) this.#touch();
  }

  #climbOut(altM: number, dtS: number): void {
    this.#straight(this.body.altM < altM ? CLIMB_OUT : 0, dtS);
    if (groundSpeed(this.body) < 6) this.body.up = 0;
  }

  #straight(up: number, dtS: number): void {
    bank(this.body, (this.body.yawDeg * Math.PI) / 180, this.speedMps, this.wings, dtS);
    this.body.up = up;
  }

  #fall(dtS: number): void {
    if (!this.isLanded) this.body.up -= 9.81 * dtS;
  }

  #touch(): void {
    this.isLanded = true;
    Object.assign(this.body, { north: 0, east: 0, up: 0 });
    this.manoeuvre = { kind: 'parked' };
  }
}
