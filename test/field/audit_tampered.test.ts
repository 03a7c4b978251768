import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { LogEvent } from '../../src/model/event.ts';
import { AuditRows } from '../../src/store/audit.ts';
import { writeHead } from '../../src/store/audit_head.ts';
import { auditKey } from '../../src/store/audit_key.ts';
import { writeSeal } from '../../src/store/audit_seal.ts';
import type { State } from '../../src/store/state.ts';
import { withoutGuards } from '../support/audit.ts';
import { dunlin } from '../support/dunlin.ts';
import { type FieldBox, fieldBox } from '../support/field_box.ts';
import { takeTime } from '../support/patience.ts';
import { runToEnd } from '../support/program.ts';

takeTime(t, 240);

/** A stopped box with three audit rows, and its files as an intruder finds them. */
async function stoppedBox(t: Test): Promise<FieldBox & { head: string; edit(sql: string): void }> {
  const box = fieldBox(t, '');
  const daemon = await box.start();
  for (const name of ['a', 'b', 'c']) await daemon.post('/api/sensors', { name, modality: 'acoustic' });
  t.equal(await daemon.end(), 0);
  const edit = (sql: string): void => {
    const db = new Database(join(box.dataDir, 'state.db'));
    withoutGuards(db, () => db.exec(sql));
    db.close();
  };
  return { ...box, head: join(box.dataDir, 'audit.head'), edit };
}

/** The log is found cut by `verify`, by the next start and its alert, and by `verify` after that start. */
async function isFound(t: Test, box: FieldBox, why: RegExp): Promise<void> {
  t.match(await dunlin(t, 'audit', 'verify', '--data', box.dataDir), { code: 1, out: why }, 'verify fails');
  const daemon = await box.start();
  const [row, ...more] = await daemon.get<LogEvent[]>('/api/events?kind=audit.cut');
  t.match(row, { severity: 'critical', text: why }, 'the start writes a row');
  t.same(more, []);
  const alerts = await daemon.get<Alert[]>('/api/alerts?state=active');
  t.match(
    alerts.filter(({ rule_id }) => rule_id === 'box.audit_log'),
    [{ severity: 'critical', subject: { type: 'site', id: 'audit_log' }, text: why }],
    'and raises an alert',
  );
  await daemon.end();
  await (await box.start()).end();
  t.match(await dunlin(t, 'audit', 'verify', '--data', box.dataDir), { code: 1, out: /audit\.cut/ }, 'for good');
}

t.test('rows removed from the end together with the head', async (t) => {
  const box = await stoppedBox(t);
  box.edit('DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)');
  rmSync(box.head);
  await isFound(t, box, /audit\.head\) is missing/);
});

t.test('all rows removed together with the head', async (t) => {
  const box = await stoppedBox(t);
  box.edit('DELETE FROM audit; DELETE FROM audit_checkpoints');
  rmSync(box.head);
  await isFound(t, box, /audit\.head\) is missing/);
});

t.test('all rows removed together with the head and the record in state.db', async (t) => {
  const box = await stoppedBox(t);
  box.edit("DELETE FROM audit; DELETE FROM meta WHERE key = 'audit_seal'");
  rmSync(box.head);
  await isFound(t, box, /record of that note is missing, and state\.marker says/);
});

t.test('a marker that is removed', async (t) => {
  const box = await stoppedBox(t);
  rmSync(join(box.dataDir, 'state.marker'));
  await isFound(t, box, /state\.marker is missing, and state\.db's record of that note of \S+ shows that it was there/);
});

t.test('rows removed together with the head, the record and the marker', async (t) => {
  const box = await stoppedBox(t);
  box.edit("DELETE FROM audit WHERE seq > 1; DELETE FROM meta WHERE key = 'audit_seal'");
  rmSync(box.head);
  rmSync(join(box.dataDir, 'state.marker'));
  await isFound(t, box, /record of that note is missing, and the schema of state\.db says/);
});

t.test('a head and a record that somebody made without the key', async (t) => {
  const box = await stoppedBox(t);
  const forged = { ...JSON.parse(readFileSync(box.head, 'utf8')), seq: 0, hash: '0'.repeat(64) };
  writeFileSync(box.head, JSON.stringify(forged));
  box.edit('DELETE FROM audit');
  await isFound(t, box, /audit\.head\) has a wrong signature/);
  const other = await stoppedBox(t);
  rmSync(other.head);
  other.edit("UPDATE meta SET value = json_set(value, '$.seq', 0) WHERE key = 'audit_seal'; DELETE FROM audit");
  await isFound(t, other, /record of that note has a wrong signature/);
});

