import { OBSERVED } from '../../../../src/model/rows/layouts.ts';
import { Cells } from './cells.ts';
import { Gates } from './gates.ts';
import { at } from './matrix.ts';
import { Pairs } from './pairs.ts';
import { type Clutter, Plots } from './plots.ts';
import { Tracks } from './tracks.ts';

/** The radar that all plots are of: it stands in the middle, its axes are the site's, it covers every track. */
export type ReferenceRadar = { detection: number; rangeMostM: number; clutter: Clutter };

const SWEEPS_PER_S = 4;
const PAIRS_PER_SLOT = 16;
const CLUTTER_EWMA = 0.02;

/**
 * What the native tracker does with the plots of one radar, in plain TypeScript over typed arrays: the yardstick for its
 * speed and a second opinion on its tracks. Left out is all that claims, bearings, late reports and lost tracks need; pairs
 * are chosen cheapest first where the native one assigns each cluster at the least cost.
 */
export class ReferenceTracker {
  readonly #detection: number;
  readonly #clutter: Clutter;
  readonly #plots: Plots;
  readonly #tracks: Tracks;
  readonly #gates: Gates;
  readonly #cells: Cells;
  readonly #pairs: Pairs;

  /** Room for `slots` tracks and for `plots` in a look. */
  constructor({ detection, rangeMostM, clutter }: ReferenceRadar, slots: number, plots: number) {
    this.#detection = detection;
    this.#clutter = { ...clutter };
    this.#plots = new Plots(plots);
    this.#tracks = new Tracks(slots);
    this.#gates = new Gates(slots);
    this.#cells = new Cells(rangeMostM, slots);
    this.#pairs = new Pairs(slots * PAIRS_PER_SLOT, slots, plots);
  }

  /** Takes one look: packed rows, its head first. */
  scan(rows: Float64Array): void {
    const timeS = at(rows, OBSERVED.timeS);
    const receivedS = at(rows, OBSERVED.receivedS);
    this.#tracks.sweep(Math.floor(receivedS * SWEEPS_PER_S) / SWEEPS_PER_S);
    this.#plots.read(rows, this.#clutter);
    this.#gates.predict(this.#tracks, timeS, this.#plots, this.#detection);
    this.#findPairs();
    this.#pairs.choose();
    this.#settleTracks(timeS, receivedS);
    this.#settlePlots(timeS, receivedS);
  }

  /** East, north and up of every confirmed track as of `timeS`, m. */
  confirmed(timeS: number): number[][] {
    return this.#tracks.confirmed(timeS);
  }

  #findPairs(): void {
    this.#pairs.count = 0;
    this.#cells.fill(this.#tracks.live, this.#tracks.count, this.#gates.believed, this.#gates.reaches);
    const { count, places } = this.#plots;
    for (let plot = 0; plot < count; plot++) {
      const cell = this.#cells.cellAt(at(places, 3 * plot), at(places, 3 * plot + 1));
      const end = this.#cells.start(cell + 1);
      for (let i = this.#cells.start(cell); i < end; i++) {
        this.#gates.tryPair(this.#cells.entry(i), this.#plots, plot, this.#pairs);
      }
    }
  }

  /** Those that were seen move, those that were not are believed a little less. */
  #settleTracks(timeS: number, receivedS: number): void {
    const { live, count, existence } = this.#tracks;
    for (let i = 0; i < count; i++) {
      const slot = live[i] as number;
      const pair = this.#pairs.ofTrack(slot);
      if (pair < 0) {
        existence.weigh(slot, 1 - this.#detection);
        continue;
      }
      const plot = this.#pairs.plot(pair);
      const gain = this.#pairs.logLikelihood(pair) - at(this.#plots.logDensities, plot);
      existence.weigh(slot, Math.exp(Math.min(Math.max(gain, -10), 25)) * this.#detection);
      this.#tracks.hit(slot, this.#gates.predicted, this.#plots, plot, timeS, receivedS);
    }
  }

  /** Plots of no track begin one each, and tell how many false ones a look has. */
  #settlePlots(timeS: number, receivedS: number): void {
    let strangers = 0;
    for (let plot = 0; plot < this.#plots.count; plot++) {
      if (this.#pairs.ofPlot(plot) >= 0) continue;
      strangers++;
      this.#tracks.begin(this.#plots, plot, timeS, receivedS);
    }
    const { perLook } = this.#clutter;
    this.#clutter.perLook = Math.max(0.05, perLook + CLUTTER_EWMA * (strangers - perLook));
  }
}
