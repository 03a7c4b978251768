import type { Payload } from '../../edge/wire/mavlink/write.ts';
import { writeOdid } from '../../edge/wire/mavlink/write_odid.ts';
import type { OdidLocation, OdidMessage } from '../../edge/wire/odid/message.ts';
import { MAX_ALTITUDE_M, UNKNOWN_ALTITUDE_M } from '../../edge/wire/odid/ranges.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { ScenarioActor } from '../../model/scenario.ts';
import type { FlightType } from '../aircraft/flight/limits.ts';
import type { Chance } from '../kernel/chance.ts';

export type RemoteIdSpec = NonNullable<ScenarioActor['remote_id']>;

/** F3411 requires static messages at least every three seconds. */
const STATIC_EVERY_MS = 3_000;
const HOUR_MS = 3_600_000;
/** Values of the MAVLink enum MAV_ODID_UA_TYPE. */
const uaTypeOf: Record<FlightType, number> = { fixed_wing: 1, multirotor: 2, helicopter: 2, vtol: 4, bird: 5 };
const SERIAL_NUMBER = 1;
const [TAKEOFF, LIVE_GNSS] = [0, 1];
const [ON_GROUND, AIRBORNE] = [1, 2];

/**
 * 95 % of normally distributed errors are within this many standard deviations. The accuracy classes of F3411-22a,
 * table 9, are defined by limits for 95 % of the errors.
 */
const WITHIN_95 = 2;
const H_CLASSES = [18_520, 7_408, 3_704, 1_852, 926, 555.6, 185.2, 92.6, 30, 10, 3, 1];
const V_CLASSES = [150, 45, 25, 10, 3, 1];
const SPEED_WITHIN_1_MPS = 3;

/** Returns the narrowest class whose limit is not exceeded, counted from 1; 0 (unknown) if there is none. */
function classOf(sigmaM: number, bounds: readonly number[]): number {
  return bounds.filter((bound) => bound >= sigmaM * WITHIN_95).length;
}

/** Ratio of height errors to position errors. */
export const HEIGHT_FACTOR = 1.5;
export const SPEED_SIGMA_MPS = 0.2;

/** State of an aircraft, as it is or as its transmitter claims it. */
export type Reported = {
  place: Geodetic;
  /** Height above the take-off point, m. */
  heightM: number;
  courseDeg: number;
  speedMps: number;
  climbMps: number;
  airborne: boolean;
};

type RemoteIdVoice = (reported: Reported, atMs: number) => Payload[];
type PilotPosition = Geodetic & { isLive: boolean };

/**
 * Creates a Remote ID transmitter. Each call returns the messages of the next broadcast, in the form in which receivers
 * forward them in MAVLink. Each broadcast has a location. The static messages are spread over the broadcasts of three
 * seconds (`STATIC_EVERY_MS`).
 */
export function remoteIdVoice(
  spec: RemoteIdSpec,
  type: FlightType,
  pilot: PilotPosition,
  chance: Chance,
): RemoteIdVoice {
  const uasId = spec.serial ?? serialOf(chance);
  const tag = { mac: macOf(chance) };
  const write = (message: OdidMessage): Payload => writeOdid(tag, message);
  const sigmaM = Math.max(spec.sigma_m, 0.1);
  const accuracy = { hAcc: classOf(sigmaM, H_CLASSES), vAcc: classOf(sigmaM * HEIGHT_FACTOR, V_CLASSES) };
  const basicId = write({ type: 'basic_id', idType: SERIAL_NUMBER, uaType: uaTypeOf[type], uasId });
  const { operator_id: operatorId } = spec;
  const operator = operatorId === undefined ? null : write({ type: 'operator_id', operatorIdType: 0, operatorId });
  const staticEvery = Math.max(1, Math.round(STATIC_EVERY_MS / (spec.period_s * 1000)));
  let count = 0;
  return (sent, atMs) => {
    const turn = count++ % staticEvery;
    const due = (nth: number): boolean => turn === Math.min(nth, staticEvery - 1);
    const messages: Payload[] = [];
    if (due(0)) messages.push(basicId);
    messages.push(write({ ...locationOf(sent, atMs), ...accuracy }));
    if (due(1)) messages.push(write(systemOf(pilot, atMs)));
    if (due(2) && operator) messages.push(operator);
    return messages;
  };
}

/**
 * Returns a location with the resolution of the protocol: altitude 0.5 m, direction 1°, speed 0.25 m/s (0.75 m/s above
 * 63.75 m/s), time 0.1 s. The climb rate is rounded toward zero to 0.5 m/s.
 */
function locationOf(
  { place, heightM, courseDeg, speedMps, climbMps, airborne }: Reported,
  atMs: number,
): Omit<OdidLocation, 'hAcc' | 'vAcc'> {
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
    baroAcc: 0,
    speedAcc: SPEED_WITHIN_1_MPS,
    tsAcc: 1,
    secondsAfterHour: Math.round((((atMs % HOUR_MS) + HOUR_MS) % HOUR_MS) / 100) / 10,
    implausible: false,
  };
}

function systemOf({ latDeg, lonDeg, altHaeM, isLive }: PilotPosition, atMs: number): OdidMessage {
  return {
    type: 'system',
    operatorLocationType: isLive ? LIVE_GNSS : TAKEOFF,
    classificationType: 0,
    operatorLatDeg: latDeg,
    operatorLonDeg: lonDeg,
    ...{ areaCount: 1, areaRadiusM: 0, areaCeilingM: null, areaFloorM: null, categoryEu: 0, classEu: 0 },
    operatorAltGeoM: quantisedAltitude(altHaeM),
    timestampUnixS: Math.floor(atMs / 1000),
    implausible: false,
  };
}

/** Returns an altitude with the resolution of the protocol; null (unknown) if the field cannot hold it. */
function quantisedAltitude(metres: number): number | null {
  const rounded = Math.round(metres * 2) / 2;
  return rounded > UNKNOWN_ALTITUDE_M && rounded <= MAX_ALTITUDE_M ? rounded : null;
}

function quantisedSpeed(mps: number): number {
  return mps <= 63.75 ? Math.round(mps * 4) / 4 : Math.min(63.75 + Math.round((mps - 63.75) / 0.75) * 0.75, 254.25);
}

const SERIAL_LETTERS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Returns a serial that is well formed by ANSI/CTA-2063-A, with an unassigned manufacturer code. `F` announces 15 more
 * characters.
 */
export function serialOf(chance: Chance): string {
  let serial = '9Z9ZF';
  for (let i = 0; i < 15; i++) serial += SERIAL_LETTERS[chance.below(SERIAL_LETTERS.length)];
  return serial;
}

/** Returns a locally administered MAC address. */
function macOf(chance: Chance): string {
  const bytes = Array.from({ length: 6 }, (_, i) => (i === 0 ? (chance.below(64) << 2) | 2 : chance.below(256)));
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(':');
}
