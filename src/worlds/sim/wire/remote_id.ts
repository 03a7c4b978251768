import type { Payload } from '../../../edge/wire/mavlink/write.ts';
import { writeOdid } from '../../../edge/wire/mavlink/write_odid.ts';
import type { OdidLocation, OdidMessage } from '../../../edge/wire/odid/message.ts';
import { MAX_ALTITUDE_M, UNKNOWN_ALTITUDE_M } from '../../../edge/wire/odid/ranges.ts';
import type { ScenarioActor } from '../../../model/scenario.ts';
import type { Chance } from '../chance.ts';
import type { FlightType } from '../flight/limits.ts';
import type { Geodetic } from '../site.ts';

export type RemoteIdSpec = NonNullable<ScenarioActor['remote_id']>;

/** F3411 has what does not change told at least every three seconds. */
const STATIC_EVERY_MS = 3_000;
const HOUR_MS = 3_600_000;
/** MAV_ODID_UA_TYPE. */
const uaTypeOf: Record<FlightType, number> = { fixed_wing: 1, multirotor: 2, helicopter: 2, vtol: 4, bird: 5 };
const SERIAL_NUMBER = 1;
const [TAKEOFF, LIVE_GNSS] = [0, 1];
const [ON_GROUND, AIRBORNE] = [1, 2];

/** 95 % of a normal error lie within two standard deviations, and that is what the classes bound (F3411-22a table 9). */
const WITHIN_95 = 2;
const H_CLASSES = [18_520, 7_408, 3_704, 1_852, 926, 555.6, 185.2, 92.6, 30, 10, 3, 1];
const V_CLASSES = [150, 45, 25, 10, 3, 1];
const SPEED_WITHIN_1_MPS = 3;

/** The last class whose bound holds, counted from 1; 0, unknown, where none does. */
function classOf(sigmaM: number, bounds: readonly number[]): number {
  return bounds.filter((bound) => bound >= sigmaM * WITHIN_95).length;
}

/** How much worse heights are than places. */
export const HEIGHT_FACTOR = 1.5;
export const SPEED_SIGMA_MPS = 0.2;

/** What is true of an aircraft, or what a transmitter says is. */
export type Told = {
  place: Geodetic;
  /** Above where it took off. */
  heightM: number;
  courseDeg: number;
  speedMps: number;
  climbMps: number;
  airborne: boolean;
};

/** What one Remote ID transmitter broadcasts, message by message, as receivers hand it on in MAVLink. */
export class RemoteIdVoice {
  readonly serial: string;
  readonly spec: RemoteIdSpec;
  readonly #tag: { mac: string };
  readonly #accuracy: { hAcc: number; vAcc: number };
  readonly #basicId: Payload;
  readonly #operatorId: Payload | null;
  readonly #pilot: Geodetic & { isLive: boolean };
  readonly #staticEvery: number;
  #count = 0;

  constructor(spec: RemoteIdSpec, type: FlightType, pilot: Geodetic & { isLive: boolean }, chance: Chance) {
    this.spec = spec;
    this.serial = spec.serial ?? serialOf(chance);
    this.#tag = { mac: macOf(chance) };
    this.#pilot = pilot;
    const sigma = Math.max(spec.sigma_m, 0.1);
    this.#accuracy = { hAcc: classOf(sigma, H_CLASSES), vAcc: classOf(sigma * HEIGHT_FACTOR, V_CLASSES) };
    this.#basicId = this.#write({
      type: 'basic_id',
      idType: SERIAL_NUMBER,
      uaType: uaTypeOf[type],
      uasId: this.serial,
    });
    this.#operatorId =
      spec.operator_id === undefined
        ? null
        : this.#write({ type: 'operator_id', operatorIdType: 0, operatorId: spec.operator_id });
    this.#staticEvery = Math.max(1, Math.round(STATIC_EVERY_MS / (spec.period_s * 1000)));
  }

  /** What it says next; what does not change is spread between its places. */
  speak(told: Told, atMs: number): Payload[] {
    const turn = this.#count++ % this.#staticEvery;
    const due = (nth: number): boolean => turn === Math.min(nth, this.#staticEvery - 1);
    const said: Payload[] = [];
    if (due(0)) said.push(this.#basicId);
    said.push(this.#write(this.#location(told, atMs)));
    if (due(1)) said.push(this.#write(this.#system(atMs)));
    if (due(2) && this.#operatorId) said.push(this.#operatorId);
    return said;
  }

  #write(message: OdidMessage): Payload {
    return writeOdid(this.#tag, message);
  }

  /** Rounded as on air: half metres, whole degrees, quarters of a metre a second, halves of climb toward zero, tenths of a second. */
  #location({ place, heightM, courseDeg, speedMps, climbMps, airborne }: Told, atMs: number): OdidLocation {
    return {
      type: 'location',
      status: airborne ? AIRBORNE : ON_GROUND,
      latDeg: place.latDeg,
      lonDeg: place.lonDeg,
      directionDeg: Math.round(courseDeg) % 360,
      speedHMps: quantisedSpeed(speedMps),
      speedVMps: Math.trunc(Math.min(Math.max(climbMps, -62), 62) * 2) / 2,
      altBaroM: null,
      altGeoM: quantisedAltitude(place.altHaeM),
      heightM: quantisedAltitude(heightM),
      heightRef: 0,
      ...this.#accuracy,
      baroAcc: 0,
      speedAcc: SPEED_WITHIN_1_MPS,
      tsAcc: 1,
      secondsAfterHour: Math.round((((atMs % HOUR_MS) + HOUR_MS) % HOUR_MS) / 100) / 10,
      implausible: false,
    };
  }

  #system(atMs: number): OdidMessage {
    const { latDeg, lonDeg, altHaeM, isLive } = this.#pilot;
    return {
      type: 'system',
      operatorLocationType: isLive ? LIVE_GNSS : TAKEOFF,
      classificationType: 0,
      operatorLatDeg: latDeg,
      operatorLonDeg: lonDeg,
      areaCount: 1,
      areaRadiusM: 0,
      areaCeilingM: null,
      areaFloorM: null,
      categoryEu: 0,
      classEu: 0,
      operatorAltGeoM: quantisedAltitude(altHaeM),
      timestampUnixS: Math.floor(atMs / 1000),
      implausible: false,
    };
  }
}

/** What the field cannot hold is said to be unknown. */
function quantisedAltitude(metres: number): number | null {
  const rounded = Math.round(metres * 2) / 2;
  return rounded > UNKNOWN_ALTITUDE_M && rounded <= MAX_ALTITUDE_M ? rounded : null;
}

function quantisedSpeed(mps: number): number {
  return mps <= 63.75 ? Math.round(mps * 4) / 4 : Math.min(63.75 + Math.round((mps - 63.75) / 0.75) * 0.75, 254.25);
}

const SERIAL_LETTERS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Well formed by ANSI/CTA-2063-A, of a maker that nobody is; `F` says that 15 characters follow. */
export function serialOf(chance: Chance): string {
  let serial = '9Z9ZF';
  for (let i = 0; i < 15; i++) serial += SERIAL_LETTERS[chance.below(SERIAL_LETTERS.length)];
  return serial;
}

/** Of the range that anybody may give himself. */
function macOf(chance: Chance): string {
  const bytes = Array.from({ length: 6 }, (_, i) => (i === 0 ? (chance.below(64) << 2) | 2 : chance.below(256)));
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(':');
}
