import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { createHistoryLog } from '../../src/store/log/history.ts';
import { sensorRows } from '../../src/store/sensors.ts';
import { openState } from '../../src/store/state.ts';
import { type Scope, workspaceRows } from '../../src/store/workspaces.ts';
import { linesBeforeKill } from '../support/killed.ts';

const rounds = 20;

t.test(`no answered write is lost over ${rounds} kills, and the folder is free at once`, async (t) => {
  const dataDir = t.testdir();
  const answered: string[] = [];
  for (let round = 0; round < rounds; round++) {
    answered.push(...(await linesBeforeKill('./sensor_writer.js', dataDir, (round * 7) % 50)));
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

t.test('history that was committed outlives kills, and its file opens clean', async (t) => {
  const dataDir = t.testdir();
  let committed = 0;
  for (let round = 0; round < 6; round++) {
    const lines = await linesBeforeKill('./history_writer.js', dataDir, 20 + round * 40);
    committed = Number(lines.at(-1) ?? committed);
    const faults: string[] = [];
    const log = createHistoryLog({
      dataDir,
      retention: { days: 30, bytes: 1e9 },
      onFault: (fault) => faults.push(fault.message),
    });
    await log.start();
    t.ok((await log.lastEventSeq()) >= committed, `round ${round}: ${committed} events were committed`);
    await log.stop();
    t.same(faults, []);
  }
  const folder = join(dataDir, 'history');
  const names = readdirSync(folder);
  t.ok(
    names.every((name) => /^\d{4}-\d\d-\d\d\.db$/.test(name)),
    `nothing was set aside: ${names}`,
  );
  let events = 0;
  for (const name of names) {
    const db = new Database(join(folder, name), { readonly: true });
    t.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    events += Number(db.prepare('SELECT count(*) FROM events').pluck().get());
    db.close();
  }
  t.ok(events >= committed, `${events} events are stored, ${committed} were known to be`);
});
