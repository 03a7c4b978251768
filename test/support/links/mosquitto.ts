import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { folderOf } from '../basics/folder.ts';
import type { Owner } from '../basics/owner.ts';
import { waitFor } from '../basics/wait.ts';
import { pem } from '../tls/certificates.ts';

/** Path of a program of Debian's mosquitto packages. A user's path does not name the folder of daemons. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const isThere = ['mosquitto', 'mosquitto_sub', 'mosquitto_pub'].every(
  (program) => spawnSync(program, ['--help'], { env }).error === undefined,
);
export const mosquittoMissing: string | false = isThere ? false : 'mosquitto and mosquitto-clients are not installed';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address !== 'object') throw new Error('no port');
  return address.port;
}

type Rules = {
  /** Name and password without which nobody gets in. */
  login?: { username: string; password: string };
  /** Over TLS alone, and only with a certificate of the test authority. */
  isTls?: boolean;
};

const tlsLines = ['cafile ca.pem', 'certfile server.pem', 'keyfile server.key', 'require_certificate true'];
const tlsFiles = ['ca.pem', 'server.pem', 'server.key', 'client.pem', 'client.key'];
/** The certificate of the server has another name than the address. */
const tlsFlags = ['--cafile', 'ca.pem', '--cert', 'client.pem', '--key', 'client.key', '--insecure'];

/** A mosquitto of its own on a free port. */
export async function mosquitto(t: Owner, { login, isTls = false }: Rules = {}) {
  const port = await freePort();
  const lines = [`listener ${port} 127.0.0.1`, `allow_anonymous ${login === undefined}`, `user ${userInfo().username}`];
  if (login !== undefined) lines.push('password_file passwords');
  if (isTls) lines.push(...tlsLines);
  const files = isTls ? Object.fromEntries(tlsFiles.map((name) => [name, pem(name)])) : {};
  const dir = folderOf(t, { 'mosquitto.conf': `${lines.join('\n')}\n`, passwords: '', ...files });
  if (login !== undefined)
    spawnSync('mosquitto_passwd', ['-b', join(dir, 'passwords'), login.username, login.password], { env });
  let said = '';
  const child = run('mosquitto', ['-c', 'mosquitto.conf', '-v'], dir);
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      said += bytes;
    });
  t.teardown(() => child.kill('SIGKILL'));
  await waitFor(() => / running/.test(said));
  const given = login === undefined ? [] : ['-u', login.username, '-P', login.password];
  const at = ['-h', '127.0.0.1', '-p', String(port), ...given, ...(isTls ? tlsFlags : [])];
  return {
    address: `127.0.0.1:${port}`,
    said: () => said,
    publish(topic: string, payload: string, ...options: string[]): void {
      const { status, stderr } = spawnSync('mosquitto_pub', [...at, '-t', topic, '-m', payload, ...options], {
        env,
        cwd: dir,
      });
      if (status !== 0) throw new Error(String(stderr));
    },
    /** Topics and payloads that a subscriber gets, in the order of arrival. */
    subscribe(topic: string): () => { topic: string; payload: string }[] {
      let got = '';
      const subscriber = run('mosquitto_sub', [...at, '-t', topic, '-F', '%t %p'], dir);
      t.teardown(() => subscriber.kill('SIGKILL'));
      subscriber.stdout?.on('data', (bytes: Buffer) => {
        got += bytes;
      });
      return () =>
        got
          .split('\n')
          .slice(0, -1)
          .map((line) => ({ topic: line.slice(0, line.indexOf(' ')), payload: line.slice(line.indexOf(' ') + 1) }));
    },
  };
}

function run(program: string, args: readonly string[], cwd: string): ChildProcess {
  return spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
}
