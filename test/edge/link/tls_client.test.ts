import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import t from 'tap';
import { readCredentials } from '../../../src/edge/link/tls/credentials.ts';
import type { CredentialsBody, TlsSpec } from '../../../src/model/credentials.ts';
import type { Owner } from '../../support/basics/owner.ts';
import { client, demanding, pem, server } from '../../support/tls/certificates.ts';
import { manualTime, rigLink, until } from './rig.ts';

const named: TlsSpec = { server_name: 'tak.example', verify: 'full' };
const chain: TlsSpec = { server_name: null, verify: 'chain' };
const trust: CredentialsBody = { ca_pem: pem('ca.pem') };

async function listening(t: Owner, peer: Server): Promise<number> {
  const sockets: Socket[] = [];
  peer.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
  });
  peer.on('tlsClientError', () => {});
  peer.listen(0, '127.0.0.1');
  await once(peer, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    peer.close();
  });
  return (peer.address() as AddressInfo).port;
}

async function tlsPeer(t: Owner, options: TlsOptions, secure: (socket: TLSSocket) => void = () => {}): Promise<number> {
  return listening(
    t,
    createTlsServer(options, (socket) => {
      socket.on('error', () => {});
      secure(socket);
    }),
  );
}

/** A link to a peer on this port with these credentials. */
async function linkTo(
  t: Owner,
  port: number,
  body: CredentialsBody | null,
  tls: TlsSpec | null = named,
  deps: object = {},
) {
  const material = body === null ? null : await readCredentials(body);
  const spec = { transport: 'tls_client', address: `127.0.0.1:${port}`, tls } as const;
  return rigLink(t, spec, { tls: () => material, ...deps });
}

/** The first error of a link that cannot open. */
async function refusalOf(t: Owner, port: number, body: CredentialsBody | null, tls?: TlsSpec | null): Promise<string> {
  const { link, states } = await linkTo(t, port, body, tls);
  link.start();
  await until('the refusal', () => link.status().state === 'backoff');
  const { lastError, nextRetryMs } = link.status();
  if (states().includes('open')) throw new Error('it was open for a moment');
  if (nextRetryMs === null) throw new Error('no attempt is planned');
  return String(lastError);
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  t.test(`bytes flow both ways over ${version}, by the name that the address or the owner gives`, async (t) => {
    let received = '';
    const names: unknown[] = [];
    const port = await tlsPeer(t, { ...demanding, minVersion: version, maxVersion: version }, (socket) => {
      names.push((socket as { servername?: unknown }).servername);
      socket.on('data', (bytes) => {
        received += bytes;
      });
      socket.write('MSG,1');
    });
    const { link, text } = await linkTo(t, port, client('client'));
    link.start();
    await until('bytes', () => text() === 'MSG,1');
    await link.write(Buffer.from('hello'));
    await until('bytes at the peer', () => received === 'hello');
    t.match(link.status(), { state: 'open', boundTo: `127.0.0.1:${port}`, lastError: null });
    t.same(names, ['tak.example'], 'the name is sent');
  });

  t.test(`a server that demands a certificate refuses without one, and one of a stranger (${version})`, async (t) => {
    const port = await tlsPeer(t, { ...demanding, minVersion: version, maxVersion: version });
    t.match(await refusalOf(t, port, trust), /asks for a client certificate: set cert_pem and key_pem, or p12/);
    t.match(
      await refusalOf(t, port, client('stranger')),
      /closed the connection during the TLS handshake: it may not accept our certificate/,
    );
  });
}

t.test('a server is refused for its end, its name and its authority, each with a sentence', async (t) => {
  const port = await tlsPeer(t, server('server'));
  const name = /does not contain the name 127\.0\.0\.1: set tls\.server_name to its name, or tls\.verify to chain/;
  t.match(await refusalOf(t, port, trust, null), name);
  t.match(
    await refusalOf(t, port, trust, { server_name: 'other.example', verify: 'full' }),
    /does not contain the name other\.example/,
  );
  t.match(await refusalOf(t, port, { ca_pem: pem('other_ca.pem') }), /of an unknown authority/);
  t.match(await refusalOf(t, port, { ca_pem: pem('other_ca.pem') }, chain), /of an unknown authority/);
  t.match(await refusalOf(t, port, null), /of an unknown authority/, 'without credentials the public authorities hold');
  const expired = await tlsPeer(t, server('expired'));
  t.match(await refusalOf(t, expired, trust), /has expired, or the clock of this box is wrong/);
  t.match(await refusalOf(t, expired, trust, chain), /has expired/);
});

