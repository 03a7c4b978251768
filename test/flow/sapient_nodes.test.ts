import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Track } from '../../src/model/track.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { detectionsOf, linkOf, picture, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { paced } from '../support/links/senders.ts';
import { FakeNode, modeOf, placeOf, registrationOf, statusOf, ulid } from '../support/sapient/node.ts';

const daemon = await startDaemon(t, {
  args: ['--link', 'name=sap,transport=tcp_server,address=127.0.0.1:0,protocol=sapient'],
});
const port = await daemon.port('sap');
const site = { lat: 47.2, lon: 8.73 };
const rejects = async () => (await linkOf(daemon, 'sap')).rejects;
const bearing = { coordinate_system: 'DEGREES_M', datum: 'TRUE' } as const;

t.test('a node registers, and its detections become one track in the picture and in its events', async (t) => {
  const client = await StreamClient.open(t, daemon);
  const node = await FakeNode.dial(t, port);
  t.match(await node.register(), { acceptance: true });
  await node.send({ status_report: statusOf() });
  const object = ulid();
  await paced(5, 250, (turn) => {
    const { lat, lon } = placeAt(site, 90, turn * 2.5);
    const location = { ...placeOf(lat, lon, 600), x_error: 3, y_error: 4, z_error: 6 };
    return node.detect({ object_id: object, location, detection_confidence: 0.9 });
  });
  const identity = `${node.id.slice(0, 8)}/${object}`;
  const track = await trackOf(daemon, identity, ({ state }) => state === 'confirmed');
  t.ok(metresBetween(track.position ?? site, site) < 20);
  t.ok(Math.abs((track.position?.alt_hae_m ?? 0) - 600) < 10);
  t.match(track.identities, [{ type: 'external', value: identity, transport: 'network' }]);
  await client.next((event) => event.event === 'track_new' && JSON.stringify(event).includes(identity));
  const sensor = await sensorOf(daemon, 'RDR-N');
  t.match(sensor, { modality: 'radar', state: 'operational', heartbeat_s: 15 });
  t.match(track.contributors, [{ sensor_id: sensor.id }]);
  const [detection] = await detectionsOf(daemon, `track_id=${track.id}`, 5);
  t.match(detection, { sigma: { h_m: 4, v_m: 6 }, confidence: 0.9, report: 'position' });
  t.same(node.faults, []);
});

t.test('a radar that reports range and bearing is placed by its status, and its plots by their angles', async (t) => {
  const node = await FakeNode.dial(t, port);
  await node.register({ short_name: 'RDR-P' });
  const field_of_view = { range_bearing: { ...bearing, azimuth: 90, horizontal_extent: 120, range: 5_000 } };
  const radar = placeAt(site, 180, 20_000);
  await node.send({ status_report: statusOf({ node_location: placeOf(radar.lat, radar.lon, 500), field_of_view }) });
  const placed = await sensorOf(daemon, 'RDR-P', ({ placement }) => placement !== null);
  t.match(placed.placement, { alt_hae_m: 500, azimuth_deg: 90, hfov_deg: 120, max_range_m: 5_000 });
  t.ok(metresBetween(placed.placement ?? site, radar) < 1);
  const object = ulid();
  const range_bearing = { ...bearing, azimuth: 80, range: 2_000, elevation: 3, azimuth_error: 0.5, range_error: 8 };
  await paced(5, 250, () => node.detect({ object_id: object, range_bearing }));
  const isOfRadar = ({ contributors }: Track) => contributors.some(({ sensor_id }) => sensor_id === placed.id);
  const track = await until(async () => (await picture(daemon)).tracks.find(isOfRadar), 'the radar has a track');
  t.ok(metresBetween(track.position ?? site, placeAt(radar, 80, 2_000)) < 30);
});

t.test('magnetic bearings are refused as implausible, and the sensor says why', async (t) => {
  const node = await FakeNode.dial(t, port);
  await node.register({ short_name: 'MAG', node_definition: [{ node_type: 'PASSIVE_RF' }] });
  await node.send({ status_report: statusOf({ node_location: placeOf(47.1, 8.6) }) });
  const { implausible } = await rejects();
  await node.detect({ range_bearing: { ...bearing, datum: 'MAGNETIC', azimuth: 20 } });
  const sensor = await sensorOf(daemon, 'MAG', ({ state }) => state === 'degraded');
  t.match(sensor.reasons, ["the node's bearings are from magnetic north and are refused: set the node to true north"]);
  t.equal((await rejects()).implausible, implausible + 1);
});

