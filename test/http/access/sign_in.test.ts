import t from 'tap';
import type { SignedIn } from '../../../src/model/access.ts';
import { byHand, PASSWORD, person, sending } from '../../support/http/person.ts';
import { ask, askJson, type Rig, startRig } from '../../support/http/server.ts';
import { accessOf } from '../../support/registry/registry.ts';

const mounts = ['/api', '/v1'];

const signIn = (rig: Rig, username: string, password: string, mount = '/v1') =>
  askJson(`${rig.url}${mount}/auth/sign-in`, 'POST', { username, password });

t.test('who knows the password gets a token of half an hour, and his workspaces', async (t) => {
  const rig = await startRig(t);
  const { user } = await person(rig, 'Änna', 'operator');
  for (const [mount, name] of [
    ['/api', 'Änna'],
    ['/v1', ' äNNA '],
  ] as const) {
    const { status, body } = await signIn(rig, name, PASSWORD, mount);
    t.equal(status, 200);
    const data = body.data as SignedIn;
    t.match(data.token, /^dst_[A-Za-z0-9_-]{43}$/);
    t.match(data, {
      user: { id: user.id, username: 'Änna' },
      workspaces: [{ id: rig.registry.workspaceId, name: 'default', role: 'operator' }],
    });
    const leftMs = Date.parse(data.expires_at) - Date.now();
    t.ok(leftMs > 29 * 60_000 && leftMs <= 30 * 60_000);
    const headers = { authorization: `bearer ${data.token}`, 'x-workspace-id': rig.registry.workspaceId };
    for (const path of ['/api/tracks', '/v1/tracks']) t.equal((await ask(rig.url + path, { headers })).status, 200);
  }
});

t.test('a wrong name and a wrong password have the same answer, on every surface', async (t) => {
  const rig = await startRig(t, { access: { trustedNetworks: [] } });
  await person(rig, 'anna', 'owner');
  const answers = [];
  for (const mount of mounts) {
    answers.push(await signIn(rig, 'anna', 'not the password', mount), await signIn(rig, 'nobody', PASSWORD, mount));
  }
  for (const { status, text, headers } of answers) {
    t.equal(status, 401);
    t.equal(text, answers[0]?.text);
    t.same([...headers.keys()], [...(answers[0]?.headers.keys() ?? [])]);
  }
});

t.test('a wrong name takes as long as a wrong password', async (t) => {
  const rig = await startRig(t);
  const access = accessOf(rig.registry, { signInsPerMinute: 1_000, passwordCost: { n: 2 ** 13, r: 8, p: 1 } });
  await access.users.add(rig.registry.workspaceId, { username: 'anna', password: PASSWORD, role: 'viewer' }, byHand);
  const took: Record<string, number[]> = { anna: [], nobody: [] };
  for (let i = 0; i < 15; i++) {
    for (const [name, times] of Object.entries(took)) {
      const began = performance.now();
      await t.rejects(access.signIn(name, 'not the password', '192.0.2.1'), { code: 'unauthenticated' });
      times.push(performance.now() - began);
    }
  }
  const [known = 0, unknown = 0] = Object.values(took).map((times) => times.sort((a, b) => a - b)[7]);
  t.ok(known / unknown < 1.6 && unknown / known < 1.6, `${known.toFixed(1)} ms and ${unknown.toFixed(1)} ms`);
});

t.test(
  'the sixth try of a minute is told when to try again, and even the right password is not looked at',
  async (t) => {
    const rig = await startRig(t);
    await person(rig, 'anna', 'owner');
    for (let i = 0; i < 5; i++)
      t.equal((await signIn(rig, i % 2 === 0 ? 'anna' : 'ben', 'wrong wrong wrong')).status, 401);
    const { status, body, headers } = await signIn(rig, 'anna', PASSWORD);
    t.equal(status, 429);
    t.match(body, { code: 'rate_limited', error: /try again in \d+ s/ });
    const wait = Number(headers.get('retry-after'));
    t.ok(wait > 50 && wait <= 60, `${wait} s`);
  },
);

t.test('who signs in rightly may do so as often as he likes', async (t) => {
  const rig = await startRig(t);
  await person(rig, 'anna', 'owner');
  for (let i = 0; i < 8; i++) t.equal((await signIn(rig, 'anna', PASSWORD)).status, 200);
});

t.test('a session that was ended is none', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'viewer');
  for (const mount of mounts) t.equal((await ask(`${rig.url}${mount}/me`, anna)).status, 200);
  const { body } = await ask(`${rig.url}/v1/auth/sign-out`, sending('POST', anna.headers));
  t.same(body, { ok: true, data: { signed_out: true } });
  for (const mount of mounts) t.equal((await ask(`${rig.url}${mount}/me`, anna)).body.code, 'unauthenticated');
  const again = await ask(`${rig.url}/api/auth/sign-out`, { method: 'POST' });
  t.match(again.body, { code: 'unauthenticated', error: /sign(?:ed)? in/ }, 'nobody is signed in');
});

t.test('a new password ends every session, and only it signs in', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const ben = await person(rig, 'ben', 'viewer');
  const url = `${rig.url}/api/users/${ben.user.id}`;
  t.equal((await ask(url, sending('POST', anna.headers, { password: 'another long password' }))).status, 200);
  t.equal((await ask(`${rig.url}/api/me`, ben)).status, 401);
  t.equal((await signIn(rig, 'ben', PASSWORD)).status, 401);
  t.equal((await signIn(rig, 'ben', 'another long password')).status, 200);
});
