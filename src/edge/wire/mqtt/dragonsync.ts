import type { RejectReason } from '../../../model/link.ts';
import type { Identity } from '../../../model/observation.ts';
import { METRES_PER_FOOT, MPS_PER_KNOT } from '../../../model/units.ts';
import type { SbsMessage } from '../message.ts';
import type { OdidLocation, OdidMessage, OdidSystem } from '../odid/message.ts';
import { MAX_ALTITUDE_M } from '../odid/ranges.ts';
import { printableOf } from '../text_fields.ts';
import { type Members, macOf, numberOf, placeOf } from './fields.ts';
import type { BrokerContent } from './message.ts';

/**
 * Last levels of the topics that DragonSync receivers define (DragonSync, docs/mqtt-schema.md). The levels before them
 * are the prefix.
 */
const ownLevels = /\/(?:drones|aircraft|signals|drone\/.*|system\/.*|service\/.*|signals\/.*)$/;
const LONGEST_NAME = 60;
/** Last topic levels of Home Assistant entities, which only repeat data of the drone or signal (sinks/mqtt_sink.py). */
const entityLevels = new Set(
  ['', 'pilot_', 'home_'].flatMap((whose) => ['attrs', 'availability', 'state'].map((what) => `${whose}${what}`)),
);

/**
 * Reads the prefix of a DragonSync topic, and the content of topics without JSON. The payload `offline` on a topic of
 * the receiver means that the receiver is offline. On a topic of a drone, `offline` ends only the Home Assistant entity
 * of the drone and is ignored.
 */
export function readDragonSyncTopic(topic: string, payload: Buffer) {
  return { base: topic.replace(ownLevels, ''), ofTopic: topicContent(topic, payload) };
}

function topicContent(topic: string, payload: Buffer): BrokerContent | RejectReason | 'heard' | null {
  const levels = topic.split('/');
  const last = levels.pop() ?? '';
  const isOfEntity = levels.includes('drone') || levels.includes('signals');
  if (isOfEntity && entityLevels.has(last)) return 'heard';
  if (last !== 'availability') return null;
  const text = payload.toString('latin1');
  if (text !== 'offline' && text !== 'online') return 'malformed';
  if (text === 'online') return 'heard';
  const before = levels.pop();
  const isNamed = before !== 'system' && before !== 'service';
  return { kind: 'offline', receiver: isNamed ? printableOf(before, LONGEST_NAME) : null };
}

/** Reads one JSON object of DragonSync. Its members determine its kind, because owners may choose other topics. */
export function readDragonSync(object: Members, isRetained: boolean): BrokerContent | RejectReason {
  const seconds = numberOf(object.observed_at ?? object.updated, 1, 1e11);
  const reported = {
    receiver: printableOf(object.seen_by, LONGEST_NAME),
    sourceMs: seconds === null ? null : Math.round(seconds * 1_000),
    isRetained,
  };
  const id = printableOf(object.id, 120);
  if (object.track_type === 'aircraft' || 'icao' in object) return aircraft(object, reported);
  if (id?.startsWith('drone-')) return drone(object, reported, id.slice('drone-'.length));
  if ('signal_type' in object || 'center_hz' in object) return signal(object, reported);
  if (id !== null && ('uptime_s' in object || 'cpu_usage' in object)) return kit(object, { ...reported, receiver: id });
  return 'unknown_type';
}

type Reported = { receiver: string | null; sourceMs: number | null; isRetained: boolean };

/** Converts a frequency from MHz, the unit of DragonSync, to Hz; null out of range. */
const hzOf = (mhz: unknown): number | null => {
  const value = numberOf(mhz, 1, 300_000);
  return value === null ? null : value * 1e6;
};
const rssiOf = (value: unknown): number | null => numberOf(value, -200, -1);

const transports: readonly [RegExp, Identity['transport']][] = [
  [/nan/i, 'wifi_nan'],
  [/wi-?fi/i, 'wifi_beacon'],
  [/long|coded|b(?:le|t)-?5/i, 'bt5'],
  [/ble|bt|bluetooth/i, 'bt4'],
];

function transportOf(value: unknown): Identity['transport'] {
  return transports.find(([words]) => typeof value === 'string' && words.test(value))?.[1] ?? 'other';
}

/** Suffix of the id `drone-alert`, which a receiver sends for alerts without an identity. */
const NOBODY = 'alert';

function drone(object: Members, reported: Reported, name: string): BrokerContent | RejectReason {
  const home = placeOf(object.home_lat, object.home_lon);
  const { latDeg: lat, lonDeg: lon } = home;
  const isNobody = name === NOBODY;
  return {
    kind: 'remote_id',
    ...reported,
    mac: isNobody ? null : macOf(object.mac),
    name: isNobody ? null : name,
    transport: transportOf(object.transport),
    rssiDbm: rssiOf(object.rssi),
    centerHz: hzOf(object.freq_mhz),
    messages: isNobody ? [] : [...identities(object, name), location(object), ...operator(object)],
    sigmaHM: numberOf(object.gps_accuracy, 0.1, 100_000),
    takeoff: lat === null || lon === null ? null : { lat, lon },
  };
}

const SERIAL = 1;
const CAA = 2;
const SESSION = 4;
const MOST_UA_TYPE = 15;

/**
 * Returns the identities of a drone. Its id is a serial number, CAA registration or session id only if `id_type` says
 * so; otherwise it may be an address, or an id that the receiver made up.
 */
