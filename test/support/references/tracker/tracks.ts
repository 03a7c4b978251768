import { Existence } from './existence.ts';
import { GAUSSIAN, PP, V, VV } from './gaussian.ts';
import { CALM_ODDS, CLIMB, combined, HABIT, IMM, updateImm, WILD } from './imm.ts';
import { at } from './matrix.ts';
import type { Plots } from './plots.ts';
import { settings } from './settings.ts';

const FREE = 0;
const TENTATIVE = 1;
const CONFIRMED = 2;

/** What is kept of every track, by its slot. */
export class Tracks {
  readonly existence: Existence;
  /** Both models, and as of when, s. */
  readonly states: Float64Array;
  readonly times: Float64Array;
  /** The slots in use are the first `count`. */
  readonly live: Int32Array;
  count = 0;
  readonly #heard: Float64Array;
  readonly #hits: Int32Array;
  readonly #lives: Uint8Array;
  readonly #free: Int32Array;
  #freeCount: number;
  readonly #both = new Float64Array(GAUSSIAN);

  constructor(slots: number) {
    this.existence = new Existence(slots);
    this.states = new Float64Array(slots * IMM);
    this.times = new Float64Array(slots);
    this.live = new Int32Array(slots);
    this.#heard = new Float64Array(slots);
    this.#hits = new Int32Array(slots);
    this.#lives = new Uint8Array(slots);
    this.#free = Int32Array.from({ length: slots }, (_, i) => slots - 1 - i);
    this.#freeCount = slots;
  }

  /** Ends what is silent for too long or hardly believed. */
  sweep(nowS: number): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = this.live[i] as number;
      const silent = nowS - at(this.#heard, slot);
      const tentative = this.#lives[slot] === TENTATIVE;
      const least = tentative ? settings.tentativeExistence : settings.confirmedExistence;
      if (silent > (tentative ? settings.tentativeS : settings.lostS) || this.existence.of(slot) < least) {
        this.#lives[slot] = FREE;
        this.#free[this.#freeCount++] = slot;
      } else {
        this.live[kept++] = slot;
      }
    }
    this.count = kept;
  }

  /** Begins a track where a plot is; none where there is no room. */
  begin(plots: Plots, plot: number, timeS: number, receivedS: number): void {
    if (this.#freeCount === 0) return;
    const slot = this.#free[--this.#freeCount] as number;
    this.live[this.count++] = slot;
    const birth = settings.birthDensity / (settings.birthDensity + at(plots.densities, plot));
    this.existence.begin(slot, timeS, Math.min(Math.max(birth, settings.birthLeast), settings.birthMost));
    this.#lives[slot] = TENTATIVE;
    this.#hits[slot] = 1;
    this.times[slot] = timeS;
    this.#heard[slot] = receivedS;
    const state = slot * IMM;
    this.states.fill(0, state, state + IMM);
    this.states[state + CALM_ODDS] = settings.calmAtBirth;
    this.states[state + HABIT] = settings.calmOdds;
    this.states[state + CLIMB] = settings.climbAtBirth;
    this.#place(state, plots, plot);
    this.#place(state + WILD, plots, plot);
  }

  /** Takes in a plot; `predicted` holds the states as of `timeS`. */
  hit(slot: number, predicted: Float64Array, plots: Plots, plot: number, timeS: number, receivedS: number): void {
    const state = slot * IMM;
    if (updateImm(predicted, state, plots.places, 3 * plot, plots.spreads, 6 * plot)) {
      for (let k = state; k < state + IMM; k++) this.states[k] = at(predicted, k);
      this.times[slot] = timeS;
    }
    this.#heard[slot] = receivedS;
    const hits = (this.#hits[slot] as number) + 1;
    this.#hits[slot] = hits;
    if (hits >= settings.confirmHits && this.existence.of(slot) > settings.confirmExistence)
      this.#lives[slot] = CONFIRMED;
  }

  /** East, north and up of every confirmed track as of `timeS`, m. */
  confirmed(timeS: number): number[][] {
    const confirmed = [...this.live.subarray(0, this.count)].filter((slot) => this.#lives[slot] === CONFIRMED);
    return confirmed.map((slot) => {
      combined(this.states, slot * IMM, this.#both, 0);
      const dt = timeS - at(this.times, slot);
      return [0, 1, 2].map((k) => at(this.#both, k) + dt * at(this.#both, V + k));
    });
  }

  /** All that is known of the Gaussian at `g` is the plot, and how fast things fly. */
  #place(g: number, { places, spreads }: Plots, plot: number): void {
    for (let k = 0; k < 3; k++) this.states[g + k] = at(places, 3 * plot + k);
    for (let k = 0; k < 6; k++) this.states[g + PP + k] = at(spreads, 6 * plot + k);
    this.states[g + VV] = settings.speedSdMps ** 2;
    this.states[g + VV + 3] = settings.speedSdMps ** 2;
    this.states[g + VV + 5] = settings.climbSdMps ** 2;
  }
}
