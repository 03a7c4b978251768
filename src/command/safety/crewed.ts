import type { Refusal } from '../../model/fleet.ts';
import type { Classification } from '../../model/observation.ts';
import type { Track } from '../../model/track.ts';
import { type Verb, verbs } from '../../model/verb.ts';
import { motionOf, nearestMeeting } from './motion.ts';
import { type LocalLeg, metres } from './move.ts';
import { type Path, pathOn, staysClear } from './path.ts';

/** Time ahead for which conflicts with crewed aircraft are checked, s. */
export const CREWED_AHEAD_S = 30;
/**
 * Height difference beyond which a crewed aircraft is no conflict, m. The horizontal separation is the policy's
 * `crewed_separation_m`.
 */
const CREWED_VERTICAL_M = 150;

const CREWED_FROM = 0.5;
const carryPeople: ReadonlySet<Classification['type']> = new Set([
  'crewed_aircraft',
  'helicopter',
  'airship',
  'glider',
  'balloon',
]);
/** Speed above which an aircraft counts as flying although it reports to be on the ground, m/s. */
const FASTEST_TAXI_MPS = 30;

/**
 * True if people may be on board, judged by the track's classification or by an ICAO address. False for an aircraft
 * that reports to be on the ground and is slower than `FASTEST_TAXI_MPS`.
 */
export function mayBeCrewed({ classification, identities, status, velocity }: Track): boolean {
  if (status === 'ground' && (velocity?.speed_mps ?? 0) < FASTEST_TAXI_MPS) return false;
  if (identities.some(({ type }) => type === 'icao24')) return true;
  return classification.some(({ type, confidence }) => carryPeople.has(type) && confidence >= CREWED_FROM);
}

/**
 * Returns a refusal if an aircraft with people on board is, or within 30 s will be, too near to a vehicle on a leg;
 * else null.
 */
export function crewedRefusal(
  leg: LocalLeg,
  speedMps: number,
  verb: Verb | undefined,
  path: Path,
  separationM: number,
): Refusal | null {
  // Verbs that bring a vehicle to rest are allowed, because crewed traffic requires exactly that.
  if ((verb && verbs[verb].toRest) || !mayBeCrewed(path.track)) return null;
  if (staysClear(path, leg, separationM)) return null;
  const theirs = pathOn(path, leg.chart, 0, CREWED_AHEAD_S);
  const meeting = nearestMeeting(motionOf(leg, speedMps), theirs, CREWED_AHEAD_S, CREWED_VERTICAL_M);
  if (!meeting || meeting.distanceM >= separationM) return null;
  const when = meeting.inS < 1 ? 'is now' : `will be in ${Math.round(meeting.inS)} s`;
  const text = `the crewed aircraft ${path.track.number} ${when} ${metres(meeting.distanceM)} away; the least distance is ${metres(separationM)}`;
  return { reason: 'crewed_traffic', text };
}
