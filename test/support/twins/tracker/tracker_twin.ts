import { OBSERVED } from '../../../../src/model/observation_row.ts';
import { Cells } from './cells.ts';
import { Existence } from './existence.ts';
import { GAUSSIAN, LOG_TWO_PI, PP, V, VV } from './gaussian.ts';
import { CALM_ODDS, combined, IMM, predictImm, updateImm, WILD } from './imm.ts';
import { at, invert, quadratic } from './matrix.ts';
import { Pairs } from './pairs.ts';
import { type Clutter, Plots } from './plots.ts';
import { settings } from './settings.ts';

/** The radar that all plots are of: it stands in the middle, its axes are the site's. */
export type TwinRadar = { detection: number; rangeMostM: number; clutter: Clutter };

const SWEEPS_PER_S = 4;
const PAIRS_PER_SLOT = 16;
/** Numbers a slot that say where a track is believed to be: place and covariance. */
const BELIEVED = 9;
const [FREE, TENTATIVE, CONFIRMED] = [0, 1, 2];

/**
 * What the native tracker does with the plots of one radar, in plain TypeScript over typed arrays: the yardstick for its
 * speed and a second opinion on its tracks. Left out is all that claims, bearings, late reports and lost tracks need; pairs
 * are chosen cheapest first where the native one assigns each cluster at the least cost.
 */
export class TrackerTwin {
  readonly #radar: TwinRadar;
  readonly #plots: Plots;
  readonly #cells: Cells;
  readonly #pairs: Pairs;
  readonly #existence: Existence;
  readonly #states: Float64Array;
  readonly #predicted: Float64Array;
  readonly #believed: Float64Array;
  readonly #reaches: Float64Array;
  readonly #logOdds: Float64Array;
  /** Time of each state and when each was last heard, s. */
  readonly #times: Float64Array;
  readonly #heard: Float64Array;
  readonly #hits: Int32Array;
  readonly #lives: Uint8Array;
  readonly #live: Int32Array;
  readonly #free: Int32Array;
  #liveCount = 0;
  #freeCount: number;
  readonly #both = new Float64Array(GAUSSIAN);
  readonly #sum = new Float64Array(6);
  readonly #inverse = new Float64Array(6);

  constructor(radar: TwinRadar, slots: number, plots: number) {
    this.#radar = { ...radar, clutter: { ...radar.clutter } };
    this.#plots = new Plots(plots);
    this.#cells = new Cells(radar.rangeMostM, slots);
    this.#pairs = new Pairs(slots * PAIRS_PER_SLOT, slots, plots);
    this.#existence = new Existence(slots);
    this.#states = new Float64Array(slots * IMM);
    this.#predicted = new Float64Array(slots * IMM);
    this.#believed = new Float64Array(slots * BELIEVED);
    this.#reaches = new Float64Array(slots);
    this.#logOdds = new Float64Array(slots);
    this.#times = new Float64Array(slots);
    this.#heard = new Float64Array(slots);
    this.#hits = new Int32Array(slots);
    this.#lives = new Uint8Array(slots);
    this.#live = new Int32Array(slots);
    this.#free = Int32Array.from({ length: slots }, (_, i) => slots - 1 - i);
    this.#freeCount = slots;
  }

  /** Takes one look: packed rows, its head first. */
  scan(rows: Float64Array): void {
    const timeS = at(rows, OBSERVED.timeS);
    const receivedS = at(rows, OBSERVED.receivedS);
    this.#sweep(Math.floor(receivedS * SWEEPS_PER_S) / SWEEPS_PER_S);
    this.#plots.read(rows, this.#radar.clutter);
    this.#predictAll(timeS);
    this.#cells.fill(this.#live, this.#liveCount, this.#believed, this.#reaches);
    this.#gate();
    this.#pairs.choose();
    this.#settle(timeS, receivedS);
  }

