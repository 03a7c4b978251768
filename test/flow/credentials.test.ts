import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import type { Link } from '../../src/model/link.ts';
import type { Outlet } from '../../src/model/outlet.ts';
import type { Picture } from '../../src/model/picture.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { runToEnd } from '../support/daemon/program.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { SigningBox } from '../support/links/signed_link.ts';
import { takServer } from '../support/outlet/tak.ts';
import { client, demanding, fixture, passphrase, pem, secretsOf, server } from '../support/tls/certificates.ts';

takeTime(t, 240);

const tls = { server_name: 'tak.example', verify: 'full' };
const names = ['client.key', 'renewed.key', 'client_encrypted.key'] as const;
const password = 'never to be seen again 4711';
const secrets = [...secretsOf(...names), password];

function assertHidden(t: Test, where: string, text: string): void {
  const found = secrets.filter((secret) => text.includes(secret));
  t.same(found, [], `${where} has no secret`);
}

/** A server over TLS, and the first bytes that a client sends to it. */
async function greetedServer(t: Test): Promise<{ port: number; greeting: Promise<string> }> {
  const peer = createServer(server('server'));
  peer.on('tlsClientError', () => {});
  const greeting = new Promise<string>((resolve) => {
    peer.on('secureConnection', (socket) => {
      socket.on('error', () => {});
      socket.once('data', (bytes) => resolve(String(bytes)));
      t.teardown(() => socket.destroy());
    });
  });
  peer.listen(0, '127.0.0.1');
  await once(peer, 'listening');
  t.teardown(() => peer.close());
  return { port: (peer.address() as AddressInfo).port, greeting };
}

t.test('a TAK server that demands a certificate gets the picture, and credentials outlive kill -9', async (t) => {
  const box = await SigningBox.spawn(t);
  const peer = await takServer(t, { tls: demanding });
  const { anna } = box;
  const spec = { name: 'tak', kind: 'cot', transport: 'tls_client', address: `127.0.0.1:${peer.port}`, tls };
  const made = await anna.get<Outlet>('POST', '/v1/outlets', { ...spec, pace: { track_s: 1 } });
  t.match(made, { state: 'backoff', credentials: null, tls, last_error: /unknown authority/ });
  const path = `/v1/outlets/${made.id}/credentials`;
  await until(async () => {
    await anna.get('PUT', path, { ca_pem: pem('ca.pem') });
    const { last_error } = await anna.get<Outlet>('GET', `/v1/outlets/${made.id}`);
    return last_error?.includes('asks for a client certificate');
  }, 'the server asks for a certificate');
  const open = await anna.get<Outlet>('PUT', path, client('client'));
  t.match(open, {
    state: 'open',
    last_error: null,
    credentials: {
      kind: 'certificate',
      subject: 'O=Dunlin tests, CN=dunlin box',
      not_after: '2125-01-01T00:00:00.000Z',
    },
  });
  t.match(open.credentials?.ca_sha256, /^[0-9a-f]{64}$/);
  t.same(await anna.get('POST', `/v1/outlets/${made.id}/test`), { sent: 1 });
  await peer.events.find(({ text }) => text.includes('Dunlin test'));

  for (const place of [{ address: '127.0.0.1:1' }, { transport: 'tcp_client', tls: null }, { tls: null }]) {
    const { status, body } = await anna.ask('POST', `/v1/outlets/${made.id}`, place);
    t.match(
      [status, body.error],
      [409, /has credentials for .*: delete the credentials before/],
      JSON.stringify(place),
    );
  }

  const before = peer.sockets.length;
  const renewed = await anna.get<Outlet>('PUT', path, client('renewed'));
  t.match(renewed, { state: 'open', credentials: { subject: 'O=Dunlin tests, CN=dunlin box renewed' } });
  const { CN } = (
    peer.sockets.at(-1) as unknown as { getPeerCertificate(): { subject: { CN: string } } }
  ).getPeerCertificate().subject;
  t.equal(CN, 'dunlin box renewed', 'the open connection was made anew with them');
  t.equal(peer.sockets.length, before + 1);

  await box.restart(t, 'SIGKILL');
  const again = await until(async () => {
    const outlet = await box.anna.get<Outlet>('GET', `/v1/outlets/${made.id}`);
    return outlet.state === 'open' && outlet;
  }, 'it is open after the kill');
  t.match(again, { credentials: { subject: 'O=Dunlin tests, CN=dunlin box renewed' } });

  await box.restart(t, 'SIGTERM', () => box.loseSealingKey());
  const lost = await until(async () => {
    const outlet = await box.anna.get<Outlet>('GET', `/v1/outlets/${made.id}`);
    return outlet.state === 'backoff' && outlet;
  }, 'it cannot open without the key');
  t.match(lost, { credentials: null, last_error: /credentials cannot be used: .* was encrypted with another key/ });
  t.match(await box.anna.ask('DELETE', path), { status: 200 });
  t.match(await box.anna.ask('DELETE', path), { status: 404 });
  await box.anna.get('PUT', path, client('client'));
  await box.anna.get('DELETE', `/v1/outlets/${made.id}`);
  const db = new Database(join(box.folder, 'data', 'state.db'), { readonly: true });
  t.teardown(() => db.close());
  t.same(db.prepare('SELECT name FROM sealed_secrets').all(), [], 'they go with the outlet');
});

