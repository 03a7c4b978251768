import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { createNotifier } from '../../src/host/notify.ts';

/** A service manager's end of the protocol: a datagram socket (which Node lacks) in a small python program. */
async function serviceManager(t: Test, path: string) {
  const source = `
import json, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace('@', '\\0', 1) if sys.argv[1][0] == '@' else sys.argv[1])
print('"bound"', flush=True)
while True: print(json.dumps(s.recv(65536).decode()), flush=True)
`;
  const child = spawn('python3', ['-c', source, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => JSON.parse((await lines.next()).value ?? '"closed"');
  t.equal(await next(), 'bound');
  return { next };
}

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'dunlin-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

for (const kind of ['path', 'abstract'] as const) {
  t.test(`readiness, status and stop reach a datagram socket (${kind})`, async (t) => {
    const path = kind === 'path' ? join(folder(t), 'notify') : `@dunlin-test-${process.pid}`;
    const manager = await serviceManager(t, path);
    const env = { NOTIFY_SOCKET: path };
    const notifier = createNotifier({ env });
    t.ok(notifier.enabled);
    notifier.ready('serving http://127.0.0.1:8077');
    t.equal(await manager.next(), 'READY=1\nSTATUS=serving http://127.0.0.1:8077');
    notifier.status('3 links\nREADY=0');
    t.equal(await manager.next(), 'STATUS=3 links READY=0', 'a line break in a text begins no assignment');
    notifier.stopping();
    t.equal(await manager.next(), 'STOPPING=1\nSTATUS=stopping');
  });
}

t.test('the watchdog is fed over the socket at a third of its time, only while healthy', async (t) => {
  const path = join(folder(t), 'notify');
  const manager = await serviceManager(t, path);
  const notifier = createNotifier({ env: { NOTIFY_SOCKET: path, WATCHDOG_USEC: '40000' } });
  t.equal(notifier.watchdogMs, 40);
  let asked = 0;
  let noLonger = (): void => {};
  const unhealthy = new Promise<void>((resolve) => (noLonger = resolve));
  const watchdog = notifier.watchdog(() => {
    asked++;
    if (asked === 6) noLonger();
    return asked <= 3;
  });
  watchdog.start();
  watchdog.start();
  for (let i = 0; i < 3; i++) t.equal(await manager.next(), 'WATCHDOG=1');
  // The timers of this process hold it up for this long only.
  const alive = setInterval(() => {}, 1_000);
  await unhealthy;
  clearInterval(alive);
  watchdog.stop();
  notifier.status('end');
  t.equal(await manager.next(), 'STATUS=end', 'nothing was sent while unhealthy');
});

t.test('the variables are taken out of the environment, so that children do not speak for us', async (t) => {
  const env = { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '1', WATCHDOG_PID: '1', PATH: '/bin' };
  createNotifier({ env, send: () => true });
  t.same(env, { PATH: '/bin' });
});

t.test('without a socket nothing is sent and nothing fails', async (t) => {
  const sent: string[] = [];
  for (const env of [{}, { NOTIFY_SOCKET: '' }, { NOTIFY_SOCKET: 'vsock:2:1' }, { WATCHDOG_USEC: '1000' }]) {
    const notifier = createNotifier({ env, send: (_, state) => sent.push(state) > 0 });
    notifier.ready('x');
    notifier.stopping();
    const watchdog = notifier.watchdog(() => true);
    watchdog.start();
    watchdog.stop();
    t.notOk(notifier.enabled);
    t.equal(notifier.watchdogMs, null);
  }
  t.same(sent, []);
});

t.test('a watchdog meant for another process, or without a time, is not ours', async (t) => {
  const watchdogMs = (env: Record<string, string>) =>
    createNotifier({ env: { NOTIFY_SOCKET: '/run/x', ...env }, pid: 7, send: () => true }).watchdogMs;
  t.equal(watchdogMs({ WATCHDOG_USEC: '20000000', WATCHDOG_PID: '7' }), 20_000);
  t.equal(watchdogMs({ WATCHDOG_USEC: '20000000' }), 20_000);
  t.equal(watchdogMs({ WATCHDOG_USEC: '20000000', WATCHDOG_PID: '8' }), null);
  for (const WATCHDOG_USEC of ['', '0', '-1', 'x']) t.equal(watchdogMs({ WATCHDOG_USEC }), null, WATCHDOG_USEC);
  t.equal(watchdogMs({}), null);
});

t.test('a socket that is gone costs a word, not the daemon', async (t) => {
  const notifier = createNotifier({ env: { NOTIFY_SOCKET: join(folder(t), 'gone') } });
  t.doesNotThrow(() => notifier.ready('x'));
  const long = createNotifier({ env: { NOTIFY_SOCKET: `/${'x'.repeat(500)}` } });
  t.doesNotThrow(() => long.ready('x'));
});