  /** East, north and up of every confirmed track as of `timeS`, m. */
  confirmed(timeS: number): number[][] {
    const places: number[][] = [];
    for (let i = 0; i < this.#liveCount; i++) {
      const slot = this.#live[i] as number;
      if (this.#lives[slot] !== CONFIRMED) continue;
      combined(this.#states, slot * IMM, this.#both, 0);
      const dt = timeS - at(this.#times, slot);
      places.push([0, 1, 2].map((k) => at(this.#both, k) + dt * at(this.#both, V + k)));
    }
    return places;
  }

  /** Ends what is silent for too long or hardly believed. */
  #sweep(nowS: number): void {
    let kept = 0;
    for (let i = 0; i < this.#liveCount; i++) {
      const slot = this.#live[i] as number;
      const silent = nowS - at(this.#heard, slot);
      const tentative = this.#lives[slot] === TENTATIVE;
      const least = tentative ? settings.tentativeExistence : settings.confirmedExistence;
      if (silent > (tentative ? settings.tentativeS : settings.lostS) || this.#existence.of(slot) < least) {
        this.#lives[slot] = FREE as number;
        this.#free[this.#freeCount++] = slot;
      } else {
        this.#live[kept++] = slot;
      }
    }
    this.#liveCount = kept;
  }

  #predictAll(timeS: number): void {
    for (let i = 0; i < this.#liveCount; i++) {
      const slot = this.#live[i] as number;
      predictImm(this.#states, slot * IMM, timeS - at(this.#times, slot), this.#predicted, slot * IMM);
      combined(this.#predicted, slot * IMM, this.#both, 0);
      const b = slot * BELIEVED;
      for (let k = 0; k < 3; k++) this.#believed[b + k] = at(this.#both, k);
      for (let k = 0; k < 6; k++) this.#believed[b + 3 + k] = at(this.#both, PP + k);
      this.#reaches[slot] = this.#reach(b);
      this.#existence.age(slot, timeS);
      const shown = at(this.#existence.shown, slot);
      const seen = Math.min(Math.max(shown, 1e-6), 0.9999) * this.#radar.detection;
      this.#logOdds[slot] = Math.log(seen / (1 - seen));
    }
  }

  /** How far along the ground its plot may lie: a plot within the gate is a little farther than the track at most. */
  #reach(b: number): number {
    const believed = this.#believed;
    const range = Math.sqrt(at(believed, b) ** 2 + at(believed, b + 1) ** 2 + at(believed, b + 2) ** 2);
    const across = range * this.#plots.sdPerM;
    const variance = Math.max(at(believed, b + 3), at(believed, b + 6)) + across * across + this.#plots.sdM ** 2;
    return 1.1 * Math.sqrt(settings.gate * variance);
  }

  #gate(): void {
    this.#pairs.count = 0;
    const { count, places } = this.#plots;
    for (let plot = 0; plot < count; plot++) {
      const cell = this.#cells.cellAt(at(places, 3 * plot), at(places, 3 * plot + 1));
      const end = this.#cells.start(cell + 1);
      for (let i = this.#cells.start(cell); i < end; i++) this.#tryPair(this.#cells.entry(i), plot);
    }
  }

  #tryPair(slot: number, plot: number): void {
    const { places, spreads, logDensities } = this.#plots;
    const believed = this.#believed;
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
    if (cost < 0) this.#pairs.add(slot, plot, cost, logLikelihood);
  }

  #settle(timeS: number, receivedS: number): void {
    for (let i = 0; i < this.#liveCount; i++) {
      const slot = this.#live[i] as number;
      const pair = this.#pairs.ofTrack(slot);
      if (pair < 0) this.#existence.weigh(slot, 1 - this.#radar.detection);
      else this.#hit(slot, pair, timeS, receivedS);
    }
    let strangers = 0;
    for (let plot = 0; plot < this.#plots.count; plot++) {
      if (this.#pairs.ofPlot(plot) >= 0) continue;
      strangers++;
      this.#begin(plot, timeS, receivedS);
    }
    const { clutter } = this.#radar;
    clutter.perLook = Math.max(0.05, clutter.perLook + 0.02 * (strangers - clutter.perLook));
  }

  #hit(slot: number, pair: number, timeS: number, receivedS: number): void {
    const plot = this.#pairs.plot(pair);
    const { places, spreads, logDensities } = this.#plots;
    const gain = this.#pairs.logLikelihood(pair) - at(logDensities, plot);
    this.#existence.weigh(slot, Math.exp(Math.min(Math.max(gain, -10), 25)) * this.#radar.detection);
    if (updateImm(this.#predicted, slot * IMM, places, 3 * plot, spreads, 6 * plot)) {
      for (let k = slot * IMM; k < (slot + 1) * IMM; k++) this.#states[k] = at(this.#predicted, k);
      this.#times[slot] = timeS;
    }
    this.#heard[slot] = receivedS;
    this.#hits[slot] = (this.#hits[slot] as number) + 1;
    const sure =
      this.#existence.of(slot) > settings.confirmExistence && (this.#hits[slot] as number) >= settings.confirmHits;
    if (sure) this.#lives[slot] = CONFIRMED as number;
  }

  #begin(plot: number, timeS: number, receivedS: number): void {
    if (this.#freeCount === 0) return;
    const slot = this.#free[--this.#freeCount] as number;
    this.#live[this.#liveCount++] = slot;
    const density = at(this.#plots.densities, plot);
    const birth = settings.birthDensity / (settings.birthDensity + density);
    this.#existence.begin(slot, timeS, Math.min(Math.max(birth, settings.birthLeast), settings.birthMost));
    this.#lives[slot] = TENTATIVE as number;
    this.#hits[slot] = 1;
    this.#times[slot] = timeS;
    this.#heard[slot] = receivedS;
    const state = slot * IMM;
    this.#states.fill(0, state, state + IMM);
    this.#states[state + CALM_ODDS] = settings.calmAtBirth;
    for (const g of [state, state + WILD]) this.#place(g, plot);
  }

  /** All that is known is the plot, and how fast things fly. */
  #place(g: number, plot: number): void {
    const { places, spreads } = this.#plots;
    for (let k = 0; k < 3; k++) this.#states[g + k] = at(places, 3 * plot + k);
    for (let k = 0; k < 6; k++) this.#states[g + PP + k] = at(spreads, 6 * plot + k);
    this.#states[g + VV] = this.#states[g + VV + 3] = settings.speedSdMps ** 2;
    this.#states[g + VV + 5] = settings.climbSdMps ** 2;
  }
}
