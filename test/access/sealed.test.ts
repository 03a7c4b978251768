import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readSealingKey } from '../../src/access/sealed.ts';
import { byHand } from '../support/http/person.ts';
import { accessOf, openRegistry } from '../support/registry/registry.ts';

const key = randomBytes(32);
const secret = Buffer.from('the signing key of a link');

t.test('what is sealed opens in its own place, and nowhere else', async (t) => {
  const rig = openRegistry(t);
  const { secrets } = accessOf(rig, { sealingKey: { key } });
  secrets.put(rig.workspaceId, 'link rid', secret, byHand);
  t.same(secrets.get(rig.workspaceId, 'link rid'), secret);
  t.equal(secrets.get(rig.workspaceId, 'another'), null);
  rig.state.db
    .prepare("INSERT INTO sealed_secrets SELECT workspace_id, 'moved', sealed, updated_at FROM sealed_secrets")
    .run();
  t.throws(() => secrets.get(rig.workspaceId, 'moved'), { code: 'internal', message: /moved/ });
  secrets.remove(rig.workspaceId, 'link rid', byHand);
  t.equal(secrets.get(rig.workspaceId, 'link rid'), null);
});

t.test('one byte changed anywhere, and it does not open', async (t) => {
  const rig = openRegistry(t);
  const { secrets } = accessOf(rig, { sealingKey: { key } });
  secrets.put('w', 'n', secret, byHand);
  const read = rig.state.db.prepare<[], { sealed: Buffer }>('SELECT sealed FROM sealed_secrets');
  const write = rig.state.db.prepare<[Buffer]>('UPDATE sealed_secrets SET sealed = ?');
  const sealed = read.get()?.sealed ?? Buffer.alloc(0);
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    write.run(changed);
    t.throws(() => secrets.get('w', 'n'), { code: 'internal' });
  }
  write.run(sealed.subarray(0, 20));
  t.throws(() => secrets.get('w', 'n'), { code: 'internal' });
});

t.test('neither the database nor the audit log holds what is sealed; each change is told', async (t) => {
  const rig = openRegistry(t);
  const { secrets } = accessOf(rig, { sealingKey: { key } });
  secrets.put(rig.workspaceId, 'link rid', secret, byHand);
  const stored = ['', '-wal'].map((suffix) => readFileSync(rig.state.path + suffix, 'latin1')).join('');
  t.notOk(stored.includes(secret.toString('latin1')));
  secrets.remove(rig.workspaceId, 'link rid', byHand);
  secrets.remove(rig.workspaceId, 'link rid', byHand);
  t.same(
    [...rig.ledger.audit.since(0)].map(({ kind }) => kind),
    ['secret.sealed', 'secret.removed'],
  );
});

t.test('without a key, or with another one, nothing opens, and the sentence says why', async (t) => {
  const rig = openRegistry(t);
  accessOf(rig, { sealingKey: { key } }).secrets.put('w', 'n', secret, byHand);
  const { secrets } = accessOf(rig, { sealingKey: readSealingKey(null) });
  t.match(secrets.missing, /DUNLIN_SECRET_KEY_FILE/);
  t.throws(() => secrets.get('w', 'n'), { code: 'not_configured', message: /DUNLIN_SECRET_KEY_FILE/ });
  t.throws(() => secrets.put('w', 'n', secret, byHand), { code: 'not_configured' });
  const other = accessOf(rig, { sealingKey: { key: randomBytes(32) } }).secrets;
  t.throws(() => other.get('w', 'n'), { code: 'internal', message: /another key/ });
});

t.test('a key is 32 bytes, raw, as hexadecimal digits or as base64', async (t) => {
  const folder = t.testdir();
  const file = (content: Buffer | string): string => {
    const path = join(folder, 'key');
    writeFileSync(path, content);
    return path;
  };
  for (const form of [
    key,
    key.toString('hex'),
    `${key.toString('hex').toUpperCase()}\n`,
    `${key.toString('base64')}\n`,
  ]) {
    t.same(readSealingKey(file(form)), { key });
  }
  t.same(readSealingKey(file(key.toString('base64url'))), { key });
  for (const form of ['', 'short', randomBytes(31), randomBytes(33), 'g'.repeat(64)]) {
    t.match(readSealingKey(file(form)), { missing: /32 bytes/ });
  }
  t.match(readSealingKey(join(folder, 'none')), { missing: /none cannot be read/ });
});
