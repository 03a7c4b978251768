import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime } from '../support/basics/patience.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { linkOf, trackOf } from '../support/daemon/watch.ts';
import { framesAt } from '../support/links/broadcast_aircraft.ts';
import { noAir, RadioAir } from '../support/links/radio_air.ts';
import { builtNative } from '../support/references/built_native.ts';
import { emulator } from '../support/references/emulator.ts';

takeTime(t, 180);
const apart = { skip: emulator.length > 0 ? 'an emulator has no packet sockets' : noAir() };
const aircraft = {
  serial: '1581F5FKD2294AGAIN01',
  wifiMac: '60:60:1f:10:01:3d',
  bluetoothMac: '60:60:1f:10:01:3e',
  lat: 47.2,
  lon: 8.73,
};

/** The program beside an interface, as its unit starts it. */
async function start(t: Test, air: RadioAir, path: string): Promise<ChildProcess> {
  const program = await builtNative('radio_program', ['-O2']);
  const [command, words] = air.beside(program, air.name, '--no-tune', '--listen', path);
  const child = spawn(command, words, { stdio: 'ignore' });
  t.teardown(() => child.kill('SIGKILL'));
  await until(async () => existsSync(path) || child.exitCode !== null, 'the program listens');
  return child;
}

t.test(
  'an adapter that was pulled out and put back is received again without a restart of the daemon',
  apart,
  async (t) => {
    const dir = folderOf(t, { data: {} });
    const path = join(dir, 'radio.sock');
    const link = `name=radio,transport=unix,address=${path},protocol=capture`;
    const daemon = await startDaemon(t, { dataDir: `${dir}/data`, args: ['--link', link] });
    let air = await RadioAir.open(t);
    const first = await start(t, air, path);
    let s = 0;
    /** Sends a beacon a quarter of a second until the link has messages beyond a number. */
    const received = async (beyond: number): Promise<number> =>
      until(async () => {
        const { beacon } = framesAt(aircraft, s++);
        await air.send(beacon);
        const { rx_msgs } = await linkOf(daemon, 'radio');
        return rx_msgs > beyond ? rx_msgs : null;
      }, 'the aircraft is received');
    await received(0);
    const track = await trackOf(daemon, aircraft.serial);

    const exited = once(first, 'exit');
    await air.remove();
    await exited;
    await until(
      async () => (await linkOf(daemon, 'radio')).state === 'backoff',
      'the link says that the program is gone',
    );

    const { rx_msgs: before } = await linkOf(daemon, 'radio');
    air = await RadioAir.open(t);
    const backMs = performance.now();
    await start(t, air, path);
    await received(before);
    t.comment(`received again ${Math.round(performance.now() - backMs)} ms after the interface was back`);
    t.equal((await trackOf(daemon, aircraft.serial)).id, track.id, 'the track goes on');
  },
);
