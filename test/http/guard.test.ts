import { hostname } from 'node:os';
import t from 'tap';
import { createGuard } from '../../src/http/guard.ts';
import { ask, parseRaw, type Rig, sendRaw, startRig } from '../support/http/server.ts';

type Headers = Record<string, string>;

async function statusOf(rig: Rig, path: string, headers: Headers, method = 'GET'): Promise<number> {
  const all = { Host: '127.0.0.1', Connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return parseRaw(await sendRaw(rig.port, `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)).status;
}

t.test('only names this box goes by are answered to, on every path', async (t) => {
  const rig = await startRig(t, { access: { allowedHosts: ['Dunlin.lan'] } });
  const own = [
    '127.0.0.1',
    '10.9.8.7:8077',
    '[::1]:8077',
    'localhost',
    'LOCALHOST:1',
    hostname(),
    'dunlin.lan',
    'dunlin.LAN:8077',
  ];
  for (const host of own) t.equal(await statusOf(rig, '/api/tracks', { Host: host }), 200, host);
  for (const host of ['evil.example', 'evil.example:8077', 'localhost.evil.example', '127.0.0.1.evil.example']) {
    for (const path of ['/', '/api/tracks', '/api/stream', '/docs', '/metrics']) {
      t.equal(await statusOf(rig, path, { Host: host }), 403, `${host} ${path}`);
    }
  }
});

t.test('a missing, doubled or senseless Host is refused', async (t) => {
  const rig = await startRig(t);
  const close = 'Connection: close\r\n\r\n';
  for (const head of [
    `GET /api/tracks HTTP/1.1\r\n${close}`,
    `GET /api/tracks HTTP/1.0\r\n${close}`,
    `GET /api/tracks HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n${close}`,
    `GET /api/tracks HTTP/1.1\r\nHost:\r\n${close}`,
    `GET /api/tracks HTTP/1.1\r\nHost: a/b\r\n${close}`,
    `GET http://localhost/api/tracks HTTP/1.1\r\nHost: localhost\r\n${close}`,
  ]) {
    const { status, body } = parseRaw(await sendRaw(rig.port, head));
    t.equal(status, 400, head.split('\r\n', 2).join(' '));
    t.equal(body.code, 'invalid_input');
  }
});

t.test('a page of another origin reads and writes nothing', async (t) => {
  const rig = await startRig(t);
  for (const origin of ['null', 'http://evil.example', `http://127.0.0.1:${rig.port + 1}`, 'file://', 'x, y', '']) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      t.equal(
        await statusOf(rig, '/api/sensors', { Host: `127.0.0.1:${rig.port}`, Origin: origin }, method),
        403,
        origin,
      );
    }
  }
  const same = { Host: `127.0.0.1:${rig.port}`, Origin: `http://127.0.0.1:${rig.port}` };
  t.equal(await statusOf(rig, '/api/sensors', same), 200);
  t.equal(await statusOf(rig, '/api/sensors', { Host: 'localhost', Origin: 'http://localhost' }), 200);
});

t.test('no answer allows another origin to read it', async (t) => {
  const rig = await startRig(t);
  for (const path of ['/', '/api/tracks', '/api/nope']) {
    const { headers } = await ask(rig.url + path);
    for (const [name] of headers) t.notMatch(name, /^access-control/);
  }
});

t.test('a cross-site request is refused, unless it opens a page', async (t) => {
  const rig = await startRig(t);
  const cross = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  for (const path of ['/', '/docs']) t.equal(await statusOf(rig, path, cross), 200, path);
  t.not(await statusOf(rig, '/console/', cross), 403, 'let through, whether it is built or not');
  for (const path of ['/api/picture', '/api/stream', '/metrics', '/docsx', '/docs/docs.js']) {
    t.equal(await statusOf(rig, path, cross), 403, path);
  }
  t.equal(await statusOf(rig, '/docs', { ...cross, 'Sec-Fetch-Dest': 'iframe' }), 403);
  t.equal(await statusOf(rig, '/docs', { ...cross, 'Sec-Fetch-Mode': 'no-cors' }), 403);
  t.equal(await statusOf(rig, '/docs', cross, 'POST'), 403);
  t.equal(await statusOf(rig, '/api/picture', { 'Sec-Fetch-Site': 'same-origin' }), 200);
});

t.test('from outside the trusted networks everything below a mount is 401, known or not', async (t) => {
  const rig = await startRig(t, { access: { trustedNetworks: ['10.0.0.0/8'] } });
  for (const path of ['/api/tracks', '/api/health', '/api/nope', '/api', '/api/stream', '/metrics', '/v1/tracks']) {
    const { status, body, headers } = await ask(rig.url + path);
    t.equal(status, 401, path);
    t.equal(body.code, 'unauthenticated');
    t.ok(headers.get('www-authenticate'));
  }
  t.equal((await ask(`${rig.url}/`)).status, 200, 'the banner says that the server is up');
});

