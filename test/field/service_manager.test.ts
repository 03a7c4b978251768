import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { onlyInFull, until } from '../support/basics/patience.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';

/**
 * Listens as systemd does, and at the moment of READY=1 asks the daemon for its health over HTTP: Node has no datagram
 * sockets of this family, and by the time this process had read of it the daemon would have answered anyway.
 */
const python = `
import json, re, socket, sys, time, urllib.request
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print(json.dumps({'text': 'listening'}), flush=True)
while True:
    text = s.recv(4096).decode()
    seen = {'text': text, 'at': time.time()}
    if 'READY=1' in text:
        url = re.search('http://[^ \\\\n]+', text).group(0)
        with urllib.request.urlopen(url + '/api/health', timeout=5) as answer:
            seen['health'] = answer.status
    print(json.dumps(seen), flush=True)
`;

onlyInFull(t);

type Told = { text: string; at: number; health?: number };

async function listenAsManager(t: Test, path: string): Promise<{ told: Told[] }> {
  const child: ChildProcess = spawn('python3', ['-c', python, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const told: Told[] = [];
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  await once(lines, 'line');
  lines.on('line', (line) => told.push(JSON.parse(line) as Told));
  return { told };
}

t.test(
  'the service manager is told of readiness when HTTP answers, of life while all is well, and of the stop',
  async (t) => {
    const box = fieldBox(t, radarConfig);
    const socket = join(box.folder, 'notify');
    const { told } = await listenAsManager(t, socket);
    const daemon = await box.spawn({ env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' } });
    await until(async () => told.some(({ text }) => text.startsWith('READY=1')), 'READY=1');
    t.match(
      told[0],
      { text: `READY=1\nSTATUS=serving ${daemon.url}`, health: 200 },
      'the first word is that it is ready, and it is',
    );
    t.equal(told.filter(({ text }) => text.includes('READY=1')).length, 1);

    const pings = () => told.filter(({ text }) => text === 'WATCHDOG=1');
    await until(async () => pings().length >= 6, 'six signs of life');
    const [first, ...more] = pings();
    const everyMs = (((more.at(-1)?.at ?? 0) - (first?.at ?? 0)) * 1_000) / more.length;
    t.ok(everyMs > 100 && everyMs < 400, `a sign of life every ${everyMs.toFixed(0)} ms`);

    // A stopped process is the plainest one that is not well.
    daemon.process.kill('SIGSTOP');
    await until(async () => Date.now() / 1_000 - (told.at(-1)?.at ?? 0) > 1, 'a second without a sign of life');
    daemon.process.kill('SIGCONT');
    const before = pings().length;
    await until(async () => pings().length > before, 'it is well again');

    t.equal(await daemon.end('SIGTERM'), 0);
    await until(async () => told.some(({ text }) => text.includes('STOPPING=1')), 'STOPPING=1');
    const stoppingAt = told.findIndex(({ text }) => text.includes('STOPPING=1'));
    t.equal(stoppingAt, told.length - 1, 'nothing is told after it');
    const signalled = daemon.lines.find(({ msg }) => msg === 'SIGTERM: stopping');
    const lateMs = (told[stoppingAt]?.at ?? 0) * 1_000 - Date.parse(String(signalled?.time));
    t.ok(lateMs < 500, `it is the first thing done: ${lateMs.toFixed(0)} ms after the signal was taken`);
  },
);

t.test('a daemon that did not start is never called ready', async (t) => {
  const box = fieldBox(t, radarConfig);
  const socket = join(box.folder, 'notify');
  const { told } = await listenAsManager(t, socket);
  const first = await box.spawn();
  await t.rejects(box.spawn({ env: { NOTIFY_SOCKET: socket } }), /the daemon ended with 1: /);
  t.same(told, []);
  await first.end();
});
