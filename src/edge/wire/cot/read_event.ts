import type { RejectReason } from '../../../model/link.ts';
import type { CotMessage } from '../message.ts';
import type { RawEvent, RawNumber, RawPoint } from './raw_event.ts';

/** Value from which a height or an error is unknown. Senders write 9999999 (ATAK) or 999999. */
const UNKNOWN_FROM_M = 999_999;
/** Longest uid and callsign: those of the model's identities. */
const MOST_CHARACTERS = 120;
const LOWEST_M = -1_000;
const HIGHEST_M = 100_000;
const FASTEST_MPS = 2_000;
/** Year 2000 and 2100, UTC ms: a time outside is no time of an event. */
const EARLIEST_MS = 946_684_800_000;
const LATEST_MS = 4_102_444_800_000;
/** Beginning of the uids of a Dunlin box, and of its flow tags. */
const OWN = 'dunlin.';
/** `how` of a simulated object, and `opex` of an exercise or a simulation (MITRE event schema 2.0). */
const SIMULATED = 'm-s';
const notReal = /^[es]/;
/** Characters that are not seen: in a name they could change other text. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const hiddenAll = new RegExp(hidden, 'gu');
/** An object in the air: affiliation, then the battle dimension A. */
const inTheAir = /^a-[A-Za-z.]-A(-|$)/;

/**
 * Checks an event. Times that are missing or are none, and events without a point, are `malformed`; so is text where a
 * number belongs. Events about anything but an object in the air are `unknown_type`. An event that this box or another Dunlin
 * sent is `not_allowed`: taking it would count one sighting twice. So is one of an exercise or a simulation.
 */
export function readEvent(raw: RawEvent): CotMessage | RejectReason {
  const { uid, type, how, opex, timeMs, startMs, staleMs, point, detail } = raw;
  if (uid === '' || type === '') return 'malformed';
  if (uid.startsWith(OWN) || detail.flows.some((flow) => flow.startsWith(OWN))) return 'not_allowed';
  if (!inTheAir.test(type)) return 'unknown_type';
  if (how.startsWith(SIMULATED) || notReal.test(opex)) return 'not_allowed';
  if (hidden.test(uid)) return 'malformed';
  if (uid.length > MOST_CHARACTERS) return 'length';
  if (![timeMs, startMs, staleMs].every(isTime) || point === null) return 'malformed';
  const { course, speed, callsign, remarks } = detail;
  if ([...Object.values(point), course, speed].includes(null) || Number.isNaN(point.lat) || Number.isNaN(point.lon))
    return 'malformed';
  if (!isPlausible(point, speed)) return 'implausible';
  return {
    ...{ kind: 'cot', uid, type, how, timeMs, startMs, staleMs },
    ...{ latDeg: point.lat ?? 0, lonDeg: point.lon ?? 0 },
    altHaeM: metres(point.hae),
    ceM: errorOf(point.ce),
    leM: errorOf(point.le),
    courseDeg: courseOf(course),
    speedMps: speedOf(speed),
    callsign: callsign?.replaceAll(hiddenAll, ' ').trim().slice(0, MOST_CHARACTERS) || null,
    remarks,
  };
}

function isTime(utcMs: number): boolean {
  return utcMs >= EARLIEST_MS && utcMs <= LATEST_MS;
}

/** Senders without a fix put 0, 0. */
function isPlausible({ lat, lon, hae }: RawPoint, speed: RawNumber): boolean {
  if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180) return false;
  if (lat === 0 && lon === 0) return false;
  const heightM = metres(hae);
  return (heightM === null || (heightM >= LOWEST_M && heightM <= HIGHEST_M)) && !(Number(speed) > FASTEST_MPS);
}

/** Null for an unknown height. */
function metres(value: RawNumber): number | null {
  return value === null || Number.isNaN(value) || value >= UNKNOWN_FROM_M ? null : value;
}

/** An error of 0 is that of a sender which knows none. */
function errorOf(value: RawNumber): number | null {
  const errorM = metres(value);
  return errorM === null || errorM <= 0 ? null : errorM;
}

/** Senders write −1 for an unknown speed. */
function speedOf(value: RawNumber): number | null {
  return value === null || Number.isNaN(value) || value < 0 ? null : value;
}

/** 360 is north; a course outside the circle is the unknown value of a sender. */
function courseOf(value: RawNumber): number | null {
  if (value === null || Number.isNaN(value) || value < 0 || value > 360) return null;
  return value === 360 ? 0 : value;
}