t.test('a node without a registration is asked for it once, and its reports are not allowed', async (t) => {
  const node = await FakeNode.dial(t, port);
  const { not_allowed } = await rejects();
  const tracks = (await picture(daemon)).tracks.length;
  for (let i = 0; i < 3; i++) await node.detect({ location: placeOf(46.9, 8.1, 600) });
  t.match(await node.next('task'), { control: 'START', command: { request: 'Registration' } });
  await until(async () => (await rejects()).not_allowed === not_allowed + 3, 'three reports are counted');
  t.equal(node.of('task').length, 1, 'one request in 10 s');
  t.equal((await picture(daemon)).tracks.length, tracks);
  t.match(await node.register({ short_name: 'LATE' }), { acceptance: true });
});

t.test('a connection that sends under the id of another has no part in it', async (t) => {
  const [node, other] = [await FakeNode.dial(t, port), await FakeNode.dial(t, port)];
  await node.register({ short_name: 'MINE' });
  const { not_allowed } = await rejects();
  await other.detect({ location: placeOf(46.8, 8.1, 600) }, { nodeId: node.id });
  await until(async () => (await rejects()).not_allowed === not_allowed + 1, 'it is counted');
});

t.test('a registration from another host takes no node over while that node reports', async (t) => {
  const node = await FakeNode.dial(t, port);
  await node.register({ short_name: 'HELD' });
  const thief = await FakeNode.dial(t, port, node.id, '127.0.0.2');
  t.match(await thief.register({ short_name: 'THIEF' }), {
    acceptance: false,
    ack_response_reason: ['another host reports under the node id'],
  });
  const object = ulid();
  await paced(4, 250, (turn) => node.detect({ object_id: object, location: placeOf(46.7 + turn * 1e-5, 8.2, 600) }));
  await trackOf(daemon, `${node.id.slice(0, 8)}/${object}`);
  await sensorOf(daemon, 'HELD');
  const again = await FakeNode.dial(t, port, node.id);
  t.match(await again.register({ short_name: 'HELD' }), { acceptance: true }, 'its own host may connect again');
});

t.test('effectors, other versions and a second thought are refused with a reason', async (t) => {
  const node = await FakeNode.dial(t, port);
  t.match(await node.register({ node_definition: [{ node_type: 'JAMMER' }] }), {
    acceptance: false,
    ack_response_reason: ['this box accepts no nodes that are only effectors'],
  });
  t.match(await node.register({ icd_version: 'BSI Flex 335 v1.0' }), { acceptance: false });
  t.match(await node.register({ icd_version: 'BSI_Flex_335_v2.0', short_name: 'OK' }), { acceptance: true });
});

t.test('status reports are states with their reasons; goodbye is off; UNCHANGED before NEW is an error', async (t) => {
  const node = await FakeNode.dial(t, port);
  await node.register({ short_name: 'STA' });
  await node.send({ status_report: statusOf({ info: 'UNCHANGED' }) });
  t.match((await node.next('error')).error_message, [
    'status_report.info: UNCHANGED is not valid before the first full report (NEW)',
  ]);
  const faulty = [{ status_level: 'ERROR_STATUS', status_type: 'INTERNAL_FAULT', status_value: 'antenna' }] as const;
  await node.send({ status_report: statusOf({ system: 'ERROR', status: faulty }) });
  t.match((await sensorOf(daemon, 'STA', ({ state }) => state === 'fault')).reasons, ['internal fault: antenna']);
  await node.send({ status_report: statusOf({ system: 'OK' }) });
  await sensorOf(daemon, 'STA', ({ state }) => state === 'operational');
  await node.send({ status_report: statusOf({ system: 'GOODBYE' }) });
  t.match((await sensorOf(daemon, 'STA', ({ state }) => state === 'off')).reasons, [
    'the node of this sensor has signed off',
  ]);
  t.same(node.faults, []);
});

t.test('an alert is an event of its sensor and is acknowledged; it raises no alert of ours', async (t) => {
  const node = await FakeNode.dial(t, port);
  await node.register({ short_name: 'ALT' });
  const alert_id = ulid();
  const text = 'Unidentified aircraft in apron';
  await node.send({ alert: { alert_id, alert_type: 'CRITICAL', status: 'ACTIVE', description: text } });
  t.match(await node.next('alert_ack'), { alert_id, alert_ack_status: 'ACCEPTED' });
  const event = await until(async () => {
    const events = await daemon.get<LogEvent[]>('/api/events?kind=sensor.alert');
    return events.find((one) => one.text.includes(text)) ?? null;
  }, 'the event is there');
  t.match(event, { severity: 'critical', text: `sensor ALT: ${text}`, subject: { type: 'sensor', label: 'ALT' } });
  t.notMatch(JSON.stringify(await daemon.get('/api/alerts')), text);
});

