import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Retention } from '../../src/model/retention.ts';
import { openDayFile } from '../../src/store/log/day_file.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { fakeClock, noFakeClock } from '../support/daemon/fake_clock.ts';
import { fieldBox } from '../support/daemon/field_box.ts';

onlyInFull(t);
takeTime(t, 180);

const dayMs = 86_400_000;
const skip = noFakeClock();

function putRetention(daemon: Daemon, body: object) {
  const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return daemon.request('/api/retention', init);
}

function auditRows(dataDir: string): number {
  const db = new Database(join(dataDir, 'state.db'), { readonly: true });
  const rows = Number(db.prepare("SELECT count(*) FROM audit WHERE kind = 'sensor.created'").pluck().get());
  db.close();
  return rows;
}

t.test('a step of 45 days, and a start 3 700 days ahead, keep day files and audit rows', { skip }, async (t) => {
  const box = fieldBox(t, '');
  const clock = fakeClock(box.folder);
  const first = await box.spawn({ env: clock.env });
  for (const name of ['a', 'b', 'c']) await first.post('/api/sensors', { name, modality: 'acoustic' });
  t.match(await first.get<Retention>('/api/retention'), { clock: { trust: 'rtc', prunes: false } });
  const confirmed = await first.request('/api/retention/confirm-clock', { method: 'POST' });
  t.match(confirmed.body.data, { clock: { prunes: true, reason: null } });
  await first.end();
  const day = new Date(Date.now() - 3 * dayMs).toISOString().slice(0, 10);
  const path = join(box.dataDir, 'history', `${day}.db`);
  openDayFile(path, 's', true).close();

  const stepped = await box.spawn({ env: clock.env });
  t.match(await stepped.get<Retention>('/api/retention'), { clock: { prunes: true } }, 'a restart doubts nothing');
  t.ok(existsSync(path));
  clock.setMs(45 * dayMs);
  const doubted = await until(async () => {
    const retention = await stepped.get<Retention>('/api/retention');
    return retention.clock.prunes ? null : retention;
  }, 'the clock is doubted');
  t.match(doubted.clock.reason, /was changed by \+45\.0 days/);
  // The writer prunes when its limits change, before it answers the next question.
  t.equal((await putRetention(stepped, { days: 29, bytes: 1e9 })).status, 200);
  await stepped.get('/api/detections');
  t.ok(existsSync(path), 'the day file is there');
  await stepped.end();

  clock.setMs(3_700 * dayMs);
  const ahead = await box.spawn({ env: clock.env });
  t.match(await ahead.get<Retention>('/api/retention'), { clock: { prunes: false, reason: /moved by \+3655/ } });
  await ahead.end();
  t.equal(auditRows(box.dataDir), 3, 'no audit row is gone');
  t.ok(existsSync(path));

  clock.setMs(0);
  const right = await box.spawn({ env: clock.env });
  await putRetention(right, { days: 2, bytes: 1e9 });
  t.ok(existsSync(path), 'nor when the clock is right again, and nobody has said so');
  await right.request('/api/retention/confirm-clock', { method: 'POST' });
  await until(async () => !existsSync(path), 'the owner confirms the clock, and the old day goes');
  const pruned = await until(async () => {
    const rows = await right.get<LogEvent[]>('/api/events?kind=history.pruned');
    return rows.length > 0 ? rows : null;
  }, 'the pruning is an audit row');
  t.match(pruned, [{ severity: 'notice', after: { why: 'age', days: [day], whole: true } }]);
  t.equal((await right.get<LogEvent[]>('/api/events?kind=retention.clock_confirmed')).length, 2);
});
