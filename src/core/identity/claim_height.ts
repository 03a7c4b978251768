import { APART_S, STRAYS_S } from './strays.ts';

/** Accepted difference between heights of one aircraft by different sources, m. A bit error makes a greater one. */
const SLACK_M = 300;
/** Greatest climb or descent rate of any aircraft, m/s. */
const CLIMB_MPS = 60;

type Height = { altM: number; timeS: number; receivedS: number };

/**
 * Reported heights of one claim. A height that the aircraft cannot have climbed to waits for a second report that
 * agrees. A report that continues from the last height discards it. It is no evidence: transmitters correct their
 * height when they get a better fix.
 */
export class ClaimHeight {
  #last: Height | null = null;
  #held: Height | null = null;

  /** Whether the height is accepted. A height that is not reported (NaN) is. */
  follow(altM: number, timeS: number, receivedS: number): boolean {
    if (Number.isNaN(altM)) return true;
    const height = { altM, timeS, receivedS };
    if (this.#last === null || isClimb(this.#last, height) || this.#isBorneOut(height)) {
      this.#last = height;
      this.#held = null;
      return true;
    }
    // Copies of one transmission agree with each other, so only a report at least `APART_S` later confirms a height.
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
