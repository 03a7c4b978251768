import type { TrackFacts } from './facts.ts';

/**
 * A flood of fakes: at least `flood_n` claims that no sensor sees and that began within one window. It lasts until less
 * than half of this number is left, so it does not flicker. A track that a sensor sees leaves the flood at once.
 */
export class Flood {
  readonly #belongs: (track: TrackFacts) => boolean;
  #members = new Set<string>();
  /** Former members that are lost. They are no members, but while the flood lasts no other rule reports them. */
  #gone = new Set<string>();
  /** Times when its members began: a fake that begins near one of them belongs to the flood. */
  #begunMs: number[] = [];

  /** `belongs` decides which tracks may be members. */
  constructor(belongs: (track: TrackFacts) => boolean) {
    this.#belongs = belongs;
  }

  /** Members of the flood now. `tracks` are in the order of their numbers. */
  evaluate(tracks: readonly TrackFacts[], least: number, windowMs: number): ReadonlySet<string> {
    const fakes = tracks.filter(this.#belongs);
    if (this.#members.size > 0) {
      this.#gone = new Set(tracks.filter((track) => track.state === 'lost' && this.has(track.id)).map(({ id }) => id));
      this.#goOn(fakes, least, windowMs);
    }
    if (this.#members.size === 0) this.#begin(fakes, least, windowMs);
    return this.#members;
  }

  /** Former members that are lost. */
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

/** Whether the claim is suspect and no sensor sees the track. A track that a person has identified is never hidden. */
export function isFake(track: TrackFacts): boolean {
  return track.verdict === 'suspect' && track.affiliationBasis !== 'assignment' && isOnlyReceived(track);
}

/** Whether only the track's own reports confirm it, and no evidence contradicts it. */
export function isUnborne(track: TrackFacts): boolean {
  return track.verdict === 'unchecked' && track.affiliation === 'unknown' && !track.crewed && isOnlyReceived(track);
}

function isOnlyReceived({ cooperative, clonedOf, state }: TrackFacts): boolean {
  return cooperative === 'coop_only' && clonedOf === null && state !== 'lost';
}
