import { canFly, type Fix, isSteady, keep } from './claim_place.ts';
import { APART_S, STRAYS_S } from './strays.ts';

/**
 * Greatest number of waiting series. At the limit, the series with the fewest reports is dropped; among equals, the
 * one silent longest.
 */
const MOST = 12;
/**
 * Time within which an earlier series may be continued, s. After a longer time an aircraft could reach nearly any
 * position from it.
 */
const BESIDE_S = 5;

/** Series of consistent reports under one claim that contradict the claim's own positions. */
export type WaitingStory = {
  fix: Fix;
  receivedS: number;
  sinceS: number;
  /** Number of transmissions in the series, and the time of the last counted one, s. */
  reports: number;
  countedS: number;
  /** Whether reports of other series arrived between its reports. */
  isMixed: boolean;
  /** Number of transmissions that continued the claim's own positions since the series began. */
  answers: number;
};

/** All waiting series of one claim: reported positions that do not follow from the claim's own positions. */
export class WaitingStories {
  #stories: WaitingStory[] = [];
  /** Series that the last report began or continued. */
  #last: WaitingStory | null = null;

  /**
   * Returns the series that a report continues by its reported velocity. Otherwise returns the last series if the
   * aircraft can have flown from there, else null.
   */
  find(fix: Fix, receivedS: number): WaitingStory | null {
    const last =
      this.#last && receivedS - this.#last.receivedS <= STRAYS_S && canFly(this.#last.fix, fix) ? this.#last : null;
    if (last && isSteady(last.fix, fix)) return last;
    const beside = this.#stories.find((story) => receivedS - story.receivedS <= BESIDE_S && isSteady(story.fix, fix));
    return beside ?? last;
  }

  add(fix: Fix, receivedS: number): WaitingStory {
    const known = this.find(fix, receivedS);
    const story = known ?? this.#begin(fix, receivedS);
    if (known && (known !== this.#last || !isSteady(known.fix, fix))) story.isMixed = true;
    if (known && !isSteady(known.fix, fix)) restart(story, receivedS);
    if (receivedS - story.countedS >= APART_S) {
      story.reports++;
      story.countedS = receivedS;
    }
    story.fix = keep(fix, story.fix);
    story.receivedS = receivedS;
    this.#last = story;
    return story;
  }

  /** Records that a transmission continued the claim's own positions. */
  answered(): void {
    for (const story of this.#stories) story.answers++;
  }

  remove(story: WaitingStory): void {
    this.#stories = this.#stories.filter((other) => other !== story);
    if (this.#last === story) this.#last = null;
  }

  clear(): void {
    this.#stories = [];
    this.#last = null;
  }

  #begin(fix: Fix, receivedS: number): WaitingStory {
    const late = this.#stories.filter((story) => receivedS - story.receivedS > STRAYS_S);
    for (const story of late) this.remove(story);
    if (this.#stories.length >= MOST) this.remove(this.#stories.reduce((a, b) => (isLess(b, a) ? b : a)));
    const story = {
      ...{ fix: { ...fix }, receivedS, sinceS: receivedS },
      ...{ reports: 0, countedS: Number.NEGATIVE_INFINITY, answers: 0, isMixed: false },
    };
    this.#stories.push(story);
    return story;
  }
}

function restart(story: WaitingStory, receivedS: number): void {
  story.sinceS = receivedS;
  story.reports = 0;
  story.countedS = Number.NEGATIVE_INFINITY;
  story.answers = 0;
}

function isLess(a: WaitingStory, b: WaitingStory): boolean {
  return a.reports === b.reports ? a.receivedS < b.receivedS : a.reports < b.reports;
}