t.test('a link reads over TLS, and no secret is in an answer, an event, a log line, a file or a bundle', async (t) => {
  const box = await SigningBox.start(t);
  const { anna, daemon } = box;
  const peer = await takServer(t, { tls: demanding });
  const spec = { name: 'adsb', transport: 'tls_client', address: `127.0.0.1:${peer.port}`, protocol: 'sbs', tls };
  const made = await anna.get<Link>('POST', '/v1/links', spec);
  const path = `/v1/links/${made.id}/credentials`;
  const p12 = fixture('client.p12').toString('base64');
  const wrong = await anna.ask('PUT', path, { p12, passphrase: `${passphrase}x` });
  t.match(wrong, { status: 400, body: { error: /'p12' does not open with this 'passphrase'/ } });
  const tooLong = await anna.ask('PUT', path, { p12, passphrase: passphrase.repeat(1_000), username: 'u', password });
  const noText = await anna.ask('PUT', path, { cert_pem: pem('client.key'), key_pem: { text: pem('client.key') } });
  const swapped = await anna.ask('PUT', path, { cert_pem: pem('client.key'), key_pem: pem('client.key') });
  const twoLines = await anna.ask('PUT', path, { username: 'box\nanna', password });
  t.match(twoLines, { body: { error: /'username' must be one line without control characters/ } });
  for (const [name, answer] of Object.entries({ wrong, tooLong, noText, swapped, twoLines })) {
    t.equal(answer.status, 400, name);
    assertHidden(t, name, JSON.stringify(answer.body));
  }
  const open = await anna.get<Link>('PUT', path, { p12, passphrase });
  t.match(open, { state: 'open', tls, credentials: { kind: 'certificate', subject: 'O=Dunlin tests, CN=dunlin box' } });
  const row = 'MSG,3,1,1,4B1234,1,2026/01/01,00:00:00.000,2026/01/01,00:00:00.000,,5000,,,47.2,8.7,,,0,0,0,0\r\n';
  peer.sockets.at(-1)?.write(row);
  await until(async () => (await daemon.get<Link[]>('/api/links'))[0]?.rx_msgs === 1, 'the line is read');
  await anna.get('PUT', path, {
    cert_pem: pem('client.pem'),
    key_pem: pem('client_encrypted.key'),
    ca_pem: pem('ca.pem'),
    passphrase,
  });

  const { id } = await anna.get<{ id: string }>('POST', '/v1/recordings', { name: 'of the link', max_s: 60 });
  peer.sockets.at(-1)?.write(row);
  await until(async () => ((await daemon.get<Link[]>('/api/links'))[0]?.rx_msgs ?? 0) >= 1, 'a line is recorded');
  await anna.get('POST', `/v1/recordings/${id}/stop`);
  const file = await fetch(`${daemon.url}/v1/recordings/${id}/file`, { headers: anna.headers() });
  const recorded = Buffer.from(await file.arrayBuffer()).toString('latin1');
  t.ok(recorded.includes('"adsb"') && recorded.includes('tak.example'), 'the recording has the link');
  assertHidden(t, 'the recording', recorded);

  const answers = ['/v1/links', '/v1/picture', '/v1/events?limit=1000', '/v1/settings'];
  for (const answer of answers) assertHidden(t, answer, JSON.stringify((await anna.ask('GET', answer)).body));
  const rows = await anna.get<{ kind: string; after: unknown }[]>('GET', '/v1/events?limit=1000');
  const [deed] = rows.filter(({ kind }) => kind === 'link.credentials');
  t.match(deed?.after, { subject: 'O=Dunlin tests, CN=dunlin box', kind: 'certificate' });
  assertHidden(t, 'the log', JSON.stringify(daemon.lines));
  for (const file of ['state.db', 'state.db-wal'])
    assertHidden(t, file, readFileSync(join(box.folder, 'data', file)).toString('latin1'));
});

