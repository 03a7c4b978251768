import { apartM, canFly, type Fix, isApart, keep } from './claim_place.ts';
import { ClaimTrail } from './claim_trail.ts';

/** Reports nearer each other than this are one transmission: they count once. */
const APART_S = 0.9;
/** Reports that contradict the aircraft's own count together for so long. */
const STRAYS_S = 15;
/** A transmitter that sends seldom is judged by its first two reports where they lie so far from each other in time. */
const SELDOM_S = 3.5;
/** Reports that agree on another place move the aircraft there after a silence of so many of its own intervals. */
const SILENT_PACES = 4;
/** No silence shorter than this frees a place. */
const SILENT_S = 5;
const PACE_SHARE = 0.25;
/** The same while two are known to speak under its name. */
const SILENT_OF_TWO_S = 10;
const TWO_S = 60;
/** An aircraft of fewer reports than this is not established: a second report that agrees on another place is believed. */
const ESTABLISHED = 3;
/**
 * Another story under the name is an aircraft of its own after so many reports that agree, and after a share of the time for
 * which the first was told alone. The last limit holds for a first story of any age.
 */
const STORY_REPORTS = 4;
const STORY_SHARE = 2;
const STORY_S = 60;
/** No backlog is so late, and none stays equally late. */
const BACKLOG_S = 60;
const STEADY_S = 0.5;

/**
 * What a report's place is worth: it follows from the places before; or it waits for another report that agrees. `isAgainst`
 * tells that reports contradict the claim, and how: two speak under its name, or the one who speaks jumps.
 */
export type Place = { waits: boolean; isAgainst: 'two' | 'jumps' | null };

const follows: Place = { waits: false, isAgainst: null };

/** The places that one claim has told, and those that do not follow from them. */
export class ClaimStory {
  #last: Fix | null = null;
  #radio: string | null = null;
  #heardS = Number.NEGATIVE_INFINITY;
  #reports = 0;
  readonly #trail = new ClaimTrail();
  #waiting: Fix | null = null;
  #waitingHeardS = Number.NEGATIVE_INFINITY;
  /** When the reports that wait began to agree, how many transmissions they are, and when the last of these was counted. */
  #waitingSinceS = Number.NEGATIVE_INFINITY;
  #waitingReports = 0;
  #waitingCountedS = Number.NEGATIVE_INFINITY;
  /** Since when the story is told without a silence. */
  #sinceS = Number.NEGATIVE_INFINITY;
  /** When the last transmission began, and the mean interval between transmissions. */
  #burstS = Number.NEGATIVE_INFINITY;
  #paceS = 0;
  /** Transmissions that continue the story since others began to agree on another place. */
  #answers = 0;
  #refused: Fix | null = null;
  #refusedHeardS = Number.NEGATIVE_INFINITY;
  #strays = 0;
  #firstStrayS = Number.NEGATIVE_INFINITY;
  #strayS = Number.NEGATIVE_INFINITY;
  #twoS = Number.NEGATIVE_INFINITY;

  /** Reports in a row, or nearly, that contradict the claim. */
  strays(heardS: number): number {
    return heardS - this.#strayS > STRAYS_S ? 0 : this.#strays;
  }

  /** The radio that told the last place. */
  get radio(): string | null {
    return this.#radio;
  }

