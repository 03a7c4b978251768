import type { FilterBank, PositionObservation } from '../geo/filter_bank.ts';
import type { Observation } from '../model/observation.ts';
import type { TrackRecord } from './track_record.ts';

/** Squared Mahalanobis distance inside which a plot may be a track's: 3 degrees of freedom, tuned in tracking practice. */
const GATE = 21;
/** A first identity is bound to an anonymous track only where no other is nearly as near. */
const BIND_GATE = 20;
const BIND_MARGIN = 15;
/** Faster than anything that is tracked here, crewed aircraft included. */
const MAX_SPEED_MPS = 350;
const JUMP_SLACK_M = 300;
/** Two tracks that carry identities of one aircraft are that aircraft when they are so near each other. */
const MERGE_RADIUS_M = 200;
const MAX_MERGE_SLACK_M = 300;

/** The address that sent it, as far as the observation says. */
export function transmitterOf(observation: Observation): string | null {
  const address = observation.identities.find((i) => i.type === 'mac' || i.type === 'icao24' || i.type === 'mavlink');
  return address ? `${address.type}:${address.value}` : null;
}

/**
 * Whether an observation that names a track can be that aircraft: it has no position to contradict it, comes from the
 * same transmitter, or is where the aircraft could have flown.
 */
export function fits(
  bank: FilterBank,
  track: TrackRecord,
  observation: Observation,
  position: PositionObservation | null,
): boolean {
  if (track.slot === null || position === null) return true;
  const transmitter = transmitterOf(observation);
  if (transmitter !== null && transmitter === track.transmitter) return true;
  const { metres, seconds } = bank.separation(track.slot, position);
  return metres <= JUMP_SLACK_M + position.sdHM * 3 + MAX_SPEED_MPS * seconds;
}

/** Whether the position is farther from the track than it could have flown since: a jump, to be begun anew. */
export function jumped(bank: FilterBank, slot: number, position: PositionObservation): boolean {
  const { metres, seconds } = bank.separation(slot, position);
  return metres > JUMP_SLACK_M + position.sdHM * 3 + MAX_SPEED_MPS * seconds;
}

/** Whether `other` carries a serial that `track` does not: then they are two aircraft, or one of them lies. */
export function hasOwnSerial(other: TrackRecord, track: TrackRecord): boolean {
  for (const [key, { type }] of other.identities) if (type === 'serial' && !track.identities.has(key)) return true;
  return false;
}

/**
 * Whether two tracks that one observation names are in one place, as far as they have places. The tracks are compared,
 * not the observation with them: it says itself how wrong it may be, and with no position it says nothing.
 */
export function sameAircraft(
  bank: FilterBank,
  other: TrackRecord,
  track: TrackRecord,
  position: PositionObservation | null,
): boolean {
  if (other.slot === null || track.slot === null) return true;
  const slackM = Math.min(MAX_MERGE_SLACK_M, 3 * (position?.sdHM ?? 0));
  return bank.apartM(other.slot, track.slot) <= MERGE_RADIUS_M + slackM;
}

/** The slot that an anonymous plot belongs to: the nearest inside the gate, or null. */
export function nearestSlot(bank: FilterBank, position: PositionObservation): number | null {
  const distances = bank.gate(position, GATE);
  let best: number | null = null;
  let bestDistance = GATE;
  distances.forEach((distance, slot) => {
    if (distance <= bestDistance) [best, bestDistance] = [slot, distance];
  });
  return best;
}

/** The anonymous track that a newly heard identity belongs to, where that is beyond doubt. */
export function bindableSlot(
  bank: FilterBank,
  position: PositionObservation,
  isAnonymous: (slot: number) => boolean,
): number | null {
  const distances = bank.gate(position, BIND_GATE + BIND_MARGIN);
  let best: number | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  let second = Number.POSITIVE_INFINITY;
  distances.forEach((distance, slot) => {
    if (distance < bestDistance) [best, bestDistance, second] = [slot, distance, bestDistance];
    else if (distance < second) second = distance;
  });
  if (best === null || bestDistance > BIND_GATE || second - bestDistance < BIND_MARGIN) return null;
  return isAnonymous(best) ? best : null;
}
