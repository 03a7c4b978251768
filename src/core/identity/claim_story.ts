import { ClaimHeight } from './claim_height.ts';
import { apartM, canFly, type Fix, isApart, keep } from './claim_place.ts';
import { APART_S, STRAYS_S, Strays } from './strays.ts';
import { Swings } from './swings.ts';
import { WaitingStories, type WaitingStory } from './waiting_stories.ts';

/** A trail keeps `PLACES` positions, at least `EVERY_S` apart, s: together one minute or more. */
const EVERY_S = 2;
const PLACES = 32;
/** The oldest position of a trail also counts for times up to this long before it, s. */
const MARGIN_S = 2;

/** The last positions that a claim reported. */
class ClaimTrail {
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

  /** Returns the kept position nearest in time; null for a time more than `MARGIN_S` before the oldest one. */
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

/**
 * Time from which fewer reports are enough to assume a second aircraft, s: the span of a second series with fewer than
 * `STORY_REPORTS`, or the gap between a claim's only report and the first contradicting one.
 */
const SELDOM_S = 3.5;
/**
 * Silence after which a claim may move to a distant position, as a multiple of the mean interval between its
 * transmissions.
 */
const SILENT_PACES = 4;
/** Least silence after which a claim may move to a distant position, s. */
const SILENT_S = 5;
const PACE_SHARE = 0.25;
/**
 * Least silence after which a claim may move to a distant position, s, if two transmitters used its name in the last
 * `TWO_S` seconds.
 */
const SILENT_OF_TWO_S = 10;
const TWO_S = 60;
/**
 * Number of reports from which a claim is established. Before that, two reports that agree on another position move the
 * claim at once.
 */
const ESTABLISHED = 3;
/**
 * Duration, s, of a second series of consistent reports under one name, from which it counts as another aircraft. It
 * need not be as long as the first series. Otherwise a forger that sends first would keep the real aircraft from
 * getting a track.
 */
const STORY_S = 2.6;
/**
 * Number of reports that a second series needs. `SELDOM_REPORTS` are enough from a slow transmitter. These must span at
 * least `SELDOM_S`, fit the reported velocity, and have no report of another series between them.
 */
const STORY_REPORTS = 4;
const SELDOM_REPORTS = 2;
/**
 * Number of transmissions that must continue the first series while the second series lasts. One is enough if the
 * mean interval between transmissions exceeds `SELDOM_PACE_S`.
 */
const ANSWERS = 2;
const SELDOM_PACE_S = 1.5;
/**
 * Limits for a backlog (delayed reports of a link that catches up): greatest delay, s, and least decrease of the delay
 * between two reports, s.
 */
const BACKLOG_S = 60;
const STEADY_S = 0.5;

/**
 * Verdict on a reported position. `waits`: a second report must confirm it, because the aircraft cannot have flown
 * there from the accepted positions. `isAgainst` is the contradiction found, or null. `two`: two transmitters use the
 * name. `jumps`: one transmitter jumps. `zigzags`: the positions contradict the reported velocities. `isStory` is true
 * if the waiting reports have agreed long enough to belong to another aircraft.
 */
export type Place = { waits: boolean; isAgainst: 'two' | 'jumps' | 'zigzags' | null; isStory: boolean };

const follows: Place = { waits: false, isAgainst: null, isStory: false };
const waits: Place = { waits: true, isAgainst: null, isStory: false };

/**
 * Whether an aircraft can get from `last` to `fix` only because `fix` declares a large position error. Such a position
 * does not become the last one, because the next report may declare a small error.
 */
function isVagueLeap(last: Fix, fix: Fix): boolean {
  return fix.sdM > last.sdM && !canFly(last, { ...fix, sdM: last.sdM });
}

/** Accepted positions of one claim, and the reported positions that contradict them. */
export class ClaimStory {
  #last: Fix | null = null;
  #radio: string | null = null;
  #receivedS = Number.NEGATIVE_INFINITY;
  #reports = 0;
  readonly #trail = new ClaimTrail();
  readonly #waiting = new WaitingStories();
  /** Start of the last transmission, and mean interval between transmissions, s. */
  #burstS = Number.NEGATIVE_INFINITY;
  #paceS = 0;
  #refused: Fix | null = null;
  #refusedReceivedS = Number.NEGATIVE_INFINITY;
  readonly #strays = new Strays();
  readonly #swings = new Swings();
  readonly #height = new ClaimHeight();
  #twoS = Number.NEGATIVE_INFINITY;

  /**
   * Returns the number of transmissions that contradict the accepted positions. A gap of more than `STRAYS_S` restarts
   * the count.
   */
  strays(receivedS: number): number {
    return this.#strays.count(receivedS);
  }

  /** Transmitter address of the last accepted position. */
  get radio(): string | null {
    return this.#radio;
  }

  /**
   * Accepts a position without a check. Called directly for positions that `receive` did not judge. Examples are the
   * first one of a claim, and those over a link that proves the vehicle.
   */
  take(fix: Fix, radio: string | null, receivedS: number): void {
    // A report that arrives late has an earlier position, which must not replace the last one.
    const last = this.#last;
    if (!last || (fix.timeS >= last.timeS && !isVagueLeap(last, fix))) this.#last = keep(fix, last);
    this.#radio = radio;
    this.#learnPace(receivedS);
    this.#receivedS = receivedS;
    this.#reports++;
    this.#trail.add(fix);
  }

