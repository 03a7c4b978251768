import fc from 'fast-check';
import t from 'tap';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { keyOf, person, sending, sessionOf, workspace } from '../../support/http/person.ts';
import { ask, parseRaw, type Rig, sendRaw, startRig } from '../../support/http/server.ts';

const mounts = ['/api', '/v1'];

async function codeOf(rig: Rig, path: string, headers: Record<string, string>): Promise<string> {
  const { status, body } = await ask(rig.url + path, { headers });
  return body.code === undefined ? String(status) : `${status} ${body.code}`;
}

t.test('a session names its workspace, and one of its own', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'viewer');
  for (const mount of mounts) {
    const bare = await ask(`${rig.url}${mount}/tracks`, { headers: sessionOf(anna) });
    t.match(bare.body, { code: 'invalid_input', error: /X-Workspace-Id.*GET \/api\/me/ });
    t.equal(await codeOf(rig, `${mount}/tracks`, anna.headers), '200');
    for (const id of ['wsp_nobody', '', 'x'.repeat(2_000), "' OR 1=1"]) {
      const headers = { ...sessionOf(anna), 'x-workspace-id': id };
      t.equal(await codeOf(rig, `${mount}/tracks`, headers), '403 not_a_member', id.slice(0, 20));
    }
    for (const path of ['me', 'workspaces']) {
      t.notMatch(await codeOf(rig, `${mount}/${path}`, sessionOf(anna)), /invalid_input/, path);
    }
    t.equal(await codeOf(rig, `${mount}/nope`, anna.headers), '404 not_found');
  }
});

t.test('a key is of its own workspace alone, and need not name it', async (t) => {
  const rig = await startRig(t);
  const { secret } = keyOf(rig);
  const other = await workspace(rig, 'other');
  for (const mount of mounts) {
    t.equal(await codeOf(rig, `${mount}/tracks`, { 'x-api-key': secret }), '200');
    const own = { 'x-api-key': secret, 'x-workspace-id': rig.registry.workspaceId };
    t.equal(await codeOf(rig, `${mount}/tracks`, own), '200');
    const foreign = { 'x-api-key': secret, 'x-workspace-id': other };
    t.equal(await codeOf(rig, `${mount}/tracks`, foreign), '403 forbidden');
  }
});

t.test('me says who asks', async (t) => {
  const rig = await startRig(t, { access: { openRole: 'operator' } });
  const anna = await person(rig, 'anna', 'viewer');
  const { id, secret } = keyOf(rig);
  const workspace = { id: rig.registry.workspaceId, name: 'default' };
  const dataOf = async (path: string, headers = {}) => (await ask(rig.url + path, { headers })).body.data;
  t.same(await dataOf('/api/me'), {
    user: null,
    key: null,
    open: true,
    workspaces: [{ ...workspace, role: 'operator' }],
  });
  t.equal((await ask(`${rig.url}/v1/me`)).status, 401);
  for (const mount of mounts) {
    t.same(await dataOf(`${mount}/me`, sessionOf(anna)), {
      user: { id: anna.user.id, username: 'anna' },
      key: null,
      open: false,
      workspaces: [{ ...workspace, role: 'viewer' }],
    });
    t.same(await dataOf(`${mount}/me`, { 'x-api-key': secret }), {
      user: null,
      key: { id, name: 'feed', role: 'operator', may_command: false },
      open: false,
      workspaces: [{ ...workspace, role: 'operator' }],
    });
  }
});

t.test('from outside the trusted networks both mounts have one rule', async (t) => {
  const rig = await startRig(t, { access: { trustedNetworks: [] } });
  const { secret } = keyOf(rig);
  for (const path of ['/api/tracks', '/v1/tracks', '/metrics']) {
    t.equal(await codeOf(rig, path, {}), '401 unauthenticated');
    t.equal(await codeOf(rig, path, { 'x-api-key': secret }), '200');
  }
});

