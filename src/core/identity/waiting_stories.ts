import { canFly, type Fix, isSteady, keep } from './claim_place.ts';
import { APART_S, STRAYS_S } from './strays.ts';

/** Greatest number of waiting stories. The one with the fewest reports makes room, then the one silent for longest. */
const MOST = 12;
/** Time within which an older story may be continued, s: later, an aircraft could reach nearly any place from it. */
const BESIDE_S = 5;

/** Reports under one claim that agree with each other on a place other than the claim's. */
export type WaitingStory = {
  fix: Fix;
  receivedS: number;
  sinceS: number;
  /** Number of transmissions, and the time at which the last one was counted, s. */
  reports: number;
  countedS: number;
  /** Whether reports of other stories came between its reports. */
  isMixed: boolean;
  /** Transmissions that continued the claim's own story meanwhile. */
  answers: number;
};

/** Stories of places that are reported under one claim but do not follow from the claim's own places. */
export class WaitingStories {
  #stories: WaitingStory[] = [];
  /** The story that the last report began or continued. */
  #last: WaitingStory | null = null;

  /**
   * The story that a report continues by its reported velocity. Else the last story, where the aircraft can have flown on from
   * there; else null.
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

  /** Notes that a transmission continued the claim's own story. */
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