t.test('no number of headers hides the one that a proxy adds after them', async (t) => {
  const rig = await startRig(t);
  const many = 'a:b\r\n'.repeat(2_500);
  const head = `GET /api/tracks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${many}`;
  const { status } = parseRaw(await sendRaw(rig.port, `${head}X-Forwarded-For: 192.0.2.1\r\n\r\n`));
  t.equal(status, 401);
});

t.test('a forwarded request is not of the network its last hop is in', async (t) => {
  const rig = await startRig(t);
  for (const headers of [
    { 'X-Forwarded-For': '127.0.0.1' },
    { Forwarded: 'for=127.0.0.1' },
    { 'X-Real-IP': '127.0.0.1' },
    { Via: '1.1 gate.example (squid)' },
    { 'X-Forwarded-Host': 'localhost' },
    { 'X-Forwarded-Proto': 'https' },
    { 'CF-Connecting-IP': '127.0.0.1' },
  ]) {
    for (const path of ['/api/tracks', '/api/stream', '/metrics'])
      t.match((await ask(rig.url + path, { headers })).body, { code: 'unauthenticated', error: /forwarded/ });
  }
});

t.test('a credential that was never issued is 401 even from a trusted network', async (t) => {
  const rig = await startRig(t);
  for (const headers of [{ 'X-Api-Key': 'dak_x' }, { 'X-Api-Key': '' }, { Authorization: 'Bearer dst_x' }]) {
    t.equal((await ask(`${rig.url}/api/tracks`, { headers })).status, 401);
  }
  t.equal((await ask(`${rig.url}/api/stream?ticket=stk_x`)).status, 401);
});

t.test('a ticket anywhere but at the stream says what a ticket is for', async (t) => {
  const rig = await startRig(t);
  for (const [path, headers] of [
    ['/api/tracks?ticket=stk_x', {}],
    ['/v1/tracks?ticket=stk_x', {}],
    ['/v1/tracks', { Authorization: 'Bearer stk_x' }],
    ['/api/tracks', { 'X-Api-Key': 'stk_x' }],
  ] as const) {
    const { status, body } = await ask(rig.url + path, { headers });
    t.match(
      [status, body.error],
      [401, /^a ticket in the query is accepted only for a stream, or for the file that the ticket names/],
      path,
    );
  }
});

t.test('/v1 is closed while no credential exists', async (t) => {
  const rig = await startRig(t);
  for (const path of ['/v1', '/v1/', '/v1/tracks', '/v1/nope', '/v1/stream?ticket=stk_x']) {
    const { status, body } = await ask(rig.url + path);
    t.equal(status, 401, path);
    t.equal(body.ok, false);
  }
});

t.test('a path in another spelling reaches no route', async (t) => {
  const rig = await startRig(t, { access: { trustedNetworks: [] } });
  for (const path of [
    '/API/tracks',
    '//api/tracks',
    '/./api/tracks',
    '/x/../api/tracks',
    '/%61pi/tracks',
    '/api%2ftracks',
    '/Metrics',
  ]) {
    const status = await statusOf(rig, path, {});
    t.ok(status === 404 || status === 401, `${path} ${status}`);
  }
});

t.test('every answer has the security headers', async (t) => {
  const rig = await startRig(t);
  for (const path of ['/', '/api/tracks', '/api/nope', '/docs', '/v1/x']) {
    const { headers } = await ask(rig.url + path);
    t.match(headers.get('content-security-policy'), /^default-src 'self';.*frame-ancestors 'none'/);
    t.equal(headers.get('x-content-type-options'), 'nosniff');
    t.equal(headers.get('referrer-policy'), 'no-referrer');
    t.equal(headers.get('cache-control'), 'no-store');
  }
});

t.test('who reset the connection is no stranger: nobody is refused for where he asked from', async (t) => {
  const settings = { trustedNetworks: ['127.0.0.0/8'], openRole: 'viewer', allowedHosts: [] } as never;
  const guard = createGuard(settings, {} as never, 'w');
  const req = {
    socket: {},
    url: '/api/zones',
    method: 'POST',
    headers: { host: 'localhost' },
    rawHeaders: ['Host', 'localhost'],
  };
  const passed = guard({ req, path: '/api/zones' } as never, async () => t.fail('it was let through'));
  await t.rejects(passed, { code: 'invalid_input', message: 'the connection was closed before the request was read' });
});
