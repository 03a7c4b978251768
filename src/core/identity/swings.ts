import { type Fix, isSteady } from './claim_place.ts';

/**
 * Number of steps against the reported velocity, within `WITHIN_S`, from which they count as a zigzag. A receiver error
 * causes only two such steps, away and back.
 */
const SWINGS = 4;
const WITHIN_S = 7;
/** Longest step between two reports that is judged, s. During a longer step, an aircraft may fly a full turn. */
const MAX_STEP_S = 3;

/**
 * Detects two transmitters that alternate under one claim: each step can be flown, but the steps contradict the
 * reported velocities.
 */
export class Swings {
  readonly #receivedS = new Float64Array(SWINGS).fill(Number.NEGATIVE_INFINITY);
  #next = 0;
  #wasDated = false;

  /** Records the step from `last` to `fix`. Returns true if the recent steps form a zigzag. */
  add(last: Fix, fix: Fix, receivedS: number): boolean {
    const isDated = fix.timeS !== receivedS;
    // A step between two reports without a time does not count: receivers of different latency would make an honest
    // flight look like a zigzag.
    const counts = (isDated || this.#wasDated) && Math.abs(fix.timeS - last.timeS) <= MAX_STEP_S;
    this.#wasDated = isDated;
    if (!counts || isSteady(last, fix)) return false;
    this.#receivedS[this.#next] = receivedS;
    this.#next = (this.#next + 1) % SWINGS;
    return receivedS - (this.#receivedS[this.#next] ?? Number.NEGATIVE_INFINITY) <= WITHIN_S;
  }
}
