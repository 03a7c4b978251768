import type { Gaussian } from './gaussian.ts';
import type { Imm } from './imm.ts';
import { at, built, cell, type Matrix, plus, scaled, times, transposed } from './matrix.ts';
import type { Sensor } from './sensor.ts';

/** Random inputs as a tracker meets them, from one source of numbers. */
export class Inputs {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  between = (least: number, most: number): number => least + (most - least) * this.#random();
  /** Evenly over the orders of magnitude. */
  spread = (least: number, most: number): number => Math.exp(this.between(Math.log(least), Math.log(most)));
  list = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
  vector = (size: number): number[] => this.list(3, () => this.between(-size, size));
  whole = (least: number, most: number): number => Math.floor(this.between(least, most + 1));

  direction(): number[] {
    const v = this.vector(1);
    const length = Math.hypot(...v);
    return length > 0.1 ? v.map((x) => x / length) : this.direction();
  }

  /** A covariance of deviations between `least` and `most`, correlated at random but never wholly. */
  covariance(n: number, sd: (i: number) => number): Matrix {
    const half = built(n, n, () => this.between(-1, 1));
    const full = plus(
      times(half, transposed(half)),
      built(n, n, (i, j) => (i === j ? 0.05 : 0)),
    );
    const scales = this.list(n, (i) => sd(i) / Math.sqrt(cell(full, i, i)));
    return built(n, n, (i, j) => ((cell(full, i, j) + cell(full, j, i)) / 2) * at(scales, i) * at(scales, j));
  }

  gaussian(around: readonly number[] = this.vector(20_000)): Gaussian {
    const sd = [this.spread(0.5, 500), this.spread(0.2, 30)];
    return {
      x: [...around, ...this.vector(80)],
      p: this.covariance(6, (i) => at(sd, i < 3 ? 0 : 1) * this.between(0.5, 2)),
    };
  }

  imm(around: readonly number[] = this.vector(20_000)): Imm {
    const calm = this.gaussian(around);
    const wild = { x: calm.x.map((v) => v + this.between(-5, 5)), p: scaled(calm.p, this.between(1, 4)) };
    const float = (least: number, most: number): number => Math.fround(this.between(least, most));
    const habits = {
      calm: float(0.001, 0.999),
      habit: float(0.3, 0.98),
      climb: float(1 / 64, 1),
      rising: float(-3, 3),
    };
    return { ...habits, models: [calm, wild] };
  }

  sensor(): Sensor {
    const site = [this.between(-80, 80), this.between(-180, 180), this.between(-100, 3000)] as const;
    return {
      site,
      place: [site[0] + this.between(-0.3, 0.3), site[1] + this.between(-0.3, 0.3), this.between(-100, 3000)],
      rangeM: [this.between(0, 500), this.spread(2000, 60_000)],
      azimuthDeg: this.between(-360, 360),
      widthDeg: this.between(0, 1) < 0.3 ? 360 : this.between(20, 350),
      elevationDeg: [this.between(-60, 5), this.between(10, 90)],
    };
  }
}
