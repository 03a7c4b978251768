import t from 'tap';
import { takeTime } from '../../support/basics/patience.ts';
import { until } from '../../support/daemon/daemon.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { picture } from '../../support/daemon/watch.ts';
import { StreamClient } from '../../support/http/stream_client.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';

takeTime(t, 120);

t.test("a vehicle is known by its own Remote ID's serial, and its track is a friend's by its telemetry", async (t) => {
  const rig = await startFlights(t);
  const remoteId = '1581F5FKD2294D000077';
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true, remoteId }));
  // Somebody wrote down its serial before it was heard.
  const made = await rig.daemon.post('/api/assets', { name: 'Heron', spec: { remote_id_serial: remoteId } });
  const { id } = made.body.data as { id: string };
  const row = await rig.row(({ asset_id }) => asset_id === id, 'it is bound by its serial');
  t.ok([row.key, ...row.aliases].includes(remoteId));
  const friend = await until(
    async () => (await picture(rig.daemon)).tracks.find(({ asset_id }) => asset_id === id),
    'its track is ours',
    20_000,
  );
  t.match(friend, { affiliation: 'friend', affiliation_basis: 'telemetry' });
  await rig.able(id, 'takeoff');
  const byName = await rig.daemon.post(`/api/assets/${remoteId}/command`, { verb: 'request_status' });
  t.equal(byName.status, 200, byName.body.error ?? '');
  t.match(byName.body.data, { asset_id: id });
  t.equal(copter.sysid, 1);
});

t.test('what a vehicle does is told on the stream', async (t) => {
  const rig = await startFlights(t);
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true, speed: 4 }));
  const stream = await StreamClient.open(t, rig.daemon);
  const id = await rig.adopt(copter, 'Heron');
  await rig.takeoff(id, 20);
  const { lat, lon } = copter.body;
  const went = await rig.fly(id, 'goto', { kind: 'point', lat: lat + 0.0003, lon, height_takeoff_m: 20 });
  t.equal(went.state, 'done', went.reason ?? '');
  await stream.next(({ event, data }) => event === 'task_update' && data.body.state === 'done');
  const kinds = new Set(stream.events.map(({ event }) => event));
  for (const kind of ['fleet_update', 'command_update', 'task_update']) t.ok(kinds.has(kind), kind);
  const states = stream.events.flatMap(({ event, data: { body } }) =>
    event === 'command_update' && body.command_id === went.command_id ? [body.state] : [],
  );
  t.equal(states.at(-1), 'done');
});

t.test('one vehicle on two links is one row, and can be told', async (t) => {
  const second = 'name=second,transport=udp,address=127.0.0.1:0,protocol=mavlink,command=allow,sources_allow=127.0.0.1';
  const rig = await startFlights(t, { args: ['--link', second] });
  const uid2 = Array.from({ length: 18 }, (_, at) => at + 40);
  const at = { lat: -35.363_262, lon: 149.165_237 };
  const common = { ready: true, uid2, at };
  const one = await begun(t, new ArduCopter({ ...common, groundStation: rig.groundStation }));
  const same = { host: '127.0.0.1', port: await rig.daemon.port('second') };
  await begun(t, new ArduCopter({ ...common, groundStation: same }));
  const row = await rig.row(({ link_ids }) => link_ids.length === 2, 'it is heard on both');
  t.equal((await rig.fleet()).length, 1);
  const id = await rig.adopt(one, 'Heron');
  t.equal(row.sysid, 1);
  await rig.able(id, 'takeoff');
});