t.test('a head signed with the key in the folder, where the secret key signed the record', async (t) => {
  const box = fieldBox(t, '');
  const secret = join(box.folder, 'secret_key');
  writeFileSync(secret, 'x'.repeat(44), { mode: 0o600 });
  const daemon = await box.start({ env: { DUNLIN_SECRET_KEY_FILE: secret } });
  await daemon.post('/api/sensors', { name: 'a', modality: 'acoustic' });
  const backup = join(box.folder, 'backup');
  t.equal((await dunlin(t, 'backup', backup, '--data', box.dataDir)).code, 0, 'a backup without the secret key');
  await daemon.end();
  const copied = JSON.parse(readFileSync(join(backup, 'audit.head'), 'utf8'));
  t.match(copied.signature, /^secret:/, 'keeps the head that the secret key signed');
  t.match(await dunlin(t, 'audit', 'verify', '--data', backup), { code: 0, err: /the key that signed/ });

  const { createHmac } = await import('node:crypto');
  const key = Buffer.from(readFileSync(join(box.dataDir, 'audit.key'), 'latin1').trim(), 'latin1');
  const at = new Date().toISOString();
  const hash = '0'.repeat(64);
  const signature = `box:${createHmac('sha256', key).update(`head 0 ${hash} ${at}`).digest('hex')}`;
  writeFileSync(join(box.dataDir, 'audit.head'), JSON.stringify({ seq: 0, hash, at, signature }));
  const verified = await dunlin(t, 'audit', 'verify', '--data', box.dataDir);
  t.match(verified, { code: 1, out: /is not signed with the secret key/ });
});

t.test('a head and a record signed with the key in the folder, on a box with a secret key', async (t) => {
  const box = fieldBox(t, '');
  const secret = join(box.folder, 'secret_key');
  writeFileSync(secret, 'x'.repeat(44), { mode: 0o600 });
  const env = { DUNLIN_SECRET_KEY_FILE: secret };
  const verify = () => runToEnd(t, ['audit', 'verify', '--data', box.dataDir], { env });
  t.equal(await (await box.start()).end(), 0, 'a start without the secret key');
  const daemon = await box.start({ env });
  t.match(await daemon.get<LogEvent[]>('/api/events?kind=audit.secret_key'), [{ actor: { type: 'system' } }]);
  for (const name of ['a', 'b', 'c']) await daemon.post('/api/sensors', { name, modality: 'acoustic' });
  await daemon.end();
  t.match(await verify(), { code: 0, err: '' }, 'a secret key that came later is no cut');

  const db = new Database(join(box.dataDir, 'state.db'));
  withoutGuards(db, () => db.exec('DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)'));
  const last = new AuditRows({ db } as State).head() ?? { seq: 0, hash: '' };
  const place = { ...last, at: new Date().toISOString() };
  const key = auditKey(box.dataDir, null, false);
  writeHead(box.dataDir, place, key);
  writeSeal(db, place, key);
  db.close();
  const why = /is not signed with the secret key, which signed the audit log before/;
  t.match(await verify(), { code: 1, out: why }, 'verify fails');
  const again = await box.start({ env });
  t.match(await again.get<LogEvent[]>('/api/events?kind=audit.cut'), [{ severity: 'critical', text: why }]);
  t.equal((await again.get<LogEvent[]>('/api/events?kind=audit.secret_key')).length, 1);
  await again.end();
  t.match(await verify(), { code: 1, out: /audit\.cut/ }, 'for good');
});

t.test('a database of an earlier version is sealed without an alarm', async (t) => {
  const box = await stoppedBox(t);
  // The earlier version kept a head, and neither a record nor a marker.
  box.edit("DELETE FROM meta WHERE key = 'audit_seal'; PRAGMA user_version = 12");
  rmSync(join(box.dataDir, 'state.marker'));
  t.equal((await dunlin(t, 'audit', 'verify', '--data', box.dataDir)).code, 0);
  const daemon = await box.start();
  t.same(await daemon.get<LogEvent[]>('/api/events?kind=audit.cut'), []);
  t.match(await daemon.get<LogEvent[]>('/api/events?kind=audit.sealed'), [{ text: /first time, at row \d+/ }]);
  t.same(await daemon.get<Alert[]>('/api/alerts'), []);
  await daemon.end();
  t.ok(existsSync(join(box.dataDir, 'state.marker')));
  t.equal((await dunlin(t, 'audit', 'verify', '--data', box.dataDir)).code, 0);
  rmSync(box.head);
  t.equal((await dunlin(t, 'audit', 'verify', '--data', box.dataDir)).code, 1, 'from then on a missing head is found');
});

t.test('a box that is killed at its first start raises no alarm at the next', async (t) => {
  const box = fieldBox(t, '');
  for (let round = 0; round < 3; round++) {
    const daemon = await box.start();
    t.same(await daemon.get<LogEvent[]>('/api/events?kind=audit.cut'), [], `start ${round}`);
    if (round === 1) await daemon.post('/api/sensors', { name: 'a', modality: 'acoustic' });
    await daemon.end('SIGKILL');
  }
  t.equal((await dunlin(t, 'audit', 'verify', '--data', box.dataDir)).code, 0);
});
