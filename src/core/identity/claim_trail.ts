import type { Fix } from './claim_place.ts';

/** Places so far apart in time are kept, so many of them: a minute. */
const EVERY_S = 2;
const PLACES = 32;
/** A time so little before the first or after the last place is still compared with it. */
const MARGIN_S = 2;

/** Places that a claim reported in the last minute. */
export class ClaimTrail {
  readonly #places: Fix[] = [];
  #next = 0;
  #lastS = Number.NEGATIVE_INFINITY;

  add(fix: Fix): void {
    if (fix.timeS - this.#lastS < EVERY_S) return;
    this.#lastS = fix.timeS;
    const old = this.#places[this.#next];
    if (old) Object.assign(old, fix);
    else this.#places.push({ ...fix });
    this.#next = (this.#next + 1) % PLACES;
  }

  /** The place nearest in time; null where the time lies before all that is kept. */
  at(timeS: number): Fix | null {
    let nearest: Fix | null = null;
    let firstS = Number.POSITIVE_INFINITY;
    for (const place of this.#places) {
      firstS = Math.min(firstS, place.timeS);
      if (!nearest || Math.abs(place.timeS - timeS) < Math.abs(nearest.timeS - timeS)) nearest = place;
    }
    return timeS >= firstS - MARGIN_S ? nearest : null;
  }
}
