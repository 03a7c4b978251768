import { createHash } from 'node:crypto';
import type { Test } from 'tap';

/**
 * The seed of a property test, printed. It is DUNLIN_TEST_SEED (a number), or a new random one where that is `fresh`.
 * Otherwise it follows from the test's name, so a run of the same code has the same result.
 */
export function seedOf(t: Test): number {
  const given = process.env.DUNLIN_TEST_SEED;
  // Which files share a process is no part of the name.
  const name = t.fullname.replace(/^.*\.test\.[jt]s > /, '');
  const seed = given === undefined ? ofName(name) : given === 'fresh' ? fresh() : Number(given);
  t.comment(`seed ${seed}: run again with DUNLIN_TEST_SEED=${seed}`);
  return seed;
}

const fresh = (): number => Math.floor(Math.random() * 0x7fffffff);
const ofName = (name: string): number => createHash('sha256').update(name).digest().readUInt32LE(0) >>> 1;
