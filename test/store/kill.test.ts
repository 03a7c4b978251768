import t from 'tap';
import { sensorRows } from '../../src/store/sensors.ts';
import { openState } from '../../src/store/state.ts';
import { type Scope, workspaceRows } from '../../src/store/workspaces.ts';
import { timesOf } from '../support/basics/size.ts';
import { linesBeforeKill } from '../support/store/killed_writer.ts';

const rounds = timesOf({ usual: 7, full: 20 });

t.test(`no answered write is lost over ${rounds} kills, and the folder is free at once`, async (t) => {
  const dataDir = t.testdir();
  const answered: string[] = [];
  for (let round = 0; round < rounds; round++) {
    answered.push(
      ...(await linesBeforeKill(new URL('./sensor_writer.js', import.meta.url), dataDir, (round * 7) % 50)),
    );
    const state = openState(dataDir);
    t.equal(state.recovered, true, 'the kill was noticed and the file checked');
    const workspaceId = workspaceRows(state).list()[0]?.id ?? '';
    const scope: Scope = { workspaceId, environment: 'live' };
    const stored = new Set(
      sensorRows(state)
        .list(scope)
        .map(({ id }) => id),
    );
    t.same(
      answered.filter((id) => !stored.has(id)),
      [],
      `round ${round}: all ${answered.length} answered writes are there`,
    );
    state.close();
  }
  t.ok(answered.length > rounds, `${answered.length} writes were answered`);
});