  /**
   * Judges the position of a report that arrived in time. `isOwn` is false for a report over another link about a
   * vehicle that its own link proves: such a report never moves the claim.
   */
  receive(fix: Fix, radio: string | null, receivedS: number, isOwn: boolean): Place {
    const last = this.#last;
    if (!last || canFly(last, fix) || (radio !== this.#radio && !isApart(last, fix))) {
      if (isOwn && !this.#height.follow(fix.altM, fix.timeS, receivedS)) return waits;
      const zigzags = isOwn && last !== null && this.#swings.add(last, fix, receivedS);
      if (isOwn) this.take(fix, radio, receivedS);
      return zigzags ? { ...follows, isAgainst: 'zigzags' } : follows;
    }
    if (isOwn && this.#agrees(fix, receivedS)) {
      this.#move(fix, radio, receivedS);
      return follows;
    }
    this.#strays.add(receivedS);
    const waiting = this.#waiting.add(fix, receivedS);
    return { waits: true, isAgainst: this.#against(receivedS), isStory: this.#isStory(waiting) };
  }

  /** Returns the distance of a report from the last position, m; infinite if the aircraft cannot have flown there. */
  gapM(fix: Fix): number {
    return this.#last && canFly(this.#last, fix) ? apartM(this.#last, fix) : Number.POSITIVE_INFINITY;
  }

  /**
   * Whether a waiting series belongs to a second aircraft: it has enough consistent reports over enough time, while the
   * first series continues.
   */
  #isStory({ answers, reports, receivedS, sinceS, isMixed }: WaitingStory): boolean {
    if (answers < (this.#paceS > SELDOM_PACE_S ? 1 : ANSWERS) || reports < (isMixed ? STORY_REPORTS : SELDOM_REPORTS))
      return false;
    return receivedS - sinceS >= (reports < STORY_REPORTS ? SELDOM_S : STORY_S);
  }

  /** Drops the waiting series that the report `fix` continues, because the series has become a claim of its own. */
  part(fix: Fix, receivedS: number): void {
    const waiting = this.#waiting.find(fix, receivedS);
    if (waiting) this.#waiting.remove(waiting);
  }

  /**
   * Judges a report that was refused because it was too old or came too fast. Returns how the report contradicts the
   * claim. A report that was merely delayed in a queue agrees with the position that the trail keeps for its time, and
   * contradicts nothing.
   */
  refuse(fix: Fix, receivedS: number): Place['isAgainst'] {
    if (!this.#last) return null;
    // A source's clock may be ahead, so the report's time is limited to its time of reception.
    const said = { ...fix, timeS: Math.min(fix.timeS, receivedS) };
    const then = this.#trail.at(said.timeS);
    if (then ? !canFly(then, said) : this.#contradictsBefore(said, receivedS)) this.#strays.add(receivedS);
    else if (then) return null;
    this.#refused = said;
    this.#refusedReceivedS = receivedS;
    return this.#against(receivedS);
  }

  /**
   * Whether a refused report contradicts the refused report before it. Called if the trail keeps no position for the
   * report's time. Two reports contradict each other if no aircraft can fly between their positions. They also do if
   * the report is more than `BACKLOG_S` late with a delay that does not shrink, and the aircraft cannot be there now.
   * The delays of a backlog shrink. If the two contradict, both count as contradicting transmissions.
   */
  #contradictsBefore(said: Fix, receivedS: number): boolean {
    const before = this.#refused;
    const sinceS = receivedS - this.#refusedReceivedS;
    if (!before || !this.#last || sinceS < APART_S || sinceS > STRAYS_S) return false;
    const lateS = receivedS - said.timeS;
    const shrinksS = this.#refusedReceivedS - before.timeS - lateS;
    const isSteady = lateS > BACKLOG_S && shrinksS < STEADY_S;
    const isElsewhere = !canFly(this.#last, { ...said, timeS: Math.max(receivedS, this.#last.timeS) });
    if (canFly(before, said) && !(isSteady && isElsewhere)) return false;
    this.#strays.add(this.#refusedReceivedS);
    return true;
  }

  /**
   * Whether this report confirms a new position that an earlier report gave. No report from the old position may lie
   * between the two. An established claim must also have been silent at the old position for `#silenceS()`. For `TWO_S`
   * after two transmitters were found, the silence is needed even before the claim is established, and lasts at least
   * `SILENT_OF_TWO_S`.
   */
  #agrees(fix: Fix, receivedS: number): boolean {
    const waiting = this.#waiting.find(fix, receivedS);
    if (!waiting || this.#receivedS > waiting.receivedS) return false;
    const silentS = receivedS - this.#receivedS;
    if (receivedS - this.#twoS < TWO_S) return silentS >= Math.max(SILENT_OF_TWO_S, this.#silenceS());
    return silentS >= this.#silenceS() || this.#reports < ESTABLISHED;
  }

  /** Returns the silence after which a claim may move to a distant position, s. */
  #silenceS(): number {
    return Math.max(SILENT_S, SILENT_PACES * this.#paceS);
  }

  #learnPace(receivedS: number): void {
    const passedS = receivedS - this.#burstS;
    if (passedS < APART_S) return;
    this.#burstS = receivedS;
    this.#waiting.answered();
    if (passedS <= this.#silenceS())
      this.#paceS = this.#paceS === 0 ? passedS : this.#paceS + PACE_SHARE * (passedS - this.#paceS);
  }

  #move(fix: Fix, radio: string | null, receivedS: number): void {
    this.#strays.clear();
    this.#reports = 0;
    this.#waiting.clear();
    this.#last = null;
    this.take(fix, radio, receivedS);
  }

  #against(receivedS: number): Place['isAgainst'] {
    const { firstS } = this.#strays;
    const isSeldom = this.#reports === 1 && firstS - this.#receivedS >= SELDOM_S;
    if (this.#strays.count(receivedS) < (isSeldom ? 1 : 2)) return null;
    if (this.#receivedS <= firstS) return 'jumps';
    this.#twoS = receivedS;
    return 'two';
  }
}
