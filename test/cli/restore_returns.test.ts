import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { MadeKey } from '../../src/model/access.ts';
import type { LogEvent } from '../../src/model/event.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { type FieldBox, fieldBox } from '../support/daemon/field_box.ts';
import { firstOwner, type Member } from '../support/daemon/signed_in.ts';

onlyInFull(t);
takeTime(t, 240);

type Kept = { box: FieldBox; to: string; anna: Member; lost: MadeKey; good: MadeKey };

/** A stopped box with a backup, after which a key was revoked and a user removed. */
async function changedSince(t: Test): Promise<Kept> {
  const box = fieldBox(t, '');
  const daemon = await box.spawn();
  const anna = await firstOwner(t, daemon);
  await anna.member('bob', 'operator');
  const [lost, good] = [await anna.key('operator'), await anna.key('viewer')];
  const to = join(box.folder, 'backup');
  t.equal((await dunlin(t, 'backup', to, '--data', box.dataDir)).code, 0);
  t.equal((await anna.ask('DELETE', `/v1/keys/${lost.id}`)).status, 200);
  t.equal((await dunlin(t, 'user', 'remove', 'bob', '--data', box.dataDir)).code, 0);
  await daemon.end();
  return { box, to, anna, lost, good };
}

async function worksWith(daemon: Daemon, key: MadeKey): Promise<boolean> {
  return (await fetch(`${daemon.url}/v1/me`, { headers: { 'x-api-key': key.secret } })).status === 200;
}

t.test('a restore names the revoked keys and removed users that come back', async (t) => {
  const { box, to, anna, lost, good } = await changedSince(t);
  const done = await dunlin(t, 'restore', to, '--data', box.dataDir);
  t.equal(done.code, 0, done.err);
  t.ok(done.err.includes(`dunlin key revoke ${lost.id} --data ${box.dataDir}`), done.err);
  t.match(done.err, /the user bob may sign in again: dunlin user remove bob/);
  t.match(done.err, /--revoke-keys/);
  t.notOk(done.err.includes(good.id), 'and no others');
  const daemon = await box.spawn();
  t.equal(await worksWith(daemon, lost), true);
  t.equal((await anna.at(daemon.url).ask('GET', '/v1/keys')).status, 401, 'sessions of the backup do not come back');
  const [row] = await daemon.get<LogEvent[]>('/api/events?kind=box.restored');
  t.match(row?.after, { returned_keys: [{ id: lost.id }], returned_users: [{ name: 'bob' }] });
});

t.test('with --revoke-keys they do not work, and the others do', async (t) => {
  const { box, to, lost, good } = await changedSince(t);
  const done = await dunlin(t, 'restore', to, '--data', box.dataDir, '--revoke-keys');
  t.match(done, { code: 0, out: /the key operator key \(dak_.*…\) was revoked/ });
  const daemon = await box.spawn();
  t.same([await worksWith(daemon, lost), await worksWith(daemon, good)], [false, true]);
  const [row] = await daemon.get<LogEvent[]>('/api/events?kind=box.restored');
  t.match(row?.after, { revoked_keys: [{ id: lost.id }] });
  await daemon.end();
  t.equal((await dunlin(t, 'audit', 'verify', '--data', box.dataDir)).code, 0);
});

t.test('over a state that cannot be read every key of the backup may be one', async (t) => {
  const { box, to, lost, good } = await changedSince(t);
  writeFileSync(join(box.dataDir, 'state.db'), 'x'.repeat(20_000));
  const done = await dunlin(t, 'restore', to, '--data', box.dataDir, '--revoke-keys');
  t.match(done, { code: 0, err: /cannot be read: each key and user below may have been revoked or removed since/ });
  const daemon = await box.spawn();
  t.same([await worksWith(daemon, lost), await worksWith(daemon, good)], [false, false]);
});
