import t from 'tap';
import { readCredentials } from '../../src/edge/link/tls/credentials.ts';
import type { Health } from '../../src/model/health.ts';
import type { Threat } from '../../src/model/threat.ts';
import { until } from '../support/basics/patience.ts';
import { outletTrack } from '../support/outlet/rig.ts';
import { below, boxId, infos, systems, turning } from '../support/sapient/below.ts';
import { ulid } from '../support/sapient/node.ts';
import { client, demanding } from '../support/tls/certificates.ts';

const threat = { level: 'high', score: 72, factors: [] } as unknown as Threat;

t.test('a session has a registration, a status, tracks, the end of one, and a goodbye', async (t) => {
  const { parent, rig } = await below(t, { outlet: { options: { name: 'Hill', short_name: 'HILL' } } });
  const { body: registration, nodeId } = await parent.next('registration');
  t.equal(nodeId, boxId);
  t.match(registration, {
    ...{ icd_version: 'BSI Flex 335 v2.0', name: 'Hill', short_name: 'HILL' },
    node_definition: [{ node_type: 20 }],
    status_definition: { status_interval: { units: 4, value: 5 } },
    mode_definition: [{ mode_name: 'default', mode_type: 3, settle_time: { units: 4, value: 1 } }],
  });
  t.match((await parent.next('status_report')).body, { system: systems.ok, info: infos.new, mode: 'default' });
  const track = outletTrack(1);
  rig.threats.set(track.id, threat);
  rig.put(track);
  const { body: report } = await parent.next('detection_report');
  t.match(report, {
    ...{ state: 'confirmed', location: { x: 8.7, y: 47.2, z: 600, x_error: 9.2, y_error: 9.2, z_error: 14 } },
    classification: [{ type: 'Air Vehicle', sub_class: [{ type: 'UAV Rotary Wing', level: 1 }] }],
    object_info: [
      ...[{ type: 'affiliation', value: 'unknown' }, { type: 'affiliation basis' }],
      ...[
        { type: 'threat level', value: 'high' },
        { type: 'threat score', value: '72' },
      ],
    ],
  });
  rig.end(track.id);
  const { body: last } = await parent.next('detection_report', ({ state }) => state === 'lost');
  t.equal(last.object_id, report.object_id, 'one object from first to last');
  t.not(last.report_id, report.report_id);
  t.equal(last.enu_velocity, undefined);
  await rig.runner.stop();
  const goodbye = await parent.next('status_report', ({ system }) => system === systems.goodbye);
  t.equal(goodbye.body.info, infos.new);
  t.equal(parent.child?.arrived.at(-1)?.body, goodbye.body, 'nothing follows it');
  t.same(parent.faults, []);
  t.equal(parent.count('registration'), 1);
});

t.test('many tracks leave in turns: each has one time, and turns are 80 ms apart at least', async (t) => {
  const { parent, rig } = await below(t, { outlet: { pace: { track_s: 0.1, max_msgs_per_s: 10_000 } } });
  await parent.next('status_report');
  for (let round = 0; parent.count('detection_report') < 2_000; round++) {
    for (let i = 0; i < 100; i++) rig.put(outletTrack(i, { quality: round % 16 }));
    const before = parent.count('detection_report');
    await until(async () => parent.count('detection_report') > before, 'more reports');
  }
  const times = new Set(parent.child?.of('detection_report').map(({ utcMs }) => utcMs));
  t.ok(times.size < 400, `${times.size} times of ${parent.count('detection_report')} reports`);
  t.same(parent.faults, []);
});

