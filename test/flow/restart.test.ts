import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Track } from '../../src/model/track.ts';
import { folderOf } from '../support/basics/folder.ts';
import { placeAt } from '../support/basics/place.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { endBy, spawnDaemon } from '../support/daemon/daemon_process.ts';
import { picture, pointsOf, trackOf, tracksOf } from '../support/daemon/watch.ts';
import { paced, type Send, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

const site = { lat: 37.4, lon: -122.1 };
const link = ['--link', 'name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink'];
const aircraft = (n: number): Aircraft =>
  new Aircraft({
    mac: `60:60:1F:00:05:0${n}`,
    serial: `1581F5FKD2294G00000${n}`,
    from: placeAt(site, n * 60, 3_000),
  });

async function start(t: Test, dataDir: string, begin = startDaemon): Promise<{ daemon: Daemon; send: Send }> {
  const daemon = await begin(t, { dataDir, args: link });
  return { daemon, send: udpSender(t, await daemon.port('rid')) };
}

async function fly(send: Send, flown: Aircraft, times: number, from = 0): Promise<void> {
  const receiver = new MavlinkReceiver();
  await paced(times, 110, (turn) => send(receiver.pack(flown, flown.messages(flown.location(from + turn * 0.11)))));
}

const confirmed = ({ state }: Track): boolean => state === 'confirmed';

t.test('an orderly restart takes the tracks up as lost, at their true ages', async (t) => {
  const dataDir = join(folderOf(t, { data: {} }), 'data');
  const [one, two, three] = [aircraft(1), aircraft(2), aircraft(3)];
  const before = await start(t, dataDir);
  await fly(before.send, one, 5);
  await fly(before.send, two, 5);
  const first = await trackOf(before.daemon, one.flight.serial, confirmed);
  const second = await trackOf(before.daemon, two.flight.serial, confirmed);
  const earlier = await picture(before.daemon);
  t.equal(await before.daemon.end(), 0);

  const startedMs = Date.now();
  const after = await start(t, dataDir);
  const { tracks, epoch } = await picture(after.daemon);
  t.not(epoch, earlier.epoch, 'a start is an epoch');
  t.equal(tracks.length, 2);
  for (const left of [first, second]) {
    const found = tracks.find(({ id }) => id === left.id);
    t.match(found, { number: left.number, state: 'lost', first_seen_at: left.first_seen_at });
    t.ok((found?.last_seen_at ?? '') >= left.last_seen_at, 'its age is that of its last evidence');
    t.ok(Date.parse(found?.last_seen_at ?? '') < startedMs, 'not that of the start');
    t.same(
      found?.identities.map(({ value }) => value),
      left.identities.map(({ value }) => value),
    );
    t.same(found?.operator, left.operator);
    t.ok(found?.position, 'where it was last');
  }

  await fly(after.send, one, 2, 2);
  const again = await trackOf(after.daemon, one.flight.serial, confirmed);
  t.equal(again.id, first.id);
  t.equal(again.number, first.number);
  t.equal(again.first_seen_at, first.first_seen_at);
  t.equal((await trackOf(after.daemon, two.flight.serial)).state, 'lost', 'the other stays what it was');

  await fly(after.send, three, 3);
  const fresh = await trackOf(after.daemon, three.flight.serial, confirmed);
  t.notOk([first, second].some(({ id, number }) => id === fresh.id || number === fresh.number));
  t.equal(Number(fresh.number.slice(2)), Number(second.number.slice(2)) + 1, 'numbers go on');

  const points = await pointsOf(after.daemon, first.id, 2);
  t.ok(points.some(({ at }) => at < first.updated_at) && points.some(({ at }) => at > again.first_seen_at));
  t.ok((await pointsOf(after.daemon, second.id, 1)).length > 0, 'history answers for what was before');
  const events = await after.daemon.get<{ kind: string }[]>('/api/events?limit=100');
  t.equal(events.filter(({ kind }) => kind === 'system.start').length, 2);
  t.equal(events.filter(({ kind }) => kind === 'system.stop').length, 1);
});

t.test('a kill loses two seconds of history at most, and no track older than that', async (t) => {
  const dataDir = join(folderOf(t, { data: {} }), 'data');
  const [one, two] = [aircraft(4), aircraft(5)];
  const before = await start(t, dataDir, spawnDaemon);
  await Promise.all([fly(before.send, one, 28), fly(before.send, two, 28)]);
  const first = await trackOf(before.daemon, one.flight.serial, confirmed);
  const second = await trackOf(before.daemon, two.flight.serial, confirmed);
  const killedMs = Date.now();
  await endBy(before.daemon, 'SIGKILL');

  const after = await start(t, dataDir);
  for (const left of [first, second]) {
    const found = await trackOf(after.daemon, left.identities.at(-1)?.value ?? '');
    t.match(found, { id: left.id, number: left.number, state: 'lost', first_seen_at: left.first_seen_at });
    const points = await pointsOf(after.daemon, left.id, 1);
    const lastMs = Date.parse(points.at(-1)?.at ?? '');
    t.ok(killedMs - lastMs < 2_500, `the last point is ${killedMs - lastMs} ms older than the kill`);
    t.ok(killedMs - Date.parse(found.last_seen_at) < 4_500, 'and so is the document');
  }
  await fly(after.send, one, 2, 5);
  const again = await trackOf(after.daemon, one.flight.serial, confirmed);
  t.equal(again.id, first.id);
  t.equal((await tracksOf(after.daemon, one.flight.mac)).length, 1);
  const said = after.daemon.lines.map(({ msg }) => msg);
  t.ok(said.includes('the last run was not shut down properly; the state database was checked and is intact'));
});