t.test('chain checks the authority and not the name', async (t) => {
  const port = await tlsPeer(t, server('server'));
  const { link } = await linkTo(t, port, trust, chain);
  link.start();
  await until('it is open', () => link.status().state === 'open');
});

t.test('chain without an own authority opens nothing: the public ones would let any server pass', async (t) => {
  const port = await tlsPeer(t, server('server'));
  t.match(await refusalOf(t, port, null, chain), /needs an authority of your own/);
});

t.test('no variable of the environment turns the verification off', async (t) => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  t.teardown(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  const port = await tlsPeer(t, server('server'));
  t.match(await refusalOf(t, port, { ca_pem: pem('other_ca.pem') }), /of an unknown authority/);
});

t.test('a peer that speaks no TLS, an old one, or stops in the handshake is refused', async (t) => {
  const plain = await listening(
    t,
    createServer((socket) => void socket.write('220 welcome to some other service\r\n')),
  );
  t.match(await refusalOf(t, plain, trust), /does not speak TLS/);
  const cut = await listening(
    t,
    createServer((socket) => void socket.once('data', () => socket.end())),
  );
  t.match(
    await refusalOf(t, cut, trust),
    /closed the connection during the TLS handshake: it may ask for a client certificate/,
  );
  let arrived = false;
  const mute = await listening(
    t,
    createServer((socket) => void socket.once('data', () => (arrived = true))),
  );
  const time = manualTime();
  const { link } = await linkTo(t, mute, trust, named, { nowMs: time.nowMs, timers: time.timers });
  link.start();
  await until('the first message of the handshake', () => arrived);
  time.advance(5_000);
  await until('the end of the attempt', () => link.status().state === 'backoff');
  t.equal(link.status().lastError, `127.0.0.1:${mute} did not complete the TLS handshake in 5 s`);
  await link.stop();
  t.equal(time.pending(), 0, 'no deadline is left');
});

t.test('a stop in the midst of a handshake leaves no socket', async (t) => {
  let gone = false;
  let arrived = false;
  const port = await listening(
    t,
    createServer((socket) => {
      socket.once('data', () => (arrived = true));
      socket.on('close', () => (gone = true));
    }),
  );
  const { link } = await linkTo(t, port, trust);
  link.start();
  await until('the handshake began', () => arrived);
  await link.stop();
  await until('the peer sees the end', () => gone);
  t.equal(link.status().state, 'disabled');
});

t.test('a megabyte of certificates is refused, and costs no memory that stays', async (t) => {
  const { cert, key } = server('server');
  const port = await tlsPeer(t, { cert: cert + pem('ca.pem').repeat(2_000), key });
  t.match(await refusalOf(t, port, trust), /sends more than 100 kB of certificates|message size/);
});

t.test('a relay in the middle that changes a byte breaks the connection, and no byte of it is taken', async (t) => {
  const port = await tlsPeer(t, server('server'), (socket) => void socket.write('MSG,1,honest'));
  const relay = await listening(
    t,
    createServer((near) => {
      let chunks = 0;
      const far = connect({ host: '127.0.0.1', port });
      far.on('error', () => {});
      near.pipe(far);
      far.on('data', (bytes: Buffer) => {
        // Each record is authenticated. The first chunk is of the handshake.
        if (chunks++ > 0) bytes[10] = (bytes[10] ?? 0) ^ 1;
        near.write(bytes);
      });
      far.on('close', () => near.destroy());
    }),
  );
  const { link, text } = await linkTo(t, relay, trust);
  link.start();
  await until('it broke', () => link.status().retries > 0);
  t.equal(text(), '');
});
