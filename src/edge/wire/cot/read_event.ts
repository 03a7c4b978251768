import type { RejectReason } from '../../../model/link.ts';
import type { CotMessage } from '../message.ts';
import type { RawEvent, RawNumber, RawPoint } from './raw_event.ts';

/** Value from which a height or an error counts as unknown, m. Senders write 9999999 (ATAK) or 999999. */
const UNKNOWN_FROM_M = 999_999;
/** Longest uid and call sign, characters. The model has the same limit for identities. */
const MOST_CHARACTERS = 120;
const LOWEST_M = -1_000;
const HIGHEST_M = 100_000;
const FASTEST_MPS = 2_000;
/** Limits of plausible times, UTC ms: the years 2000 and 2100. */
const EARLIEST_MS = 946_684_800_000;
const LATEST_MS = 4_102_444_800_000;
/** Prefix of the uids and flow tags of Dunlin boxes. */
const OWN = 'dunlin.';
/** `how` of a simulated object, and `opex` of an exercise or a simulation (MITRE event schema 2.0). */
const SIMULATED = 'm-s';
const notReal = /^[es]/;
/** Invisible characters, which could change the display of surrounding text. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const hiddenAll = new RegExp(hidden, 'gu');
/** Types of objects in the air: affiliation, then the battle dimension A. */
const inTheAir = /^a-[A-Za-z.]-A(-|$)/;

/**
 * Checks an event, and returns the message or the reason to refuse it. `malformed`: no uid or type, an invisible
 * character in the uid, an invalid or missing time or position, or text instead of a number. `length`: the uid is too
 * long. `unknown_type`: the event is not about an object in the air. `implausible`: a value is out of range, or the
 * position is 0, 0.
 *
 * `not_allowed`: this box or another Dunlin sent or forwarded the event, so accepting it would count one sighting
 * twice. `not_allowed` is also the reason for events of exercises and simulations.
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

/** False for values out of range, and for 0, 0, which senders without a fix report. */
function isPlausible({ lat, lon, hae }: RawPoint, speed: RawNumber): boolean {
  if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180) return false;
  if (lat === 0 && lon === 0) return false;
  const heightM = metres(hae);
  return (heightM === null || (heightM >= LOWEST_M && heightM <= HIGHEST_M)) && !(Number(speed) > FASTEST_MPS);
}

/** Returns a height in metres; null if it is unknown. */
function metres(value: RawNumber): number | null {
  return value === null || Number.isNaN(value) || value >= UNKNOWN_FROM_M ? null : value;
}

/** Returns an error in metres; null if it is unknown or 0, which senders write for an unknown error. */
function errorOf(value: RawNumber): number | null {
  const errorM = metres(value);
  return errorM === null || errorM <= 0 ? null : errorM;
}

/** Returns a speed; null if it is unknown, for which senders write −1. */
function speedOf(value: RawNumber): number | null {
  return value === null || Number.isNaN(value) || value < 0 ? null : value;
}

/**
 * Returns a course from 0 to below 360; null for values outside the circle, which senders write for an unknown
 * course.
 */
function courseOf(value: RawNumber): number | null {
  if (value === null || Number.isNaN(value) || value < 0 || value > 360) return null;
  return value === 360 ? 0 : value;
}
