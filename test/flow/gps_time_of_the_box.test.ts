import { createSocket } from 'node:dgram';
import { openSync, writeSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { Health } from '../../src/model/health.ts';
import { folderOf } from '../support/basics/folder.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { textOf } from '../support/daemon/field_box.ts';
import { rmcAt } from '../support/links/gnss_receiver.ts';
import { socatMissing, startPtyPair } from '../support/links/pty.ts';

onlyInFull(t);
takeTime(t, 120);

const DAY = 86_400_000;

const clockOf = async (daemon: Daemon) =>
  (
    await daemon.get<Health>('/api/picture').then((picture) => (picture as unknown as { health: Health }).health)
  ).parts.find(({ name }) => name === 'clock');

/** Sends four times a second, as receivers may, until the test ends. */
function speak(t: Test, say: (text: string) => void): { shiftMs: number } {
  const receiver = { shiftMs: 3 * DAY };
  const timer = setInterval(() => say(rmcAt(Date.now() + receiver.shiftMs)), 250);
  t.teardown(() => clearInterval(timer));
  return receiver;
}

t.test(
  'a serial receiver gives a box its UTC, and a jump raises an alert of the clock',
  { skip: socatMissing() },
  async (t) => {
    const pair = await startPtyPair(t, folderOf(t));
    const link = `name=gps,transport=serial,address=${pair.near},baud=9600,protocol=nmea`;
    const daemon = await startDaemon(t, { args: ['--link', link] });
    const line = openSync(pair.far, 'w');
    const receiver = speak(t, (text) => void writeSync(line, text));
    await until(async () => /set by satellites \(gps\)/.test((await clockOf(daemon))?.text ?? ''), 'GPS time is used');
    const metrics = await textOf(daemon, '/metrics');
    t.match(metrics, /dunlin_clock_trust\{trust="gps"\} 1\n/);
    t.match(metrics, /dunlin_clock_system_minus_gps_seconds -2(591|592)\d\d/);
    const started = await daemon.get<{ text: string }[]>('/api/events?kind=clock.step');
    t.match(started[0]?.text, /^UTC was set by 2(591|592)\d\d\.\d+ s: set by satellites \(gps\)/);
    receiver.shiftMs = 0;
    await until(async () => /jumped by -2(591|592)/.test((await clockOf(daemon))?.text ?? ''), 'the jump is seen');
    type Alert = { text: string };
    await until(
      async () =>
        (await daemon.get<Alert[]>('/api/alerts')).some(({ text }) =>
          /^The clock: the GPS time of gps jumped/.test(text),
        ),
      'an alert of the clock',
    );
    const { server_at: at } = await daemon.get<{ server_at: string }>('/api/picture');
    t.ok(Date.parse(at) > Date.now() + 2 * DAY, `UTC goes on: ${at}`);
  },
);

t.test('UDP from this box is a source of time; a link that anyone may write to is not', async (t) => {
  const open = 'name=open,transport=udp,address=0.0.0.0:0,protocol=nmea';
  const own = 'name=own,transport=udp,address=127.0.0.1:0,protocol=nmea';
  const daemon = await startDaemon(t, { args: ['--link', open, '--link', own] });
  const socket = createSocket('udp4');
  t.teardown(() => socket.close());
  const ports = [await daemon.port('open'), await daemon.port('own')];
  let stranger = 0;
  speak(t, (text) => socket.send(text, ports[0] ?? 0, '127.0.0.1', () => stranger++));
  await until(async () => stranger > 60, 'a stranger spoke for 15 s');
  t.match(await textOf(daemon, '/metrics'), /dunlin_clock_trust\{trust="gps"\} 0\n/);
  speak(t, (text) => socket.send(text, ports[1] ?? 0, '127.0.0.1'));
  await until(
    async () => /satellites \(own \(127\.0\.0\.1\)\)/.test((await clockOf(daemon))?.text ?? ''),
    'its time is used',
  );
});
