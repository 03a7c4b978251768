import { GAUSSIAN, LOG_TWO_PI, PP } from './gaussian.ts';
import { combined, IMM, predictImm } from './imm.ts';
import { at, invert, quadratic } from './matrix.ts';
import type { Pairs } from './pairs.ts';
import type { Plots } from './plots.ts';
import { settings } from './settings.ts';
import type { Tracks } from './tracks.ts';

/** Numbers a slot that say where a track is believed to be: place and covariance. */
export const BELIEVED = 9;

/** Where every track is believed to be at the time of a look, and which plots may be its own. */
export class Gates {
  /** Both models of each slot as of the look. */
  readonly predicted: Float64Array;
  readonly believed: Float64Array;
  /** How far from there along the ground a plot may be, m. */
  readonly reaches: Float64Array;
  readonly #logOdds: Float64Array;
  readonly #both = new Float64Array(GAUSSIAN);
  readonly #sum = new Float64Array(6);
  readonly #inverse = new Float64Array(6);

  constructor(slots: number) {
    this.predicted = new Float64Array(slots * IMM);
    this.believed = new Float64Array(slots * BELIEVED);
    this.reaches = new Float64Array(slots);
    this.#logOdds = new Float64Array(slots);
  }

  predict(tracks: Tracks, timeS: number, plots: Plots, detection: number): void {
    for (let i = 0; i < tracks.count; i++) {
      const slot = tracks.live[i] as number;
      predictImm(tracks.states, slot * IMM, timeS - at(tracks.times, slot), this.predicted, slot * IMM);
      combined(this.predicted, slot * IMM, this.#both, 0);
      for (let k = 0; k < 3; k++) this.believed[slot * BELIEVED + k] = at(this.#both, k);
      for (let k = 0; k < 6; k++) this.believed[slot * BELIEVED + 3 + k] = at(this.#both, PP + k);
      this.reaches[slot] = this.#reach(slot * BELIEVED, plots);
      tracks.existence.age(slot, timeS);
      const seen = Math.min(Math.max(at(tracks.existence.shown, slot), 1e-6), 0.9999) * detection;
      this.#logOdds[slot] = Math.log(seen / (1 - seen));
    }
  }

  /** Adds the pair where the plot lies in the track's gate and is likelier its own than not. */
  tryPair(slot: number, { places, spreads, logDensities }: Plots, plot: number, pairs: Pairs): void {
    const believed = this.believed;
    const b = slot * BELIEVED;
    const east = at(places, 3 * plot) - at(believed, b);
    if (east * east > settings.gate * (at(believed, b + 3) + at(spreads, 6 * plot))) return;
    const north = at(places, 3 * plot + 1) - at(believed, b + 1);
    if (north * north > settings.gate * (at(believed, b + 6) + at(spreads, 6 * plot + 3))) return;
    const up = at(places, 3 * plot + 2) - at(believed, b + 2);
    for (let k = 0; k < 6; k++) this.#sum[k] = at(believed, b + 3 + k) + at(spreads, 6 * plot + k);
    const logDet = invert(this.#sum, this.#inverse);
    const d2 = quadratic(this.#inverse, east, north, up);
    if (!(d2 <= settings.gate)) return;
    const logLikelihood = -0.5 * (d2 + logDet + 3 * LOG_TWO_PI);
    const cost = at(logDensities, plot) - at(this.#logOdds, slot) - logLikelihood;
    if (cost < 0) pairs.add(slot, plot, cost, logLikelihood);
  }

  /** A plot within the gate is a little farther from the radar than the track at most, and a little vaguer. */
  #reach(b: number, plots: Plots): number {
    const believed = this.believed;
    const range = Math.sqrt(at(believed, b) ** 2 + at(believed, b + 1) ** 2 + at(believed, b + 2) ** 2);
    const across = range * plots.sdPerM;
    const variance = Math.max(at(believed, b + 3), at(believed, b + 6)) + across * across + plots.sdM ** 2;
    return 1.1 * Math.sqrt(settings.gate * variance);
  }
}
