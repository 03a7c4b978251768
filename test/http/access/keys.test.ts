import t from 'tap';
import type { Key, MadeKey } from '../../../src/model/access.ts';
import { waitFor } from '../../support/basics/wait.ts';
import { keyOf, person, sending } from '../../support/http/person.ts';
import { ask, startRig } from '../../support/http/server.ts';

t.test('a secret is told once, and works until its key is revoked', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const made = await ask(`${rig.url}/api/keys`, sending('POST', anna.headers, { name: 'radar', may_command: true }));
  t.equal(made.status, 200);
  const key = made.body.data as MadeKey;
  t.match(key, { name: 'radar', prefix: /^dak_/, secret: /^dak_[\w-]{43}$/, role: 'operator', may_command: true });
  t.ok(key.secret.startsWith(key.prefix) && key.prefix.length < 16);
  const headers = { 'x-api-key': key.secret };
  for (const mount of ['/api', '/v1']) t.equal((await ask(`${rig.url}${mount}/tracks`, { headers })).status, 200);

  const listed = await ask(`${rig.url}/v1/keys`, anna);
  t.notOk(listed.text.includes(key.secret) || /secret|hash/.test(listed.text));
  t.match(listed.body.data, [{ id: key.id, name: 'radar', prefix: key.prefix, revoked_at: null }]);
  await waitFor(async () => ((await ask(`${rig.url}/v1/keys`, anna)).body.data as Key[])[0]?.last_used_at !== null);

  const revoked = await ask(`${rig.url}/v1/keys/${key.id}`, sending('DELETE', anna.headers));
  t.same(revoked.body.data, { revoked: true });
  for (const mount of ['/api', '/v1']) {
    t.match((await ask(`${rig.url}${mount}/tracks`, { headers })).body, { code: 'unauthenticated' });
  }
  const after = (await ask(`${rig.url}/v1/keys`, anna)).body.data as Key[];
  t.type(after[0]?.revoked_at, 'string');
  t.equal((await ask(`${rig.url}/v1/keys/${key.id}`, sending('DELETE', anna.headers))).status, 200, 'still revoked');
});

t.test('a use is written once a minute at most', async (t) => {
  const rig = await startRig(t);
  const { id, secret } = keyOf(rig);
  const use = () => ask(`${rig.url}/v1/tracks`, { headers: { 'x-api-key': secret } });
  await use();
  await waitFor(() => rig.access.keys.get(id)?.last_used_at !== null);
  const first = rig.access.keys.get(id)?.last_used_at;
  for (let i = 0; i < 20; i++) await use();
  t.equal(rig.access.keys.get(id)?.last_used_at, first);
});

t.test('a key of another workspace cannot be seen or revoked', async (t) => {
  const rig = await startRig(t);
  const { id } = keyOf(rig);
  const row = rig.access.workspaces.create('other', {
    actor: { type: 'system', id: '', name: '', address: null },
    userId: null,
  });
  await rig.workspaces.open(row);
  const mallory = await person(rig, 'mallory', 'owner', row.id);
  t.same((await ask(`${rig.url}/v1/keys`, mallory)).body.data, []);
  t.equal((await ask(`${rig.url}/v1/keys/${id}`, sending('DELETE', mallory.headers))).status, 404);
  t.equal(rig.access.keys.get(id)?.revoked_at, null);
});

t.test('a key may do no more than who made it', async (t) => {
  const rig = await startRig(t);
  const { workspaceId } = rig.registry;
  const by = { actor: { type: 'user', id: 'x', name: 'ben', address: null }, userId: 'x' } as const;
  t.throws(() => rig.access.keys.add(workspaceId, { name: 'k', role: 'owner' }, { ...by, role: 'operator' }), {
    code: 'forbidden',
  });
  t.equal(rig.access.keys.add(workspaceId, { name: 'k' }, { ...by, role: 'viewer' }).role, 'viewer');
  t.equal(rig.access.keys.add(workspaceId, { name: 'k' }, { ...by, role: 'owner' }).role, 'operator');
});
