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

/**
 * Time after its last report for which a lost track may find its successor, ms. Later, each aircraft would have come
 * within reach.
 */
const DECIDED_MS = MOST_GAP_MS + 30_000;
/** Limit of the decisions that are kept. */
const MOST_KEPT = 500;

/**
 * Decisions about the successors of lost tracks. Each is made once, when a first track can be one: what could be decided
 * later depends on the tracks that have ended meanwhile.
 */
export class Successors {
  readonly #decided = new Map<string, string | null>();

  /** Takes the tracks as they are now; to be called about once a second. */
  look(tracks: readonly Seen[]): void {
    const newestMs = Math.max(...tracks.map(({ last_seen_at }) => Date.parse(last_seen_at)));
    for (const lost of tracks) {
      if (!isLost(lost) || this.#decided.has(lost.id)) continue;
      const found = successorOf(lost, tracks);
      const isOver = newestMs - Date.parse(lost.last_seen_at) > DECIDED_MS;
      if (isOver) this.#decide(lost.id, null);
      else if (found !== null || tracks.some((track) => mayBe(lost, track))) this.#decide(lost.id, found?.id ?? null);
    }
  }

  #decide(id: string, successor: string | null): void {
    this.#decided.set(id, successor);
    const [oldest] = this.#decided.keys();
    if (this.#decided.size > MOST_KEPT && oldest !== undefined) this.#decided.delete(oldest);
  }

  /** The id of the track that perhaps continues a lost or closed one; null if none is known. */
  of(lostId: string): string | null {
    return this.#decided.get(lostId) ?? null;
  }

  /** The id of the lost track that a track perhaps continues; null if none is known. */
  before(id: string): string | null {
    for (const [lostId, successor] of this.#decided) if (successor === id) return lostId;
    return null;
  }
}

const isLost = ({ state }: Seen): boolean => state === 'lost';

/**
 * Returns the track that perhaps continues a lost one: the only one with the same name, else the only one that can.
 * Null where several can, or where that track can continue another lost one: in a swarm, a guess would mislead.
 */
export function successorOf<T extends Seen>(lost: T, tracks: readonly T[]): T | null {
  if (!isLost(lost)) return null;
  const named = namedSuccessor(lost, tracks);
  if (named !== null) return named;
  const [first, second] = tracks.filter((track) => mayBe(lost, track));
  if (first === undefined || second !== undefined) return null;
  return tracks.some((other) => other.id !== lost.id && isLost(other) && mayBe(other, first)) ? null : first;
}

/** Returns the only track with the name of a lost or closed one that began after it; null if there is none. */
export function namedSuccessor<T extends Seen>(lost: T, tracks: readonly T[]): T | null {
  const [named, another] = tracks.filter((track) => isLater(lost, track) && hasSameName(lost, track));
  return another === undefined ? (named ?? null) : null;
}