  /** A place that is believed whatever was told before: a vehicle's over a link that proves it. */
  take(fix: Fix, radio: string | null, heardS: number): void {
    // What comes late tells where it was.
    if (!this.#last || fix.timeS >= this.#last.timeS) this.#last = keep(fix, this.#last);
    this.#radio = radio;
    this.#learnPace(heardS);
    this.#heardS = heardS;
    this.#reports++;
    this.#trail.add(fix);
  }

  /** A report in time. One that is not its own, as of a vehicle that is known by its link, never moves it. */
  hear(fix: Fix, radio: string | null, heardS: number, isOwn: boolean): Place {
    const last = this.#last;
    if (!last || canFly(last, fix) || (radio !== this.#radio && !isApart(last, fix))) {
      if (isOwn) this.take(fix, radio, heardS);
      return follows;
    }
    if (isOwn && this.#agrees(fix, heardS)) {
      this.#move(fix, radio, heardS);
      return follows;
    }
    this.#wait(fix, heardS);
    this.#stray(heardS);
    return { waits: true, isAgainst: this.#against(heardS) };
  }

  /** How far a report lies from the last place; infinitely far where it does not follow. */
  gapM(fix: Fix): number {
    return this.#last && canFly(this.#last, fix) ? apartM(this.#last, fix) : Number.POSITIVE_INFINITY;
  }

  /** Whether the reports that wait are a story of their own, beside this one, which goes on too. */
  isTwofold(): boolean {
    if (this.#waitingReports < STORY_REPORTS || this.#answers < 2) return false;
    const aloneS = this.#waitingSinceS - this.#sinceS;
    return this.#waitingHeardS - this.#waitingSinceS >= Math.min(STORY_S, STORY_SHARE * aloneS);
  }

  /** The reports that waited have a claim of their own from now on. */
  part(): void {
    this.#waiting = null;
    this.#waitingReports = 0;
  }

  /**
   * A report that was refused for its time or its rate: what it says against the claim. A late report that was queued on
   * its way tells where the aircraft was, and says nothing.
   */
  refuse(fix: Fix, heardS: number): Place['isAgainst'] {
    if (!this.#last) return null;
    // A clock ahead of ours tells of no later time than this.
    const said = { ...fix, timeS: Math.min(fix.timeS, heardS) };
    const then = this.#trail.at(said.timeS);
    if (then ? !canFly(then, said) : this.#contradictsBefore(said, heardS)) this.#stray(heardS);
    else if (then) return null;
    this.#refused = said;
    this.#refusedHeardS = heardS;
    return this.#against(heardS);
  }

  /**
   * Whether a report of a time of which nothing is known contradicts the last one that was refused, which then counts too:
   * nothing flies from one place to the other; or both are as late, as no backlog is, and far from where the aircraft is.
   */
  #contradictsBefore(said: Fix, heardS: number): boolean {
    const before = this.#refused;
    const sinceS = heardS - this.#refusedHeardS;
    if (!before || !this.#last || sinceS < APART_S || sinceS > STRAYS_S) return false;
    const lateS = heardS - said.timeS;
    const shrinksS = this.#refusedHeardS - before.timeS - lateS;
    const isSteady = lateS > BACKLOG_S && shrinksS < STEADY_S;
    const isElsewhere = !canFly(this.#last, { ...said, timeS: Math.max(heardS, this.#last.timeS) });
    if (canFly(before, said) && !(isSteady && isElsewhere)) return false;
    this.#stray(this.#refusedHeardS);
    return true;
  }

  /** Whether a second report has come from where the aircraft is now, and none from where it was. */
  #agrees(fix: Fix, heardS: number): boolean {
    const waiting = this.#waiting;
    if (!waiting || heardS - this.#waitingHeardS > STRAYS_S || !canFly(waiting, fix)) return false;
    if (this.#heardS > this.#waitingHeardS) return false;
    const silentS = heardS - this.#heardS;
    if (heardS - this.#twoS < TWO_S) return silentS >= Math.max(SILENT_OF_TWO_S, this.#silenceS());
    return silentS >= this.#silenceS() || this.#reports < ESTABLISHED;
  }

  /** The silence that frees the place. */
  #silenceS(): number {
    return Math.max(SILENT_S, SILENT_PACES * this.#paceS);
  }

  #learnPace(heardS: number): void {
    const passedS = heardS - this.#burstS;
    if (passedS < APART_S) return;
    this.#burstS = heardS;
    this.#answers++;
    // Another may speak after a silence: the story is as young as what came since.
    if (passedS > this.#silenceS()) this.#sinceS = heardS;
    else this.#paceS = this.#paceS === 0 ? passedS : this.#paceS + PACE_SHARE * (passedS - this.#paceS);
  }

  #wait(fix: Fix, heardS: number): void {
    const waiting = this.#waiting;
    const goesOn = waiting !== null && heardS - this.#waitingHeardS <= STRAYS_S && canFly(waiting, fix);
    if (!goesOn) {
      this.#waitingReports = 0;
      this.#waitingCountedS = Number.NEGATIVE_INFINITY;
      this.#waitingSinceS = heardS;
      this.#answers = 0;
    }
    if (heardS - this.#waitingCountedS >= APART_S) {
      this.#waitingReports++;
      this.#waitingCountedS = heardS;
    }
    this.#waiting = keep(fix, waiting);
    this.#waitingHeardS = heardS;
  }

  #move(fix: Fix, radio: string | null, heardS: number): void {
    this.#strays = 0;
    this.#reports = 0;
    this.part();
    this.#last = null;
    this.#sinceS = heardS;
    this.take(fix, radio, heardS);
  }

  #stray(heardS: number): void {
    if (this.strays(heardS) === 0) {
      this.#strays = 0;
      this.#firstStrayS = heardS;
    } else if (heardS - this.#strayS < APART_S) return;
    this.#strays++;
    this.#strayS = heardS;
  }

  #against(heardS: number): Place['isAgainst'] {
    const isSeldom = this.#reports === 1 && this.#firstStrayS - this.#heardS >= SELDOM_S;
    if (this.#strays < (isSeldom ? 1 : 2)) return null;
    if (this.#heardS <= this.#firstStrayS) return 'jumps';
    this.#twoS = heardS;
    return 'two';
  }
}
