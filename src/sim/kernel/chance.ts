/**
 * Random numbers that depend only on a seed. Each actor and sensor has a separate generator, so adding an actor or
 * sensor does not change the numbers of the others.
 */
export class Chance {
  #state: number;
  /** Normal numbers are computed in pairs. This is the second number of the last pair; NaN once it was used. */
  #spare = Number.NaN;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Starts a new sequence, which depends only on this key. */
  reset(key: number): this {
    this.#state = key >>> 0;
    this.#spare = Number.NaN;
    return this;
  }

  /** Returns a number from 0 to below 1 (mulberry32). */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.uniform();
  }

  /** Returns an integer from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.uniform() * count);
  }

  /** Returns a normally distributed number with mean 0 and standard deviation 1. */
  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = Number.NaN;
      return spare;
    }
    const length = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = length * Math.sin(angle);
    return length * Math.cos(angle);
  }

  /** Returns a Poisson-distributed number of events with the mean `mean`. */
  poisson(mean: number): number {
    let count = 0;
    // Large means are split, because e^-mean would underflow. A sum of Poisson numbers is a Poisson number too.
    for (let left = mean; left > 0; left -= MOST_AT_ONCE) {
      const limit = Math.exp(-Math.min(left, MOST_AT_ONCE));
      for (let product = this.uniform(); product > limit; product *= this.uniform()) count++;
    }
    return count;
  }
}

const MOST_AT_ONCE = 20;

/**
 * Returns the seed of one actor's or sensor's generator, from the run's seed and the names that identify the actor or
 * sensor.
 */
export function seedFor(seed: number, ...names: string[]): number {
  let hash = mixed(seed ^ 0x9e3779b9);
  for (const name of names) {
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    hash = mixed(hash ^ name.length);
  }
  return hash >>> 0;
}

/**
 * Returns a key for `Chance.reset` from two seeds and a count, for example the seeds of a sensor and an actor, and the
 * scan number.
 */
export function keyOf(a: number, b: number, count: number): number {
  return mixed(mixed(a ^ Math.imul(count + 1, 0x85ebca6b)) ^ b) >>> 0;
}

/** Finaliser of MurmurHash3: a change of one input bit changes half of the output bits on average. */
function mixed(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
