import { createWriteStream } from 'node:fs';
import t, { type Test } from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { detectionsOf, linkOf, picture, trackOf } from '../support/daemon/watch.ts';
import { socatMissing, startPtyPair } from '../support/links/pty.ts';
import { paced, type Send, tcpHost, tcpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

const noPty = socatMissing();
const dir = folderOf(t, { data: {} });
const host = await tcpHost(t);
const cable = noPty ? null : await startPtyPair(t, dir);
const links = [
  'name=dialled,transport=tcp_client,address=127.0.0.1:HOST,protocol=mavlink'.replace('HOST', String(host.port)),
  'name=listening,transport=tcp_server,address=127.0.0.1:0,protocol=mavlink',
  ...(cable ? [`name=cable,transport=serial,address=${cable.near},baud=57600,protocol=mavlink`] : []),
];
const daemon = await startDaemon(t, { dataDir: `${dir}/data`, args: links.flatMap((link) => ['--link', link]) });
const site = { lat: -33.85, lon: 151.2 };

/** Sends a flight in pieces that end anywhere, with noise of the line between frames, and looks at what came of it. */
async function flyOver(t: Test, name: string, send: Send, number: number): Promise<void> {
  const from = placeAt(site, number * 90, 4_000);
  const aircraft = new Aircraft({ mac: `60:60:1F:00:01:0${number}`, serial: `1581F5FKD2294B00000${number}`, from });
  const receiver = new MavlinkReceiver();
  let held = Buffer.alloc(0);
  await paced(20, 110, async (turn) => {
    const frame = receiver.pack(aircraft, aircraft.messages(aircraft.location(turn * 0.11)));
    const noise = turn % 4 === 3 ? Buffer.from('\xfe\x09noise\xfd\xfd', 'latin1') : Buffer.alloc(0);
    held = Buffer.concat([held, frame, noise]);
    const cut = Math.floor(held.length / 3) + turn;
    await send(held.subarray(0, cut));
    held = held.subarray(cut);
  });
  await send(held);
  await send(receiver.pack(aircraft, aircraft.messages(aircraft.location(20 * 0.11))));

  const track = await trackOf(daemon, aircraft.flight.serial);
  const heard = await detectionsOf(daemon, `track_id=${track.id}`, 21);
  t.equal(heard.length, 21, 'no frame was lost to the cuts or the noise');
  const { id, state, rx_msgs, rejects } = await linkOf(daemon, name);
  t.equal(state, 'open');
  t.equal(rx_msgs, 21);
  t.ok(Object.values(rejects).reduce((sum, n) => sum + n) > 0, 'the noise was counted');
  t.ok(heard.every(({ link_id }) => link_id === id));
  const now = await trackOf(daemon, aircraft.flight.serial, ({ state }) => state === 'confirmed');
  t.ok(now.position && metresBetween(now.position, aircraft.placeAt(20 * 0.11)) < 15, 'it is where it flew');
  t.match(now.operator, { type: 'takeoff', operator_id: 'CHE-op-4711' });
}

const isOpen = (name: string): Promise<boolean> =>
  until(async () => (await linkOf(daemon, name)).state === 'open', `${name} is open`);

// All at once: what comes on one link is not to touch another.
t.jobs = 3;

t.test('a serial port', { skip: noPty }, async (t) => {
  const port = createWriteStream(cable?.far ?? '', { flags: 'r+' });
  t.teardown(() => port.destroy());
  await isOpen('cable');
  await flyOver(t, 'cable', (bytes) => new Promise((resolve) => port.write(bytes, () => resolve())), 1);
});

t.test('a connection that the daemon dials', async (t) => {
  await isOpen('dialled');
  await flyOver(t, 'dialled', host.send, 2);
});

t.test('a connection that the daemon takes', async (t) => {
  await flyOver(t, 'listening', await tcpSender(t, await daemon.port('listening')), 3);
  const open = await until(async () => {
    const { tracks, links: shown } = await picture(daemon);
    return tracks.length === links.length ? shown : null;
  }, 'each flight is a track of its own');
  t.ok(open.every(({ state, last_error }) => state === 'open' && last_error === null));
});
