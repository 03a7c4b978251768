import type { Claim } from '../../model/observation.ts';
import type { StatedAffiliation } from '../../model/track_row.ts';

/** Greatest number of claims kept for one track. Beyond this number, the oldest is dropped. */
const MOST = 8;

type Entry = StatedAffiliation & {
  /** Track number in the other system. Null after a restart, until that system reports the track again. */
  by: string | null;
};

/**
 * Affiliations that other systems state for one track. They appear in the track's document, but never decide its
 * affiliation.
 */
export class ForeignClaims {
  readonly #entries: Entry[] = [];

  static of(left: readonly StatedAffiliation[]): ForeignClaims {
    const claims = new ForeignClaims();
    claims.#entries.push(...left.map((one) => ({ ...one, by: null })));
    return claims;
  }

  /**
   * Records the affiliation that a system states under its track number `by`. Returns false for a repeat, which keeps
   * the time of the first statement.
   */
  take({ source, says }: Claim, by: string, atMs: number): boolean {
    const known = this.#entries.find((entry) => entry.by === by && entry.source === source);
    const left = known ?? this.#entries.find((entry) => entry.by === null && entry.source === source);
    if (left?.says === says) {
      left.by = by;
      return false;
    }
    if (left) this.#entries.splice(this.#entries.indexOf(left), 1);
    else if (this.#entries.length >= MOST) this.#entries.shift();
    this.#entries.push({ source, says, atMs, by });
    return true;
  }

  absorb(other: ForeignClaims): void {
    this.#entries.push(...other.#entries);
    this.#entries.splice(0, Math.max(0, this.#entries.length - MOST));
  }

  clear(): void {
    this.#entries.length = 0;
  }

  list(): StatedAffiliation[] {
    return this.#entries.map(({ source, says, atMs }) => ({ source, says, atMs }));
  }
}
