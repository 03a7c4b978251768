import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { Fault } from '../../src/model/fault.ts';
import { ask, askJson, parseRaw, readAll, sendRaw, startRig } from '../support/http/server.ts';

const json = 'Content-Type: application/json\r\n';
const host = 'Host: localhost\r\n';

t.test('a body of another type, character set or encoding is 415', async (t) => {
  const rig = await startRig(t);
  const body = JSON.stringify({ name: 'x', modality: 'radar' });
  const types = [
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=latin1',
    'application/jsonx',
    'application/x-ndjson',
  ];
  for (const type of types) {
    const { status, body: answer } = await ask(`${rig.url}/api/sensors`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    t.equal(status, 415, type);
    t.equal(answer.code, 'unsupported_media_type');
  }
  const zipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  t.equal((await ask(`${rig.url}/api/sensors`, { method: 'POST', headers: zipped, body })).status, 415);
  for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
    t.equal(
      (await ask(`${rig.url}/api/sensors`, { method: 'POST', headers: { 'content-type': type }, body })).status,
      200,
      type,
    );
  }
});

t.test('a body that says it is too large is refused before it comes, and the connection closes', async (t) => {
  const rig = await startRig(t);
  const head = `POST /api/sensors HTTP/1.1\r\n${host}${json}Content-Length: 104857600\r\n\r\n`;
  const { status, head: answer, body } = parseRaw(await sendRaw(rig.port, head));
  t.equal(status, 413);
  t.equal(body.code, 'too_large');
  t.match(answer, /connection: close/i);
});

