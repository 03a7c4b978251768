import type { TrackFacts } from './facts.ts';

/**
 * A flood: at least `least` tracks that are known only from their own reports, and that began within one time window.
 * It ends only when fewer than half of `least` members remain, so that it does not flicker. A track that a sensor
 * detects leaves the flood at once.
 */
export class Flood {
  readonly #belongs: (track: TrackFacts) => boolean;
  #members = new Set<string>();
  /** Ids of former members that are now lost tracks. During a flood of suspect claims, other rules ignore these tracks. */
  #gone = new Set<string>();
  /**
   * Times at which the members began, ms. A claim joins the flood if it begins within the time window of one of these
   * times.
   */
  #begunMs: number[] = [];

  /** `belongs` decides whether a track can be a member. */
  constructor(belongs: (track: TrackFacts) => boolean) {
    this.#belongs = belongs;
  }

  /**
   * Updates the flood and returns the ids of its members. `tracks` must be sorted by number. `least` is the number of
   * tracks that make a flood (`flood_n` or `crowd_n`).
   */
  evaluate(tracks: readonly TrackFacts[], least: number, windowMs: number): ReadonlySet<string> {
    const fakes = tracks.filter(this.#belongs);
    if (this.#members.size > 0) {
      this.#gone = new Set(tracks.filter((track) => track.state === 'lost' && this.has(track.id)).map(({ id }) => id));
      this.#goOn(fakes, least, windowMs);
    }
    if (this.#members.size === 0) this.#begin(fakes, least, windowMs);
    return this.#members;
  }

  /** Ids of former members that are now lost tracks. */
  get gone(): ReadonlySet<string> {
    return this.#gone;
  }

  has(id: string): boolean {
    return this.#members.has(id) || this.#gone.has(id);
  }

  end(): void {
    this.#members = new Set();
    this.#gone = new Set();
    this.#begunMs = [];
  }

  #goOn(fakes: readonly TrackFacts[], least: number, windowMs: number): void {
    const members = fakes.filter(
      ({ id, firstSeenMs }) =>
        this.#members.has(id) || this.#begunMs.some((beganMs) => Math.abs(beganMs - firstSeenMs) <= windowMs),
    );
    if (members.length < least / 2) this.end();
    else this.#are(members);
  }

  #begin(fakes: readonly TrackFacts[], least: number, windowMs: number): void {
    if (fakes.length < least) return;
    const sorted = [...fakes].sort((a, b) => a.firstSeenMs - b.firstSeenMs);
    const members = new Set<TrackFacts>();
    let from = 0;
    for (let to = 0; to < sorted.length; to++) {
      while ((sorted[to]?.firstSeenMs ?? 0) - (sorted[from]?.firstSeenMs ?? 0) > windowMs) from++;
      if (to - from + 1 >= least) for (const track of sorted.slice(from, to + 1)) members.add(track);
    }
    if (members.size > 0) this.#are([...members]);
  }

  #are(members: readonly TrackFacts[]): void {
    this.#members = new Set(members.map(({ id }) => id));
    this.#begunMs = [...new Set(members.map(({ firstSeenMs }) => firstSeenMs))];
  }
}

/**
 * Whether the claim is suspect and no sensor detects the track. Excludes lost tracks, tracks that copy an asset's
 * identity, and tracks whose affiliation a person assigned.
 */
export function isFake(track: TrackFacts): boolean {
  return track.verdict === 'suspect' && track.affiliationBasis !== 'assignment' && isOnlyReceived(track);
}

/**
 * Whether the track is known from its own reports alone, and nothing confirms or contradicts them. Excludes lost
 * tracks, crewed aircraft, and tracks with a known affiliation or a copied identity.
 */
export function isUnborne(track: TrackFacts): boolean {
  return track.verdict === 'unchecked' && track.affiliation === 'unknown' && !track.crewed && isOnlyReceived(track);
}

function isOnlyReceived({ cooperative, clonedOf, state }: TrackFacts): boolean {
  return cooperative === 'coop_only' && clonedOf === null && state !== 'lost';
}