t.test('a change of health is a new status, and an unchanged one each 5 s has its state', async (t) => {
  let health: Health = { healthy: true, parts: [] };
  const place = { lat: 47.1, lon: 8.6, altHaeM: 480 };
  const { parent, rig } = await below(t, { picture: { health: () => health, place: () => place } });
  t.match((await parent.next('status_report')).body, {
    ...{ system: systems.ok, node_location: { x: 8.6, y: 47.1, z: 480 } },
  });
  const part = { name: 'links', state: 'degraded', needed: false, text: '1 of 2 open' } as const;
  health = { healthy: true, parts: [part] };
  rig.clock.leapMs += 1_000;
  rig.runner.everySecond();
  t.match((await parent.next('status_report', () => true, 1)).body, {
    ...{ system: systems.warning, info: infos.new, status: [{ status_value: 'links: 1 of 2 open' }] },
  });
  health = { healthy: true, parts: [{ ...part, text: '0 of 2 open' }] };
  for (let second = 0; second < 4; second++) {
    rig.clock.leapMs += 1_000;
    rig.runner.everySecond();
  }
  rig.clock.leapMs += 1_000;
  await turning(rig, () => parent.count('status_report') > 2, 'the next status');
  t.match((await parent.next('status_report', () => true, 2)).body, { system: systems.warning, info: infos.unchanged });
  health = { healthy: false, parts: [{ ...part, name: 'core', state: 'down', needed: true }] };
  rig.clock.leapMs += 1_000;
  rig.runner.everySecond();
  await parent.next('status_report', ({ system, info }) => system === systems.error && info === infos.new);
  t.equal(parent.count('status_report'), 4, 'a changed text alone is no news');
  t.same(parent.faults, []);
});

t.test('a node below that takes the id of the node above is not named as one that this box depends on', async (t) => {
  const honest = crypto.randomUUID();
  const nodes = [honest];
  const { parent } = await below(t, { picture: { sapientNodes: () => nodes } });
  await parent.next('status_report');
  nodes.push(parent.id);
  parent.child?.send({ task: { task_id: ulid(), control: 'START', command: { request: 'Registration' } } });
  const { body } = await parent.next('registration', () => true, 1);
  t.same(body.dependent_nodes, [honest]);
});

t.test('sensors that register later are dependent nodes in another registration, with a status after it', async (t) => {
  const nodes: string[] = [];
  const { parent, rig } = await below(t, { picture: { sapientNodes: () => nodes } });
  await parent.next('status_report');
  nodes.push('0a1b2c3d-7a44-4d39-9b1c-0a1b2c3d4e5f');
  rig.clock.leapMs += 11_000;
  rig.runner.everySecond();
  const { body } = await parent.next('registration', () => true, 1);
  t.same(body.dependent_nodes, nodes);
  await parent.next('status_report', ({ info }) => info === infos.new, 1);
  t.same(parent.faults, []);
  t.equal(parent.connections.length, 1);
});

t.test(
  'a clock that is set back makes the connection anew, and one that is not trusted is the last error',
  async (t) => {
    const { parent, rig } = await below(t, { picture: { isClockTrusted: () => false } });
    await parent.next('status_report');
    t.match(rig.runner.trouble(), /clock of this box is not trusted/);
    rig.clock.aheadMs = -5_000;
    parent.aheadMs = -5_000;
    rig.put(outletTrack(1));
    await parent.next('detection_report');
    t.equal(parent.connections.length, 2);
    t.match(rig.notes.join('\n'), /is down: the clock of this box was set back/);
    t.same(parent.faults, []);
  },
);

t.test('after a lost connection the node above gets the registration, then each track again', async (t) => {
  const { parent, rig } = await below(t, { faster: 10 });
  await parent.next('status_report');
  for (const number of [1, 2, 3]) rig.put(outletTrack(number));
  await until(async () => parent.count('detection_report') === 3, 'the tracks');
  parent.child?.close();
  await until(async () => parent.connections.length === 2, 'another connection');
  await until(async () => parent.child?.of('detection_report').length === 3, 'the tracks again');
  const kinds = parent.child?.arrived.map(({ kind }) => kind);
  t.same(kinds?.slice(0, 2), ['registration', 'status_report']);
  t.same(parent.faults, []);
});

t.test('over TLS the session is the same, with a certificate of the box, and ends with a goodbye', async (t) => {
  const credentials = await readCredentials(client('client'));
  const outlet = { transport: 'tls_client', tls: { server_name: 'tak.example', verify: 'full' } };
  const { parent, rig } = await below(t, { outlet, tls: demanding, credentials });
  await parent.next('status_report');
  rig.put(outletTrack(1));
  await parent.next('detection_report');
  await rig.runner.stop();
  await parent.next('status_report', ({ system }) => system === systems.goodbye);
  t.same(parent.faults, []);
});