function identities(object: Members, name: string): OdidMessage[] {
  const uaType = numberOf(object.ua_type, 0, MOST_UA_TYPE) ?? 0;
  const type = printableOf(object.id_type, 60) ?? '';
  const idType = /serial/i.test(type)
    ? SERIAL
    : /caa|registration/i.test(type)
      ? CAA
      : /session/i.test(type)
        ? SESSION
        : 0;
  const registration = printableOf(object.caa_id, 20);
  const own: OdidMessage = { type: 'basic_id', idType, uaType, uasId: idType === 0 ? null : name };
  if (registration === null || idType === CAA) return [own];
  return [own, { type: 'basic_id', idType: CAA, uaType, uasId: registration }];
}

const statuses: Readonly<Record<string, number>> = { ground: 1, airborne: 2, emergency: 3 };
const GROUND_REFERENCE = 1;

function location(object: Members): OdidLocation {
  const { latDeg, lonDeg, isPossible } = placeOf(object.lat, object.lon);
  const course = numberOf(object.direction, 0, 360);
  const status = printableOf(object.op_status, 40)?.toLowerCase() ?? '';
  return {
    type: 'location',
    ...{ latDeg, lonDeg, implausible: !isPossible },
    status: (Object.hasOwn(statuses, status) ? statuses[status] : undefined) ?? 0,
    directionDeg: course === 360 ? 0 : course,
    speedHMps: numberOf(object.speed, 0, 254.25),
    speedVMps: numberOf(object.vspeed, -62, 62),
    altBaroM: altitudeOf(object.pressure_altitude),
    // The range check removes values such as 65531, which are negative 16-bit numbers read as unsigned.
    altGeoM: altitudeOf(object.alt),
    heightM: numberOf(object.height, -999, MAX_ALTITUDE_M),
    heightRef: /ground|agl/i.test(printableOf(object.height_type, 40) ?? '') ? GROUND_REFERENCE : 0,
    ...{ hAcc: 0, vAcc: 0, baroAcc: 0, speedAcc: 0, tsAcc: 0, secondsAfterHour: null },
  };
}

/** Reads an altitude, m; null out of range, and for exactly 0, which DragonSync writes for an unknown altitude. */
function altitudeOf(value: unknown): number | null {
  return value === 0 ? null : numberOf(value, -999, MAX_ALTITUDE_M);
}

const LIVE_GNSS = 1;

/**
 * Returns the position and the id of the operator. The position is never the take-off position, because DragonSync
 * reports take-offs separately.
 */
function operator(object: Members): OdidMessage[] {
  const { latDeg, lonDeg, isPossible } = placeOf(object.pilot_lat, object.pilot_lon);
  const operatorId = printableOf(object.operator_id, 20);
  const system: OdidSystem = {
    type: 'system',
    ...{ operatorLatDeg: latDeg, operatorLonDeg: lonDeg, implausible: !isPossible, operatorLocationType: LIVE_GNSS },
    ...{ operatorAltGeoM: null, classificationType: 0, areaCount: 0, areaRadiusM: 0, areaCeilingM: null },
    ...{ areaFloorM: null, categoryEu: 0, classEu: 0, timestampUnixS: null },
  };
  const id: OdidMessage[] = operatorId === null ? [] : [{ type: 'operator_id', operatorIdType: 0, operatorId }];
  return [...(latDeg === null && isPossible ? [] : [system]), ...id];
}

function aircraft(object: Members, reported: Reported): BrokerContent | RejectReason {
  const icao = printableOf(object.icao, 7)?.toUpperCase() ?? '';
  if (!/^~?[0-9A-F]{6}$/.test(icao)) return 'malformed';
  const place = placeOf(object.lat, object.lon);
  if (!place.isPossible) return 'implausible';
  const scaled = (value: unknown, min: number, max: number, unit: number): number | null => {
    const read = numberOf(value, min, max);
    return read === null ? null : read * unit;
  };
  const course = numberOf(object.track, 0, 360);
  const sbs: SbsMessage = {
    kind: 'sbs',
    transmission: 3,
    icao24: icao.replace('~', ''),
    nonIcao: icao.startsWith('~'),
    callsign: printableOf(object.callsign, 8),
    altPressureM: scaled(object.alt, -2_000, 126_700, METRES_PER_FOOT),
    speedMps: scaled(object.speed, 0, 4_100, MPS_PER_KNOT),
    courseDeg: course === 360 ? 0 : course,
    ...{ latDeg: place.latDeg, lonDeg: place.lonDeg },
    climbMps: scaled(object.vertical_rate, -32_640, 32_640, METRES_PER_FOOT / 60),
    squawk: printableOf(object.squawk, 4),
    emergency: null,
    onGround: typeof object.on_ground === 'boolean' ? object.on_ground : null,
  };
  return { kind: 'aircraft', ...reported, sbs };
}

/** Reads a video downlink. The position in `object` is ignored: it is the receiver's, not the transmitter's. */
function signal(object: Members, reported: Reported): BrokerContent {
  return {
    kind: 'signal',
    ...reported,
    centerHz: numberOf(object.center_hz, 1, 1e12),
    bandwidthHz: numberOf(object.bandwidth_hz, 1, 1e12),
    rssiDbm: rssiOf(object.rssi),
  };
}

function kit(object: Members, reported: Reported): BrokerContent | RejectReason {
  const { latDeg: lat, lonDeg: lon, isPossible } = placeOf(object.latitude, object.longitude);
  if (!isPossible) return 'implausible';
  const altHaeM = altitudeOf(object.hae);
  const place = lat === null || lon === null ? null : { lat, lon, altMslM: null, altHaeM };
  return { kind: 'heartbeat', ...reported, place };
}
