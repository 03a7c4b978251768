import { canFly, type Fix, isSteady, keep } from './claim_place.ts';
import { APART_S, STRAYS_S } from './strays.ts';

/**
 * Greatest number of waiting series. At this limit, the series with the fewest reports is dropped; among equals, the
 * one that was silent longest.
 */
const MOST = 12;
/**
 * A series that is not the latest one can be continued for this time after its last report, s. Later, nearly any
 * position could be reached from it.
 */
const BESIDE_S = 5;

/** A waiting series: reports under one claim that agree with each other but contradict the positions of the claim. */
export type WaitingStory = {
  fix: Fix;
  receivedS: number;
  sinceS: number;
  /** Number of transmissions in the series, and the time of the last counted one, s. */
  reports: number;
  countedS: number;
  /**
   * Whether reports of another series arrived between the reports of this one, or one of its reports does not fit the
   * reported velocity.
   */
  isMixed: boolean;
  /** Number of transmissions that continued the claim's accepted positions since this series began. */
  answers: number;
};

/** All waiting series of one claim (series of reports that contradict its accepted positions). */
export class WaitingStories {
  #stories: WaitingStory[] = [];
  /** Series that the last report began or continued. */
  #last: WaitingStory | null = null;

  /**
   * Returns the series from which the reported velocity leads to the report's position. Otherwise returns the last
   * series if an aircraft can have flown from there, else null.
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

  /** Records that a transmission continued the claim's accepted positions. */
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
