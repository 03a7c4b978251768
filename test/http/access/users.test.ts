import t from 'tap';
import type { User } from '../../../src/model/access.ts';
import { PASSWORD, type Person, person, sending, workspace } from '../../support/http/person.ts';
import { type Answer, ask, type Rig, startRig } from '../../support/http/server.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

const callsOf =
  (rig: Rig, { headers }: Person): Call =>
  (method, path, body) =>
    ask(`${rig.url}/v1${path}`, sending(method, headers, body));

t.test('an owner lets people sign in, changes what they may, and takes them out', async (t) => {
  const rig = await startRig(t);
  const call = callsOf(rig, await person(rig, 'anna', 'owner'));
  const made = await call('POST', '/users', { username: 'Ben', password: PASSWORD, role: 'viewer' });
  t.match(made.body.data, { username: 'Ben', role: 'viewer', version: 1 });
  t.notMatch(made.text, /scrypt|password/);
  const { id } = made.body.data as User;
  t.match((await call('POST', `/users/${id}`, { role: 'operator', version: 1 })).body.data, {
    role: 'operator',
    version: 2,
  });
  t.match((await call('POST', `/users/${id}`, { role: 'viewer', version: 1 })).body, {
    code: 'conflict',
    error: /version 2/,
  });
  t.match((await call('GET', '/users')).body.data, [{ username: 'anna' }, { username: 'Ben', role: 'operator' }]);
  t.match((await call('POST', '/users', { username: 'BEN', password: PASSWORD, role: 'owner' })).body, {
    code: 'conflict',
    error: /called Ben/,
  });
  t.same((await call('DELETE', `/users/${id}`)).body.data, { deleted: true });
  t.equal((await call('GET', `/users/${id}`)).status, 404);
});

t.test('a password has twelve characters or more, and a name no strange ones', async (t) => {
  const rig = await startRig(t);
  const call = callsOf(rig, await person(rig, 'anna', 'owner'));
  for (const password of ['elevenchars', 'x'.repeat(201)]) {
    const { body } = await call('POST', '/users', { username: 'ben', password, role: 'viewer' });
    t.match(body, { code: 'invalid_input', error: /'password'/ });
    t.notMatch(body.error, password);
  }
  for (const username of ['', ' ', 'a\nb', '<b>', "x'; --", 'x'.repeat(121)]) {
    t.match((await call('POST', '/users', { username, password: PASSWORD, role: 'viewer' })).body.error, /'username'/);
  }
});

t.test('the last owner stays owner, and stays', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const call = callsOf(rig, anna);
  const own = `/users/${anna.user.id}`;
  t.match((await call('POST', own, { role: 'operator' })).body, { code: 'conflict', error: /last owner/ });
  t.match((await call('DELETE', own)).body, { code: 'conflict', error: /last owner/ });
  await person(rig, 'ben', 'owner');
  t.equal((await call('POST', own, { role: 'viewer' })).status, 200);
  t.equal((await call('GET', '/users')).body.code, 'forbidden', 'at once');
});

t.test('who is removed is out at once, with every session', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const ben = await person(rig, 'ben', 'operator');
  t.equal((await callsOf(rig, ben)('GET', '/tracks')).status, 200);
  await callsOf(rig, anna)('DELETE', `/users/${ben.user.id}`);
  t.equal((await callsOf(rig, ben)('GET', '/tracks')).status, 401);
  t.equal((await ask(`${rig.url}/api/me`, ben)).status, 401);
});

t.test('a member of two workspaces loses one and keeps the other', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  await person(rig, 'ben', 'viewer');
  const other = await workspace(rig, 'other');
  const ben = await person(rig, 'ben', 'operator', other);
  await callsOf(rig, anna)('DELETE', `/users/${ben.user.id}`);
  const me = await ask(`${rig.url}/v1/me`, ben);
  t.match(me.body.data, { workspaces: [{ id: other, role: 'operator' }] });
  t.equal((me.body.data as { workspaces: unknown[] }).workspaces.length, 1);
});

t.test('the owner of one workspace gets no way into another by letting its owner join his', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const other = await workspace(rig, 'other');
  const mallory = await person(rig, 'mallory', 'owner', other);
  const call = callsOf(rig, mallory);
  const taken = await call('POST', '/users', { username: 'anna', password: 'mine from now on', role: 'viewer' });
  t.equal(taken.body.code, 'conflict');
  t.equal((await call('POST', '/users', { username: 'anna', role: 'viewer' })).status, 200, 'she may join');
  const url = `/users/${anna.user.id}`;
  t.match((await call('POST', url, { password: 'mine from now on' })).body, {
    code: 'forbidden',
    error: /another workspace/,
  });
  t.equal((await call('GET', `/users/${mallory.user.id}`)).status, 200);
  t.equal((await callsOf(rig, anna)('GET', `/users/${mallory.user.id}`)).status, 404, 'not of this workspace');
  t.equal((await ask(`${rig.url}/v1/me`, anna)).status, 200, 'her session still holds');
});
