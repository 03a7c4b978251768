import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { builtinSpec, differsBySeed, play } from '../support/sim/played.ts';
import { elsewhere } from './played_where.ts';

onlyInFull(t);
takeTime(t, 480);

for (const key of elsewhere)
  t.test(`${key} meets its own expectations, and its beginning is the same each time`, async (t) => {
    const scenario = builtinSpec(key);
    const { expect } = await play(scenario);
    for (const { text, met } of expect) t.ok(met, text);
    await differsBySeed(t, scenario);
  });
