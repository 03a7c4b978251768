import { APART_S, STRAYS_S } from './strays.ts';

/**
 * Accepted difference between heights that different sources report for one aircraft, m. A greater difference is taken
 * for a bit error at first.
 */
const SLACK_M = 300;
/** Greatest climb or descent rate that is accepted, m/s. */
const CLIMB_MPS = 60;

type Height = { altM: number; timeS: number; receivedS: number };

/**
 * Checks the reported heights of one claim. Rejects a height that the aircraft cannot have reached by climbing or
 * descending from the last accepted height. A later report that agrees with the rejected height confirms it, and it is
 * accepted. A report that agrees with the last accepted height discards the rejected one. A rejected height is no
 * evidence against the claim, because transmitters correct their height when their position fix improves.
 */
export class ClaimHeight {
  #last: Height | null = null;
  #held: Height | null = null;

  /** Whether the height is accepted. An unreported height (NaN) is always accepted. */
  follow(altM: number, timeS: number, receivedS: number): boolean {
    if (Number.isNaN(altM)) return true;
    const height = { altM, timeS, receivedS };
    if (this.#last === null || isClimb(this.#last, height) || this.#isBorneOut(height)) {
      this.#last = height;
      this.#held = null;
      return true;
    }
    // Copies of one transmission have the same height. Therefore only a report at least `APART_S` later can confirm a
    // rejected height.
    if (!this.#held || !isClimb(this.#held, height) || receivedS - this.#held.receivedS > STRAYS_S) this.#held = height;
    return false;
  }

  #isBorneOut(height: Height): boolean {
    if (!this.#held) return false;
    const passedS = height.receivedS - this.#held.receivedS;
    return passedS >= APART_S && passedS <= STRAYS_S && isClimb(this.#held, height);
  }
}

function isClimb(from: Height, to: Height): boolean {
  return Math.abs(to.altM - from.altM) <= SLACK_M + CLIMB_MPS * Math.abs(to.timeS - from.timeS);
}
