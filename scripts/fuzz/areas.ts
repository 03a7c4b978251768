/**
 * Holds what native/areas measures against slow and simple ways of measuring it, long: `node build/scripts/fuzz/areas.js
 * [--cases N] [--seed S] [--only distance,approach]`. It ends with exit code 1 and the case that lay farthest apart.
 */
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { randomFrom } from '../../test/support/basics/random.ts';
import {
  type Judged,
  judgeApproach,
  judgeContainment,
  judgeDistance,
  judgeWide,
  worstOf,
} from '../../test/support/references/areas/judge.ts';
import { judgeSigmas } from '../../test/support/references/areas/spread.ts';
import { Inputs } from '../../test/support/references/inputs.ts';

const parts: Readonly<Record<string, (make: Inputs) => Judged>> = {
  distance: (make) => judgeDistance(make, 20_000, 30_000),
  wide: judgeWide,
  containment: (make) => judgeContainment(make, 20_000),
  wide_containment: (make) => judgeContainment(make, 3e6),
  approach: (make) => judgeApproach(make, 10_000, 10_000, 120),
  sigmas: judgeSigmas,
};

/** Runs `cases` of each part named; true where none differs by more than it may. */
export function fuzzAreas(cases: number, seed: number, only: readonly string[]): boolean {
  let sound = true;
  for (const [name, judge] of Object.entries(parts)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const make = new Inputs(randomFrom(seed));
    const { apart, what } = worstOf(cases, () => judge(make));
    console.log(`${name}: ${cases} cases, at most ${apart.toFixed(3)} of what they may differ`);
    if (apart <= 1) continue;
    sound = false;
    console.log(what);
  }
  return sound;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const options = {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  } as const;
  const { values } = parseArgs({ options });
  console.log(`seed ${values.seed}`);
  const only = values.only.split(',').filter((name) => name !== '');
  process.exitCode = fuzzAreas(Number(values.cases), Number(values.seed), only) ? 0 : 1;
}
