import type { Test } from 'tap';

/** The seed of a property test: DUNLIN_TEST_SEED, or a fresh one; printed, so that a failure can be run again. */
export function seedOf(t: Test): number {
  const given = process.env.DUNLIN_TEST_SEED;
  const seed = given === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(given);
  t.comment(`seed ${seed}: run again with DUNLIN_TEST_SEED=${seed}`);
  return seed;
}
