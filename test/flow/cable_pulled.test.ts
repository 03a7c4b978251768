import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import { folderOf } from '../support/basics/folder.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { linkOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { socatMissing, startPtyPair } from '../support/links/pty.ts';
import { paced } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

async function told(daemon: Daemon, link: string): Promise<string[]> {
  const events = await daemon.get<LogEvent[]>('/api/events?limit=200');
  const own = events.filter(({ subject }) => subject?.label === link);
  return own.sort((a, b) => a.seq - b.seq).map(({ kind }) => kind);
}

t.test('a receiver that is pulled out is told of once, and is taken up again', { skip: socatMissing() }, async (t) => {
  const dir = folderOf(t, { data: {} });
  const near = join(dir, 'near');
  const link = `name=gate,transport=serial,address=${near},protocol=mavlink`;
  const daemon = await startDaemon(t, { dataDir: join(dir, 'data'), args: ['--link', link] });
  await until(async () => (await linkOf(daemon, 'gate')).retries >= 3, 'a device that is missing is tried again');
  t.match(await linkOf(daemon, 'gate'), { last_error: `${near} is not there`, bound_to: null });
  const health = await daemon.get<{ healthy: boolean; parts: { name: string; state: string }[] }>('/api/health');
  t.match(health, {
    healthy: true,
    parts: [{ name: 'core' }, { name: 'history' }, { name: 'links', state: 'degraded' }],
  });
  t.same(await told(daemon, 'gate'), ['link.down'], 'three tries are one event');

  const cable = await startPtyPair(t, dir);
  t.ok(existsSync(cable.near));
  await until(async () => (await linkOf(daemon, 'gate')).state === 'open', 'it is opened when it is there');
  const port = createWriteStream(cable.far, { flags: 'r+' });
  t.teardown(() => port.destroy());
  port.on('error', () => {});
  const aircraft = new Aircraft({ mac: '60:60:1F:00:07:01', serial: '1581F5FKD2294J000001' });
  const receiver = new MavlinkReceiver();
  await paced(4, 110, async (turn) => {
    port.write(receiver.pack(aircraft, aircraft.messages(aircraft.location(turn * 0.11))));
  });
  const track = await trackOf(daemon, aircraft.flight.serial, ({ state }) => state === 'confirmed');
  await sensorOf(daemon, 'gate 3/236', ({ state }) => state === 'operational');

  port.destroy();
  await cable.pull();
  const sensor = await sensorOf(daemon, 'gate 3/236', ({ state }) => state === 'fault');
  t.match(sensor.reasons[0], /its link gate is down: /, 'a pulled receiver is not a clear sky');
  t.equal((await trackOf(daemon, aircraft.flight.serial)).id, track.id, 'what it saw stays');
  await cable.plug();
  await sensorOf(daemon, 'gate 3/236', ({ state }) => state === 'operational');
  // The log is written by another thread.
  await until(async () => (await told(daemon, 'gate')).length >= 4, 'the fourth event is in the log');
  t.same(await told(daemon, 'gate'), ['link.down', 'link.up', 'link.down', 'link.up']);
});
