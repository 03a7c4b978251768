import t from 'tap';
import { scenarioFiles } from '../../src/sim/scenarios/builtins.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { provesItself } from '../support/sim/played.ts';
import { byThemselves, elsewhere, withOurs } from './played_where.ts';

onlyInFull(t);
takeTime(t, 480);

t.test('each built-in scenario is played by one of these files', async (t) => {
  t.same([...byThemselves, ...withOurs, ...elsewhere].sort(), scenarioFiles());
});

for (const key of byThemselves)
  t.test(`${key} meets its own expectations, and is the same each time`, (t) => provesItself(t, key));
