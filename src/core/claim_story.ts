import { canFly, type Fix, isApart, keep } from './claim_place.ts';
import { ClaimTrail } from './claim_trail.ts';

/** Reports nearer each other than this are one transmission: they count once. */
const APART_S = 0.9;
/** Reports that contradict the aircraft's own count together for so long. */
const STRAYS_S = 15;
/** A transmitter that sends seldom is judged by its first two reports where they lie so far from each other in time. */
const SELDOM_S = 3.5;
/** Reports that agree on another place move the aircraft there once it has been silent at its own for so long. */
const SILENT_S = 1.8;
/** The same while two are known to speak under its name. */
const SILENT_OF_TWO_S = 10;
const TWO_S = 60;
/** An aircraft of fewer reports than this is not established: a second report that agrees on another place is believed. */
const ESTABLISHED = 3;
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
    this.#waiting = keep(fix, this.#waiting);
    this.#waitingHeardS = heardS;
    this.#stray(heardS);
    return { waits: true, isAgainst: this.#against(heardS) };
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
    if (heardS - this.#twoS < TWO_S) return silentS >= SILENT_OF_TWO_S;
    return silentS >= SILENT_S || this.#reports < ESTABLISHED;
  }

  #move(fix: Fix, radio: string | null, heardS: number): void {
    this.#strays = 0;
    this.#reports = 0;
    this.#waiting = null;
    this.#last = null;
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
