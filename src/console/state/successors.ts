import type { Track } from '../../model/track.ts';
import { distanceAndCourse } from '../map/camera.ts';

/** Longest time between the last report of a lost track and the first report of its successor, ms. */
const MOST_GAP_MS = 60_000;
/** Time by which a successor may begin before the last report of the lost track, ms: a tracker starts it while it still doubts. */
const OVERLAP_MS = 5_000;
/** Distance that two positions of one aircraft may be apart without any movement, m. */
const SPREAD_M = 100;
/** Share by which an aircraft may have been faster than either track shows. */
const FASTER = 1.3;

type Seen = Pick<Track, 'id' | 'number' | 'state' | 'position' | 'velocity' | 'first_seen_at' | 'last_seen_at'> & {
  identities: readonly { type: string; value: string }[];
};

/**
 * Whether `track` began after a lost track and is there now. This excludes most of the many pairs. A tentative track may
 * be clutter.
 */
const isLater = (lost: Seen, track: Seen): boolean =>
  track.first_seen_at > lost.first_seen_at && (track.state === 'confirmed' || track.state === 'coasting');

/**
 * Whether `track` may be the aircraft of a lost track: it began about when the other ended, the aircraft can have flown
 * from one position to the other, and the identities do not differ.
 */
function mayBe(lost: Seen, track: Seen): boolean {
  if (!isLater(lost, track) || lost.position === null || track.position === null) return false;
  const endMs = Date.parse(lost.last_seen_at);
  const gapMs = Date.parse(track.first_seen_at) - endMs;
  if (gapMs < -OVERLAP_MS || gapMs > MOST_GAP_MS) return false;
  const speedMps = Math.max(lost.velocity?.speed_mps ?? 0, track.velocity?.speed_mps ?? 0);
  const flownM = (Math.max(0, Date.parse(track.last_seen_at) - endMs) / 1_000) * speedMps * FASTER;
  const { distanceM } = distanceAndCourse(lost.position, track.position);
  return distanceM <= SPREAD_M + flownM && !differ(lost, track);
}

/** Types of identities that a transmitter keeps from one track to the next. */
const lasting: ReadonlySet<string> = new Set(['serial', 'icao24', 'caa']);

const hasSameName = (a: Seen, b: Seen): boolean =>
  a.identities.some(
    ({ type, value }) => lasting.has(type) && b.identities.some((one) => one.type === type && one.value === value),
  );

/** Whether both tracks have an identity of one type with different values, such as two serial numbers. */
function differ(a: Seen, b: Seen): boolean {
  return a.identities.some(
    ({ type, value }) =>
      b.identities.some((one) => one.type === type) &&
      !b.identities.some((one) => one.type === type && one.value === value),
  );
}

const isLost = ({ state }: Seen): boolean => state === 'lost';

/**
 * Returns the track that perhaps continues a lost one: the only one with the same name, else the only one that can.
 * Null where several can, or where that track can continue another lost one: in a swarm, a guess would mislead.
 */
export function successorOf<T extends Seen>(lost: T, tracks: readonly T[]): T | null {
  if (!isLost(lost)) return null;
  const [named, another] = tracks.filter((track) => isLater(lost, track) && hasSameName(lost, track));
  if (named !== undefined && another === undefined) return named;
  const [first, second] = tracks.filter((track) => mayBe(lost, track));
  if (first === undefined || second !== undefined) return null;
  return tracks.some((other) => other.id !== lost.id && isLost(other) && mayBe(other, first)) ? null : first;
}

/** Returns the lost track that `track` perhaps continues, in the sense of `successorOf`; null if there is none. */
export function predecessorOf<T extends Seen>(track: T, tracks: readonly T[]): T | null {
  const isBefore = (lost: T): boolean =>
    isLost(lost) && isLater(lost, track) && successorOf(lost, tracks)?.id === track.id;
  return tracks.find(isBefore) ?? null;
}
