import { Worker } from 'node:worker_threads';
import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { beginningOf, builtinSpec, partsOf, play, provesItself } from '../support/sim/played.ts';
import { withOurs } from './played_where.ts';

onlyInFull(t);
takeTime(t, 480);

for (const key of withOurs)
  t.test(`${key} meets its own expectations, and is the same each time`, (t) => provesItself(t, key));

t.test('beside threads that keep every core busy it is the same', async (t) => {
  // Ours has taken off, was told to shadow somebody, and flies after him.
  const scenario = beginningOf(builtinSpec('patrol_tasking'), 120);
  const calm = await play(scenario);
  const busy = Array.from({ length: 4 }, () => new Worker('for (;;) Math.sqrt(2);', { eval: true }));
  try {
    t.strictSame(partsOf(await play(scenario)), partsOf(calm));
  } finally {
    await Promise.all(busy.map((worker) => worker.terminate()));
  }
});