t.test('a forwarded request with a credential is as good as any', async (t) => {
  const rig = await startRig(t);
  const { secret } = keyOf(rig);
  t.equal(await codeOf(rig, '/api/tracks', { 'x-api-key': secret, 'x-forwarded-for': '192.0.2.1' }), '200');
});

t.test('two credentials are one too many', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const { secret } = keyOf(rig);
  t.equal(await codeOf(rig, '/api/tracks', { ...anna.headers, 'x-api-key': secret }), '400 invalid_input');
  for (const name of ['Authorization: Bearer x', `X-Api-Key: ${secret}`]) {
    const head = `GET /api/tracks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${name}\r\n${name}\r\n\r\n`;
    t.match(parseRaw(await sendRaw(rig.port, head)), { status: 400, body: { code: 'invalid_input' } });
  }
});

t.test('whatever stands in the headers of a credential, it is refused, and nothing breaks', async (t) => {
  const rig = await startRig(t);
  const anna = await person(rig, 'anna', 'owner');
  const { secret } = keyOf(rig);
  const printable = fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
    maxLength: 80,
  });
  const near = fc.constantFrom(anna.token, secret, 'dst_', 'dak_', 'stk_').chain((text) =>
    fc.oneof(
      fc.nat({ max: text.length }).map((end) => text.slice(0, end)),
      printable.map((more) => `${text}${more}x`),
      fc.constant(text.toUpperCase()),
      fc.constant(text.replace(/_/, '-')),
    ),
  );
  const value = fc.oneof(
    printable,
    near,
    near.map((text) => `Bearer ${text}`),
    near.map((text) => `Basic ${text}`),
  );
  const name = fc.constantFrom('authorization', 'x-api-key');
  const good = new Set([secret, anna.token, `Bearer ${anna.token}`]);
  await fc.assert(
    fc.asyncProperty(name, value, async (header, text) => {
      fc.pre(!good.has(text.trim()));
      const mount = text.length % 2 === 0 ? '/api' : '/v1';
      const { status, body } = await ask(`${rig.url}${mount}/me`, { headers: { [header]: text } });
      return status === 401 && body.ok === false && body.code === 'unauthenticated';
    }),
    { seed: seedOf(t), numRuns: sized(300) },
  );
  t.same(rig.recorder.errors, []);
});

t.test('roles hold for whoever carries them', async (t) => {
  const rig = await startRig(t);
  const sensor = { name: 'mast', modality: 'radar' };
  for (const [role, expected] of [
    ['viewer', '403 read_only'],
    ['operator', '200'],
    ['owner', '200'],
  ] as const) {
    const who = await person(rig, role, role);
    const key = { 'x-api-key': keyOf(rig, role).secret };
    for (const headers of [who.headers, key]) {
      const { status, body } = await ask(`${rig.url}/v1/sensors`, sending('POST', headers, sensor));
      t.equal(body.code === undefined ? `${status}` : `${status} ${body.code}`, expected, role);
    }
    const users = await codeOf(rig, '/v1/users', who.headers);
    t.equal(users, role === 'owner' ? '200' : '403 forbidden', `${role} and users`);
  }
});

t.test('users, keys and new workspaces take a session, whatever the open surface may do', async (t) => {
  const rig = await startRig(t, { access: { openRole: 'owner' } });
  const key = { 'x-api-key': keyOf(rig, 'owner').secret };
  for (const [method, path] of [
    ['GET', 'users'],
    ['POST', 'users'],
    ['GET', 'keys'],
    ['POST', 'keys'],
    ['POST', 'workspaces'],
  ] as const) {
    const open = await ask(`${rig.url}/api/${path}`, sending(method, {}, method === 'POST' ? {} : undefined));
    t.match(open.body, { code: 'unauthenticated', error: /sign(?:ed)? in/ }, path);
    const keyed = await ask(`${rig.url}/v1/${path}`, sending(method, key, method === 'POST' ? {} : undefined));
    t.match(keyed.body, { code: 'forbidden', error: /sign(?:ed)? in/ }, path);
  }
});
