import type { Refusal } from '../../model/fleet.ts';
import type { Classification } from '../../model/observation.ts';
import type { Track } from '../../model/track.ts';
import type { Verb } from '../../model/verb.ts';
import { type Course, courseOn, staysClear } from './course.ts';
import { motionOf, nearestMeeting } from './motion.ts';
import { metres, type Way } from './move.ts';

/** So far ahead the two are looked at, as both fly. */
export const CREWED_AHEAD_S = 30;
/** What is higher or lower by so much is clear of a crewed aircraft. How far aside is the policy's `crewed_separation_m`. */
export const CREWED_VERTICAL_M = 150;

const CREWED_FROM = 0.5;
const carryPeople: ReadonlySet<Classification['type']> = new Set([
  'crewed_aircraft',
  'helicopter',
  'airship',
  'glider',
  'balloon',
]);
/** What brings a vehicle to rest or down is never refused because somebody comes: it is what is to be done then. */
const yielding: ReadonlySet<Verb> = new Set(['hold', 'return_home', 'land']);
/** Who says that it is on the ground and is faster, is not. */
const FASTEST_TAXI_MPS = 30;

/** Whether people may be on board: as it is classified, or because it has an address of crewed aviation. */
export function mayBeCrewed({ classification, identities, status, velocity }: Track): boolean {
  if (status === 'ground' && (velocity?.speed_mps ?? 0) < FASTEST_TAXI_MPS) return false;
  if (identities.some(({ type }) => type === 'icao24')) return true;
  return classification.some(({ type, confidence }) => carryPeople.has(type) && confidence >= CREWED_FROM);
}

/** Why a vehicle may not move because of an aircraft with people on board that is near or comes near, or null. */
export function crewedRefusal(
  way: Way,
  speedMps: number,
  verb: Verb | undefined,
  course: Course,
  separationM: number,
): Refusal | null {
  if ((verb && yielding.has(verb)) || !mayBeCrewed(course.track)) return null;
  if (staysClear(course, way, separationM)) return null;
  const theirs = courseOn(course, way.chart, 0, CREWED_AHEAD_S);
  const meeting = nearestMeeting(motionOf(way, speedMps), theirs, CREWED_AHEAD_S, CREWED_VERTICAL_M);
  if (!meeting || meeting.distanceM >= separationM) return null;
  const when = meeting.inS < 1 ? 'is now' : `will be in ${Math.round(meeting.inS)} s`;
  const text = `the crewed aircraft ${course.track.number} ${when} ${metres(meeting.distanceM)} away, which is to be kept at ${metres(separationM)}`;
  return { reason: 'crewed_traffic', text };
}
