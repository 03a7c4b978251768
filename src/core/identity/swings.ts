import { type Fix, isSteady } from './claim_place.ts';

/**
 * Number of steps against the reported velocity that make a zigzag within the time below. A receiver error leaps away
 * and back only once.
 */
const SWINGS = 4;
const WITHIN_S = 7;
/** Longest step that is judged, s: within a longer one an aircraft may fly a whole turn. */
const MAX_STEP_S = 3;

/**
 * Finds steps of one claim that an aircraft can fly, but that contradict the reported velocities: two transmitters alternate.
 */
export class Swings {
  readonly #receivedS = new Float64Array(SWINGS).fill(Number.NEGATIVE_INFINITY);
  #next = 0;
  #wasDated = false;

  /** Notes the step to a report's place; true where the recent steps are a zigzag. */
  add(last: Fix, fix: Fix, receivedS: number): boolean {
    const isDated = fix.timeS !== receivedS;
    // Receivers of different latency make a zigzag of an honest flight if its reports carry no time.
    const counts = (isDated || this.#wasDated) && Math.abs(fix.timeS - last.timeS) <= MAX_STEP_S;
    this.#wasDated = isDated;
    if (!counts || isSteady(last, fix)) return false;
    this.#receivedS[this.#next] = receivedS;
    this.#next = (this.#next + 1) % SWINGS;
    return receivedS - (this.#receivedS[this.#next] ?? Number.NEGATIVE_INFINITY) <= WITHIN_S;
  }
}