t.test('a hundred megabytes are refused without being held, and the sender sees why', async (t) => {
  const rig = await startRig(t);
  const before = process.memoryUsage().rss;
  const chunk = randomBytes(1024 * 1024);
  const socket = connect(rig.port, '127.0.0.1');
  const answer = readAll(socket);
  socket.write(`POST /api/sensors HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\n`);
  let sent = 0;
  const closed = new AbortController();
  socket.on('close', () => closed.abort());
  while (sent < 100 && !socket.destroyed) {
    const room = socket.write(Buffer.concat([Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')]));
    sent++;
    if (!room) await once(socket, 'drain', { signal: closed.signal }).catch(() => {});
  }
  socket.end();
  t.equal(parseRaw(await answer).status, 413);
  t.ok(process.memoryUsage().rss - before < 60 * 1024 * 1024, `${sent} MB sent`);
});

t.test('a sender that asks first is told to go on only when its body is wanted', async (t) => {
  const rig = await startRig(t);
  const head = (length: number): string =>
    `POST /api/sensors HTTP/1.1\r\n${host}${json}Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
  t.match(await sendRaw(rig.port, head(2_000_000)), /^HTTP\/1.1 413/);

  const body = JSON.stringify({ name: 'x', modality: 'radar' });
  const socket = connect(rig.port, '127.0.0.1');
  const all = readAll(socket);
  socket.write(head(body.length));
  await once(socket, 'data');
  socket.write(body);
  t.match(await all, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200/);
});

t.test('bodies that are no JSON object of the right kind are 400 with a sentence', async (t) => {
  const rig = await startRig(t);
  const cases: [string | Buffer, RegExp][] = [
    ['', /empty/],
    ['  \n', /empty/],
    ['{"name":', /position 8/],
    ['[]', /must be an object, not a list/],
    ['null', /must be an object, not null/],
    ['{"name":"x","modality":"radar","nmae":1}', /'nmae' is not a known field; did you mean 'name'\?/],
    ['{"name":"x","modality":"sonar"}', /'modality' must be one of/],
    ['{"name":"x","modality":"radar","heartbeat_s":1e999}', /'heartbeat_s' must be a number/],
    ['{"name":"x","modality":"radar","heartbeat_s":NaN}', /not JSON/],
    ['{"name":"x","modality":"radar","placement":{"lat":1,"lon":181}}', /'placement.lon' must be at most 180/],
    ['{"__proto__":{"name":"x"}}', /__proto__/],
    ['{"name":"x","modality":"radar","placement":{"constructor":1}}', /constructor/],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, /deeper/],
    ['['.repeat(500_000), /not JSON/],
    [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), /not UTF-8/],
  ];
  for (const [body, text] of cases) {
    const answer = await ask(`${rig.url}/api/sensors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    t.equal(answer.status, 400, String(text));
    t.equal(answer.body.code, 'invalid_input');
    t.match(answer.body.error, text);
  }
  t.same(rig.recorder.errors, []);
});

t.test('unknown routes are 404 and known ones with another method 405 with what they take', async (t) => {
  const rig = await startRig(t);
  for (const path of [
    '/nope',
    '/api',
    '/api/',
    '/api/tracks/',
    '/api/tracks/a/b',
    '/api/../etc/passwd',
    '/docs/../../package.json',
    '/docs/%2e%2e%2fpackage.json',
  ]) {
    const { status, body } = await ask(rig.url + path);
    t.equal(status, 404, path);
    t.match(body, { ok: false, code: 'not_found' });
  }
  const { status, headers, body } = await ask(`${rig.url}/api/sensors`, { method: 'PATCH' });
  t.equal(status, 405);
  t.equal(body.code, 'method_not_allowed');
  t.equal(headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
});

t.test('OPTIONS tells the methods and HEAD tells what GET would, without the body', async (t) => {
  const rig = await startRig(t);
  const options = await ask(`${rig.url}/api/sensors`, { method: 'OPTIONS' });
  t.equal(options.status, 204);
  t.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
  t.equal((await ask(`${rig.url}/api/nope`, { method: 'OPTIONS' })).status, 404);
  const head = await ask(`${rig.url}/api/tracks`, { method: 'HEAD' });
  t.equal(head.status, 200);
  t.equal(head.text, '');
  t.equal(head.headers.get('content-length'), String((await ask(`${rig.url}/api/tracks`)).text.length));
  const stream = await ask(`${rig.url}/api/stream`, { method: 'HEAD' });
  t.equal(stream.status, 200);
  t.match(stream.headers.get('content-type'), /event-stream/);
});

t.test('ids that are none, in any disguise, are 404', async (t) => {
  const rig = await startRig(t);
  const ids = [
    'x',
    '%00',
    '%zz',
    '..%2f..%2fpicture',
    'a%2fb',
    '5e0f6a52-0d3c-8a11-9c55-00000000000',
    '%27%20OR%201=1',
    'x'.repeat(5_000),
  ];
  for (const id of ids) {
    for (const path of [`/api/tracks/${id}`, `/api/tracks/${id}/history`, `/api/sensors/${id}`, `/api/links/${id}`]) {
      const { status, body } = await ask(rig.url + path);
      t.equal(status, 404, path.slice(0, 60));
      t.equal(body.code, 'not_found');
    }
    t.equal((await ask(`${rig.url}/api/sensors/${id}`, { method: 'DELETE' })).status, 404);
  }
});

t.test('a mistake of ours is 500 with an incident that the log has too, and without a stack', async (t) => {
  const rig = await startRig(t);
  rig.service.feed.snapshot = () => {
    throw new TypeError('secret detail at /usr/lib/dunlin');
  };
  const { status, body, text } = await ask(`${rig.url}/api/picture?world=live`);
  t.equal(status, 500);
  t.equal(body.code, 'internal');
  t.notMatch(text, /secret|stack|\.js|\.ts/);
  const [logged] = rig.recorder.errors;
  t.match(body.error, String(logged?.incident));
  t.equal(logged?.path, '/api/picture', 'the log has no query string');
  rig.service.feed.snapshot = () => {
    throw new Fault('not_configured', 'there is no key');
  };
  t.match((await ask(`${rig.url}/api/picture`)).body, { ok: false, code: 'not_configured', error: 'there is no key' });
});

t.test('a header that comes slowly, and a body that comes slowly, are ended in time', async (t) => {
  const rig = await startRig(t, { limits: { headersMs: 300, requestMs: 600 } });
  const started = Date.now();
  const slowHeader = sendRaw(rig.port, `GET /api/tracks HTTP/1.1\r\n${host}X: `);
  const slowBody = sendRaw(rig.port, `POST /api/sensors HTTP/1.1\r\n${host}${json}Content-Length: 50\r\n\r\n{"name"`);
  const silent = sendRaw(rig.port, '');
  for (const raw of await Promise.all([slowHeader, slowBody, silent])) {
    t.equal(parseRaw(raw).status, 400);
    t.match(parseRaw(raw).body.error, /did not arrive/);
  }
  t.ok(Date.now() - started < 5_000);
});

t.test('what is no HTTP request, or too large a header, is answered in the envelope and closed', async (t) => {
  const rig = await startRig(t);
  for (const bytes of [
    'hello\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\n${host}A B: 1\r\n\r\n`,
  ]) {
    t.match(parseRaw(await sendRaw(rig.port, bytes)), { status: 400, body: { ok: false, code: 'invalid_input' } });
  }
  const large = `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(40_000)}\r\n\r\n`;
  t.match(parseRaw(await sendRaw(rig.port, large)), { status: 413, body: { ok: false, code: 'too_large' } });
  // Both lengths given: the way requests are smuggled past a proxy.
  const smuggled = `POST /api/sensors HTTP/1.1\r\n${host}${json}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`;
  t.equal(parseRaw(await sendRaw(rig.port, smuggled)).status, 400);
  t.ok((rig.recorder.counts.get('http_bad_requests_total') ?? 0) >= 6);
});

t.test('pipelined requests are answered in order', async (t) => {
  const rig = await startRig(t);
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\n${host}${more}\r\n`;
  const raw = await sendRaw(rig.port, get('/api/nope') + get('/api/sim') + get('/', 'Connection: close\r\n'));
  t.same(raw.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404', 'HTTP/1.1 200', 'HTTP/1.1 200']);
  t.match(raw.slice(raw.lastIndexOf('HTTP/1.1')), /interface_version/);
});

t.test('strangers cannot take every connection', async (t) => {
  const rig = await startRig(t, { access: { trustedNetworks: ['10.0.0.0/8'] }, limits: { untrustedConnections: 3 } });
  const held = await Promise.all(
    [1, 2, 3].map(async (n) => {
      const from = { port: rig.port, host: '127.0.0.1', localAddress: `127.0.1.${n}` };
      const socket = connect(from).on('error', () => {});
      await once(socket, 'connect');
      return socket;
    }),
  );
  t.equal(await sendRaw(rig.port, `GET / HTTP/1.1\r\n${host}\r\n`), '');
  t.equal(rig.recorder.counts.get('http_connections_refused_total'), 1);
  for (const socket of held) socket.destroy();
});

t.test('bodies together stay inside their share of memory', async (t) => {
  const rig = await startRig(t, { limits: { bodiesBytes: 1_000 } });
  const { status, headers } = await askJson(`${rig.url}/api/sensors`, 'POST', {
    name: 'x'.repeat(2_000),
    modality: 'radar',
  });
  t.equal(status, 429);
  t.ok(headers.get('retry-after'));
  t.equal(
    (await askJson(`${rig.url}/api/sensors`, 'POST', { name: 'x', modality: 'radar' })).status,
    200,
    'the share is given back',
  );
});

t.test('a sender that leaves in the middle of its body is no error', async (t) => {
  const rig = await startRig(t);
  const socket = connect(rig.port, '127.0.0.1');
  socket.write(`POST /api/sensors HTTP/1.1\r\n${host}${json}Content-Length: 50\r\n\r\n{"name"`);
  await once(socket, 'ready');
  socket.destroy();
  await once(socket, 'close');
  t.equal((await ask(`${rig.url}/`)).status, 200);
  t.same(rig.recorder.errors, []);
});
