import { join } from 'node:path';
import t from 'tap';
import { onlyInFull, until } from '../support/basics/patience.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { listenAsManager } from '../support/daemon/service_manager.ts';

onlyInFull(t);

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
