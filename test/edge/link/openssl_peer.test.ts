import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { readCredentials } from '../../../src/edge/link/tls/credentials.ts';
import type { CredentialsBody } from '../../../src/model/credentials.ts';
import type { Owner } from '../../support/basics/owner.ts';
import { client, pem } from '../../support/tls/certificates.ts';
import { rigLink, until } from './rig.ts';

const isThere = spawnSync('openssl', ['version']).status === 0;
const skip = isThere ? false : 'openssl is not installed';
const fixtures = join('test', 'fixtures', 'tls');

/** `openssl s_server` on a free port. */
async function opensslServer(t: Owner, ...options: string[]) {
  const certificate = ['-cert', join(fixtures, 'server.pem'), '-key', join(fixtures, 'server.key')];
  const child = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', ...certificate, ...options]);
  t.teardown(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      said += bytes;
    });
  await until('it listens', () => /ACCEPT \S*:\d+/.test(said));
  const port = Number(/ACCEPT \S*:(\d+)/.exec(said)?.[1]);
  return {
    port,
    said: () => said,
    type: (line: string) => void child.stdin.write(`${line}\n`),
    ended: once(child, 'exit'),
  };
}

async function linkTo(t: Owner, port: number, body: CredentialsBody) {
  const material = await readCredentials(body);
  const tls = { server_name: 'tak.example', verify: 'full' } as const;
  return rigLink(t, { transport: 'tls_client', address: `127.0.0.1:${port}`, tls }, { tls: () => material });
}

t.test('openssl s_server -Verify takes the client certificate, and refuses a link without one', { skip }, async (t) => {
  const server = await opensslServer(t, '-Verify', '1', '-verify_return_error', '-CAfile', join(fixtures, 'ca.pem'));
  const without = await linkTo(t, server.port, { ca_pem: pem('ca.pem') });
  without.link.start();
  await until('the refusal', () => without.link.status().state === 'backoff');
  t.match(without.link.status().lastError, /asks for a client certificate/);
  t.notOk(without.states().includes('open'));
  await without.link.stop();
  const { link, text } = await linkTo(t, server.port, client('client'));
  link.start();
  await until('it is open', () => link.status().state === 'open');
  await link.write(Buffer.from('<event/>\n'));
  await until('the bytes', () => server.said().includes('<event/>'));
  t.match(server.said(), /CN ?= ?dunlin box/);
  server.type('answer');
  await until('the answer', () => text() === 'answer\n');
});

t.test('openssl s_server refuses a certificate of a stranger, and the link says so', { skip }, async (t) => {
  const server = await opensslServer(t, '-Verify', '1', '-verify_return_error', '-CAfile', join(fixtures, 'ca.pem'));
  const { link } = await linkTo(t, server.port, client('stranger'));
  link.start();
  await until('the refusal', () => link.status().state === 'backoff');
  t.match(link.status().lastError, /does not know the authority of our certificate/);
});

t.test('a second handshake that the server begins is refused', { skip }, async (t) => {
  const server = await opensslServer(t, '-tls1_2');
  const { link, text } = await linkTo(t, server.port, client('client'));
  link.start();
  server.type('before');
  await until('bytes', () => text() === 'before\n');
  server.type('R');
  // The refusal may leave with the next bytes of the link alone.
  const traffic = setInterval(() => void link.write(Buffer.from('\n')).catch(() => {}), 100);
  t.teardown(() => clearInterval(traffic));
  await until('it broke', () => link.status().retries > 0);
  t.match(link.status().lastError, /ended the TLS connection, perhaps because this box refused a second handshake/);
});

t.test('a server of TLS 1.1 is refused', { skip }, async (t) => {
  const server = await opensslServer(t, '-tls1_1', '-cipher', 'DEFAULT:@SECLEVEL=0');
  const { link } = await linkTo(t, server.port, client('client'));
  link.start();
  await until('the refusal', () => link.status().state === 'backoff');
  t.match(link.status().lastError, /does not support TLS 1\.2 or later/);
});
