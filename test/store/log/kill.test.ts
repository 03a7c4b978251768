import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { createHistoryLog } from '../../../src/store/log/history.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { linesBeforeKill } from '../../support/store/killed_writer.ts';

onlyInFull(t);

t.test('history that was committed outlives kills, and its file opens clean', async (t) => {
  const dataDir = t.testdir();
  let committed = 0;
  for (let round = 0; round < 4; round++) {
    const lines = await linesBeforeKill(new URL('./history_writer.js', import.meta.url), dataDir, 20 + round * 40);
    committed = Number(lines.at(-1) ?? committed);
    const faults: string[] = [];
    const log = createHistoryLog({
      dataDir,
      retention: { prunedBefore: null, bytes: 1e9 },
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
