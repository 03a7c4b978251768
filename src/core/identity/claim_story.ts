import { ClaimHeight } from './claim_height.ts';
import { apartM, canFly, type Fix, isApart, keep } from './claim_place.ts';
import { APART_S, STRAYS_S, Strays } from './strays.ts';
import { Swings } from './swings.ts';
import { WaitingStories, type WaitingStory } from './waiting_stories.ts';

/** Interval between kept places, s, and their number: together about a minute. */
const EVERY_S = 2;
const PLACES = 32;
/** Margin before the first kept place within which a time is still compared with that place, s. */
const MARGIN_S = 2;

/** Places that a claim reported in the last minute. */
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

  /** The place nearest in time; null for a time before the oldest kept place. */
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

/** Interval from which a transmitter counts as sending seldom, s: fewer contradicting reports are then enough. */
const SELDOM_S = 3.5;
/** Silence after which reports that agree on another place move the aircraft there, in mean intervals of its transmissions. */
const SILENT_PACES = 4;
/** Least such silence, s, whatever the interval. */
const SILENT_S = 5;
const PACE_SHARE = 0.25;
/** Least such silence while two transmitters are known to use the name, s, and how long that finding holds, s. */
const SILENT_OF_TWO_S = 10;
const TWO_S = 60;
/** Number of reports that establish an aircraft. Before, a second report that agrees on another place is believed at once. */
const ESTABLISHED = 3;
/**
 * Time for which reports of a second story under one name must agree to count as another aircraft, s. The age of the first
 * story does not matter: otherwise a forger that sends first would keep the aircraft from getting a track.
 */
const STORY_S = 2.6;
/** Number of reports that a second story needs: of a transmitter that sends once a second, and of a slower one. */
const STORY_REPORTS = 4;
const SELDOM_REPORTS = 2;
/**
 * Number of transmissions that must continue the first story meanwhile. One is enough for an aircraft with a longer interval.
 */
const ANSWERS = 2;
const SELDOM_PACE_S = 1.5;
/** Greatest delay of a backlog, s, and least change of its delay between two reports, s: a backlog catches up. */
const BACKLOG_S = 60;
const STEADY_S = 0.5;

/**
 * Verdict on a report's place: it follows from the places before, or it waits for a second report that agrees. `isAgainst` is
 * the contradiction found: `two` transmitters use the name, the one transmitter `jumps`, or its places `zigzags` against the
 * reported velocities. `isStory`: the waiting reports agree for long enough to be another aircraft's.
 */
export type Place = { waits: boolean; isAgainst: 'two' | 'jumps' | 'zigzags' | null; isStory: boolean };

const follows: Place = { waits: false, isAgainst: null, isStory: false };
const waits: Place = { waits: true, isAgainst: null, isStory: false };

/**
 * Whether a report follows only because of the position error that it declares. Its place is not kept: the next report may
 * declare no error.
 */
function isVagueLeap(last: Fix, fix: Fix): boolean {
  return fix.sdM > last.sdM && !canFly(last, { ...fix, sdM: last.sdM });
}

/** Believed places of one claim, and reported places that do not follow from them. */
export class ClaimStory {
  #last: Fix | null = null;
  #radio: string | null = null;
  #receivedS = Number.NEGATIVE_INFINITY;
  #reports = 0;
  readonly #trail = new ClaimTrail();
  readonly #waiting = new WaitingStories();
  /** When the last transmission began, and the mean interval between transmissions. */
  #burstS = Number.NEGATIVE_INFINITY;
  #paceS = 0;
  #refused: Fix | null = null;
  #refusedReceivedS = Number.NEGATIVE_INFINITY;
  readonly #strays = new Strays();
  readonly #swings = new Swings();
  readonly #height = new ClaimHeight();
  #twoS = Number.NEGATIVE_INFINITY;

  /** Number of consecutive transmissions, with few gaps, that contradict the claim. */
  strays(receivedS: number): number {
    return this.#strays.count(receivedS);
  }

  /** Radio of the last place. */
  get radio(): string | null {
    return this.#radio;
  }

  /** Takes a place without comparing it with the reports before, such as that of a vehicle over a link that proves it. */
  take(fix: Fix, radio: string | null, receivedS: number): void {
    // A late report gives an earlier place, which does not replace the last one.
    const last = this.#last;
    if (!last || (fix.timeS >= last.timeS && !isVagueLeap(last, fix))) this.#last = keep(fix, last);
    this.#radio = radio;
    this.#learnPace(receivedS);
    this.#receivedS = receivedS;
    this.#reports++;
    this.#trail.add(fix);
  }

  /**
   * Judges the place of a report that is in time. Where `isOwn` is false, as for a vehicle known by its link, the report never
   * moves the claim.
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

  /** Distance of a report from the last place, m; infinite where it does not follow. */
  gapM(fix: Fix): number {
    return this.#last && canFly(this.#last, fix) ? apartM(this.#last, fix) : Number.POSITIVE_INFINITY;
  }

  /** Whether the waiting reports form a second story beside the continuing first one. */
  #isStory({ answers, reports, receivedS, sinceS, isMixed }: WaitingStory): boolean {
    if (answers < (this.#paceS > SELDOM_PACE_S ? 1 : ANSWERS) || reports < (isMixed ? STORY_REPORTS : SELDOM_REPORTS))
      return false;
    return receivedS - sinceS >= (reports < STORY_REPORTS ? SELDOM_S : STORY_S);
  }

  /** Drops the waiting reports that agree with this one: another claim has them from now on. */
  part(fix: Fix, receivedS: number): void {
    const waiting = this.#waiting.find(fix, receivedS);
    if (waiting) this.#waiting.remove(waiting);
  }

  /**
   * Judges a report that was refused for its time or its rate, and returns how it contradicts the claim. A report that was
   * delayed in a queue agrees with the place of its own time, and contradicts nothing.
   */
  refuse(fix: Fix, receivedS: number): Place['isAgainst'] {
    if (!this.#last) return null;
    // A source's clock may be ahead, so a report counts as no later than its reception.
    const said = { ...fix, timeS: Math.min(fix.timeS, receivedS) };
    const then = this.#trail.at(said.timeS);
    if (then ? !canFly(then, said) : this.#contradictsBefore(said, receivedS)) this.#strays.add(receivedS);
    else if (then) return null;
    this.#refused = said;
    this.#refusedReceivedS = receivedS;
    return this.#against(receivedS);
  }

  /**
   * Whether a refused report contradicts the refused report before, where no place is kept for its time. Then both count.
   * Either nothing flies from one place to the other, or both are equally late, as no backlog is, and far from the aircraft.
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
   * Whether a second report agrees on a new place, with no report from the old place since the first. An established aircraft
   * must also have been silent for long enough.
   */
  #agrees(fix: Fix, receivedS: number): boolean {
    const waiting = this.#waiting.find(fix, receivedS);
    if (!waiting || this.#receivedS > waiting.receivedS) return false;
    const silentS = receivedS - this.#receivedS;
    if (receivedS - this.#twoS < TWO_S) return silentS >= Math.max(SILENT_OF_TWO_S, this.#silenceS());
    return silentS >= this.#silenceS() || this.#reports < ESTABLISHED;
  }

  /** Silence after which a claim may move to another place, s. */
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