t.test('a malformed frame is answered once a second, names its field, and what follows is read', async (t) => {
  const node = await FakeNode.dial(t, port);
  await node.register({ short_name: 'BAD' });
  const { malformed } = await rejects();
  const frame = Buffer.from(node.frame({ status_report: { ...statusOf(), report_id: 'short' } }));
  await node.write(Buffer.concat([frame, frame, frame]));
  const error = await node.next('error');
  t.match(error.error_message, [/^status_report\.report_id: must be a ULID/]);
  t.same(Buffer.from(error.packet), frame.subarray(4));
  await until(async () => (await rejects()).malformed === malformed + 3, 'each is counted');
  t.equal(node.of('error').length, 1);
  t.match((await linkOf(daemon, 'sap')).last_error, /is refused: status_report\.report_id/);
  await node.send({ status_report: statusOf({ system: 'WARNING' }) });
  await sensorOf(daemon, 'BAD', ({ state }) => state === 'degraded');
});

t.test('a length over 1 MiB ends the connection, and no other', async (t) => {
  const [node, other] = [await FakeNode.dial(t, port), await FakeNode.dial(t, port)];
  await other.register({ short_name: 'STAYS' });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(1_048_577);
  const before = (await rejects()).length;
  await node.write(length);
  await until(async () => node.isClosed, 'it is closed');
  t.match((await node.next('error')).error_message, [/^a length of 1048577 bytes/]);
  t.equal((await rejects()).length, before + 1);
  t.notOk(other.isClosed);
});

t.test('a clock that is off is learnt, and its detections count', async (t) => {
  const node = await FakeNode.dial(t, port);
  const offsetMs = 3_600_000;
  const utcMs = () => Date.now() - offsetMs;
  await node.send({ registration: registrationOf({ short_name: 'SLOW' }) }, { utcMs: utcMs() });
  const object = ulid();
  await paced(5, 250, () => node.detect({ object_id: object, location: placeOf(47.4, 8.9, 700) }, { utcMs: utcMs() }));
  await trackOf(daemon, `${node.id.slice(0, 8)}/${object}`, ({ state }) => state === 'confirmed');
  const sensor = await sensorOf(daemon, 'SLOW', ({ clock_offset_ms }) => clock_offset_ms !== null);
  t.ok(Math.abs((sensor.clock_offset_ms ?? 0) - offsetMs) < 1_000, `${sensor.clock_offset_ms} ms`);
});

t.test('a flood of one node is cut at its rate, and another node is served', async (t) => {
  const [loud, other] = [await FakeNode.dial(t, port), await FakeNode.dial(t, port)];
  await loud.register({ short_name: 'LOUD', mode_definition: [modeOf({ tracking_type: 'NONE' })] });
  await other.register({ short_name: 'CALM' });
  const { rate } = await rejects();
  const frames = Array.from({ length: 1_500 }, () => loud.frame({ alert: { alert_id: ulid(), description: 'x' } }));
  await loud.write(Buffer.concat(frames));
  await until(async () => (await rejects()).rate > rate + 1_000, 'the flood is counted');
  await other.send({ status_report: statusOf({ system: 'WARNING' }) });
  await sensorOf(daemon, 'CALM', ({ state }) => state === 'degraded');
});

t.test(
  'a node that is not registered gets no answer to a task, and a refused registration ends the one before',
  async (t) => {
    const node = await FakeNode.dial(t, port);
    const task = { task_id: ulid(), control: 'START' } as const;
    const before = (await rejects()).not_allowed;
    await node.send({ task: { ...task, command: { request: 'Status' } } });
    await until(async () => (await rejects()).not_allowed > before, 'the task is counted');
    await node.register({ short_name: 'RDR-U' });
    t.equal(node.of('task_ack').length + node.of('status_report').length, 0);
    t.match(await node.register({ node_definition: [{ node_type: 'JAMMER' }] }), { acceptance: false });
    await node.send({ status_report: statusOf() });
    t.match(await node.next('task'), { command: { request: 'Registration' } }, 'it must register again');
  },
);

t.test('a task is refused with a sentence; a request for registration or status is answered with it', async (t) => {
  const node = await FakeNode.dial(t, port);
  await node.register({ short_name: 'RDR-T' });
  const task = { task_id: ulid(), control: 'START' } as const;
  await node.send({ task: { ...task, command: { mode_change: 'other' } } });
  t.match(await node.next('task_ack'), { task_status: 'REJECTED', reason: ['this box accepts no tasks of this kind'] });
  await node.send({ task: { ...task, command: { request: 'Registration' } } });
  const { node_id } = await daemon.get<{ node_id: string }>('/');
  t.match(await node.next('registration'), {
    ...{ node_definition: [{ node_type: 'FUSION_NODE' }], name: `Dunlin ${node_id.slice(0, 8)}` },
    dependent_nodes: [node.id],
  });
  await node.send({ task: { ...task, command: { request: 'Status' } } });
  t.match(await node.next('status_report'), { info: 'NEW', mode: 'default' });
  t.match(
    node.of('task_ack').map(({ task_status }) => task_status),
    ['REJECTED', 'ACCEPTED', 'ACCEPTED'],
  );
  t.same(node.faults, []);
});