t.test('an outlet of the configuration has files, and a name and password leave first and only over TLS', async (t) => {
  const peer = await takServer(t, { tls: demanding });
  const asking = await greetedServer(t);
  const folder = folderOf(t, {
    'client.pem': pem('client.pem'),
    'client.key': pem('client.key'),
    'ca.pem': pem('ca.pem'),
  });
  const files = ['cert', 'key', 'ca'].map(
    (part) => `${part}_file=${join(folder, part === 'ca' ? 'ca.pem' : part === 'key' ? 'client.key' : 'client.pem')}`,
  );
  const outlet = (name: string, port: number, ...more: string[]): string =>
    [
      `name=${name},kind=cot,transport=tls_client,address=127.0.0.1:${port}`,
      'tls.server_name=tak.example',
      ...more,
    ].join();
  const box = await SigningBox.start(t, [
    '--outlet',
    outlet('files', peer.port, ...files),
    '--outlet',
    outlet('named', asking.port),
  ]);
  const { anna } = box;
  const [ofFiles, named] = await anna.get<[Outlet, Outlet]>('GET', '/v1/outlets');
  t.match(ofFiles, { state: 'open', credentials: { subject: 'O=Dunlin tests, CN=dunlin box' } });
  t.notOk(JSON.stringify(ofFiles).includes(folder), 'no path is shown');
  t.match(await anna.ask('PUT', `/v1/outlets/${ofFiles.id}/credentials`, client('client')), {
    status: 409,
    body: { error: /the credentials of the outlet files are files that the/ },
  });
  const body = { ca_pem: pem('ca.pem'), username: 'box "1"', password };
  const set = await anna.get<Outlet>('PUT', `/v1/outlets/${named.id}/credentials`, body);
  t.match(set, { credentials: { kind: 'password', subject: 'box "1"' } });
  const first = await asking.greeting;
  t.match(
    first,
    /^<\?xml version="1\.0"\?>\n<auth><cot username="box &quot;1&quot;" password="never to be seen again 4711" uid="dunlin\./,
  );
  const plain = {
    name: 'plain',
    kind: 'cot',
    transport: 'tcp_client',
    address: `127.0.0.1:${peer.port}`,
    enabled: false,
  };
  const { id } = await anna.get<Outlet>('POST', '/v1/outlets', plain);
  t.match(await anna.ask('PUT', `/v1/outlets/${id}/credentials`, body), {
    status: 400,
    body: { error: /has the transport tcp_client: credentials can be set only with the transport tls_client/ },
  });
  t.match(await anna.ask('POST', `/v1/outlets/${id}`, { tls }), {
    status: 400,
    body: { error: /must be null for the transport tcp_client/ },
  });
  for (const wrong of [{ cert_file: '/etc/shadow' }, { ca_file: '/etc/passwd' }])
    t.match(
      await anna.ask('POST', '/v1/outlets', { ...plain, name: 'x', ...wrong }),
      { status: 400 },
      'no file over HTTP',
    );
  t.match(
    await anna.ask('POST', '/v1/links', {
      name: 'x',
      transport: 'tls_client',
      address: 'h:1',
      protocol: 'sbs',
      key_file: '/x',
    }),
    { status: 400 },
  );
  assertHidden(
    t,
    'answers',
    JSON.stringify([await anna.ask('GET', '/v1/outlets'), await anna.ask('GET', '/v1/events?limit=1000')]),
  );
  assertHidden(t, 'the log', JSON.stringify(box.daemon.lines));
});

t.test('without a secret key nothing is sealed, and a backup has credentials sealed alone', async (t) => {
  const bare = await startDaemon(t);
  const owner = await firstOwner(t, bare);
  const spec = { name: 'tak', kind: 'cot', transport: 'tls_client', address: '127.0.0.1:9', tls, enabled: false };
  const { id } = await owner.get<Outlet>('POST', '/v1/outlets', spec);
  const refused = await owner.ask('PUT', `/v1/outlets/${id}/credentials`, client('client'));
  t.match(refused, { status: 503, body: { code: 'not_configured' } });
  t.match(await bare.request(`/api/outlets/${id}/credentials`, { method: 'DELETE' }), { status: 401 });

  const box = await SigningBox.start(t);
  const made = await box.anna.get<Outlet>('POST', '/v1/outlets', spec);
  await box.anna.get('PUT', `/v1/outlets/${made.id}/credentials`, client('client'));
  const backup = join(folderOf(t), 'copy');
  // A process of its own: locks of SQLite are those of a process.
  t.match(await runToEnd(t, ['backup', backup, '--data', join(box.folder, 'data')]), { code: 0 });
  for (const entry of readdirSync(backup, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      assertHidden(t, entry.name, readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
  t.equal(await box.daemon.end(), 0);
  const data = join(folderOf(t), 'data');
  t.match(await dunlin(t, 'restore', backup, '--data', data), { code: 0 });
  const again = await startDaemon(t, { dataDir: data, env: { DUNLIN_SECRET_KEY_FILE: join(box.folder, 'seal.key') } });
  // A restore ends all sessions.
  const [shown] = (await again.get<Picture>('/api/picture')).outlets;
  t.match(shown?.credentials, { subject: 'O=Dunlin tests, CN=dunlin box' });
});
