/** A small generator of numbers that are the same for the same seed (mulberry32). */
export type Random = {
  /** A whole number, 0 ≤ x < n. */
  below(n: number): number;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(n) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
    },
  };
}
