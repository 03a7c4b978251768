import t from 'tap';
import { onlyInFull } from '../support/basics/patience.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import {
  type Judged,
  judgeApproach,
  judgeContainment,
  judgeDistance,
  judgeWide,
  worstOf,
} from '../support/references/areas/judge.ts';
import { judgeSigmas } from '../support/references/areas/spread.ts';
import { LONG_MS } from '../support/references/emulator.ts';
import { Inputs } from '../support/references/inputs.ts';

onlyInFull(t);

// `node build/scripts/fuzz/areas.js` asks a hundred thousand of each.
t.test('tracks are measured against things as the earth itself says', { timeout: LONG_MS }, async (t) => {
  const make = new Inputs(randomFrom(seedOf(t)));
  const holds = (count: number, name: string, one: () => Judged): void => {
    const { apart, what } = worstOf(count, one);
    t.ok(apart <= 1, `${name}: ${count} cases, at most ${apart} of what they may differ`, { what });
  };
  holds(2_000, 'distances are those of geodesics', () => judgeDistance(make, 20_000, 30_000));
  holds(500, 'distances of what is wider than a plane too', () => judgeWide(make));
  holds(4_000, 'who is inside is told by how often rings run round him', () => judgeContainment(make, 20_000));
  holds(4_000, 'whatever their width', () => judgeContainment(make, 3e6));
  holds(800, 'what lies ahead is what a flight in small steps finds', () => judgeApproach(make, 10_000, 10_000, 120));

  let held = 0;
  holds(800, 'what is uncertain is so by as much as the state is', () => {
    const judged = judgeSigmas(make);
    held += judged.held;
    return judged;
  });
  t.ok(held > 400, `${held} of them had derivatives`);
});
