import { at } from './matrix.ts';

/** Pairs of a track and a plot that may be its own, and the choice among them: the cheapest first. */
export class Pairs {
  count = 0;
  readonly #most: number;
  readonly #tracks: Int32Array;
  readonly #plots: Int32Array;
  readonly #costs: Float64Array;
  readonly #likelihoods: Float64Array;
  readonly #order: Uint32Array;
  /** The pair of each track's slot and of each plot; −1 for none. */
  readonly #ofTrack: Int32Array;
  readonly #ofPlot: Int32Array;

  constructor(most: number, slots: number, plots: number) {
    this.#most = most;
    this.#tracks = new Int32Array(most);
    this.#plots = new Int32Array(most);
    this.#costs = new Float64Array(most);
    this.#likelihoods = new Float64Array(most);
    this.#order = new Uint32Array(most);
    this.#ofTrack = new Int32Array(slots);
    this.#ofPlot = new Int32Array(plots);
  }

  add(slot: number, plot: number, cost: number, logLikelihood: number): void {
    if (this.count === this.#most) return;
    this.#tracks[this.count] = slot;
    this.#plots[this.count] = plot;
    this.#costs[this.count] = cost;
    this.#likelihoods[this.count] = logLikelihood;
    this.#order[this.count] = this.count;
    this.count++;
  }

  /** Gives each track and each plot at most one pair. */
  choose(): void {
    this.#ofTrack.fill(-1);
    this.#ofPlot.fill(-1);
    const costs = this.#costs;
    const order = this.#order.subarray(0, this.count).sort((a, b) => at(costs, a) - at(costs, b));
    for (let i = 0; i < this.count; i++) {
      const pair = order[i] as number;
      const slot = this.#tracks[pair] as number;
      const plot = this.#plots[pair] as number;
      if (this.ofTrack(slot) >= 0 || this.ofPlot(plot) >= 0) continue;
      this.#ofTrack[slot] = pair;
      this.#ofPlot[plot] = pair;
    }
  }

  ofTrack(slot: number): number {
    return this.#ofTrack[slot] as number;
  }

  ofPlot(plot: number): number {
    return this.#ofPlot[plot] as number;
  }

  plot(pair: number): number {
    return this.#plots[pair] as number;
  }

  logLikelihood(pair: number): number {
    return at(this.#likelihoods, pair);
  }
}
