import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { Threat } from '../../src/model/threat.ts';
import { until } from '../support/basics/deadline.ts';
import { collectGarbage } from '../support/basics/garbage.ts';
import type { Owner } from '../support/basics/owner.ts';
import { MqttBroker } from '../support/links/mqtt_broker.ts';
import { outletTrack, type RunnerRig, startRunner } from '../support/outlet/rig.ts';

const pilot = ['47.196', '8.7288', 'FIN87'];

async function outlet(t: Owner, given: object = {}, rules = {}): Promise<{ broker: MqttBroker; rig: RunnerRig }> {
  const broker = await MqttBroker.start(t, rules);
  const rig = startRunner(t, { kind: 'mqtt', transport: 'tcp_client', address: broker.address, ...given });
  return { broker, rig };
}

const read = <T = Record<string, unknown>>(broker: MqttBroker, topic: string): T | null => {
  const kept = broker.retained.get(topic);
  return kept === undefined ? null : (JSON.parse(kept.payload) as T);
};

const threat = (level: Threat['level'], score: number): Threat =>
  ({ level, score, factors: [{ id: 'altitude', points: 5, text: 'It flies low.' }] }) as unknown as Threat;

t.test('a session has a will and says that it is online; the broker says that it went', async (t) => {
  const { broker, rig } = await outlet(t, { options: { prefix: 'site/dunlin', client_id: 'box' } });
  await broker.until('online', () => broker.retained.get('site/dunlin/status')?.payload === 'online');
  const will = { topic: 'site/dunlin/status', payload: 'offline', retain: true, qos: 1 };
  t.match(broker.connects, [{ clientId: 'box', keepaliveS: 30, will }]);
  await rig.runner.stop();
  await broker.until('offline', () => broker.retained.get('site/dunlin/status')?.payload === 'offline');
});

t.test('a track is a retained topic with its public fields, and empty at its end', async (t) => {
  const { broker, rig } = await outlet(t);
  const track = outletTrack(1);
  rig.threats.set(track.id, threat('high', 72));
  rig.put(track);
  const topic = `dunlin/track/${track.id}`;
  await broker.until('the track', () => broker.retained.has(topic));
  t.match(read(broker, topic), { number: 'T-0001', position: { lat: 47.2, lon: 8.7 }, level: 'high', score: 72 });
  const whole = JSON.stringify(broker.published);
  for (const hidden of pilot) t.notOk(whole.includes(hidden), `${hidden} stays here`);
  rig.end(track.id);
  await broker.until('its end', () => !broker.retained.has(topic));
  t.match(broker.published.filter((one) => one.topic === topic).at(-1), { payload: '', retain: true });
});

t.test('a released pilot is in the track, and a redacted identity or threat is not', async (t) => {
  const { broker, rig } = await outlet(t, { redact: [] });
  const track = outletTrack(1, { asset_id: '0190a1b2-0000-8000-8000-0000000000f2' });
  rig.put(track);
  await broker.until('the track', () => broker.retained.has(`dunlin/track/${track.id}`));
  t.match(read(broker, `dunlin/track/${track.id}`), { operator: { lat: 47.1961, operator_id: 'FIN87astrdge12k8' } });
  const other = await outlet(t, { redact: ['pilot', 'operator_id', 'takeoff', 'identity', 'threat'] });
  other.rig.threats.set(track.id, threat('high', 72));
  other.rig.put(track);
  await other.broker.until('the track', () => other.broker.retained.has(`dunlin/track/${track.id}`));
  t.match(read(other.broker, `dunlin/track/${track.id}`), {
    ...{ identities: [], asset_id: null, asset: null, level: null, score: null },
  });
});

t.test('an alert is a retained topic until it is cleared, and each change is a message', async (t) => {
  const { broker, rig } = await outlet(t);
  const base = {
    ...{
      id: 'a1',
      severity: 'critical',
      state: 'active',
      raised_at: '2026-03-04T12:00:00.000Z',
      text: 'It is inside.',
    },
    ...{ track_ids: [], steps: [] },
  } as unknown as Alert;
  await broker.until('online', () => broker.retained.has('dunlin/status'));
  rig.runner.alert(base);
  await broker.until('the alert', () => broker.retained.has('dunlin/alert/a1'));
  rig.runner.alert({ ...base, state: 'acknowledged' });
  await broker.until('its acknowledgement', () => read(broker, 'dunlin/alert/a1')?.state === 'acknowledged');
  rig.runner.alert({ ...base, state: 'cleared' });
  await broker.until('its end', () => !broker.retained.has('dunlin/alert/a1'));
  const changes = broker.published.filter(({ topic }) => topic === 'dunlin/alerts');
  t.same(
    changes.map(({ payload, retain }) => [JSON.parse(payload).state, retain]),
    [
      ['active', false],
      ['acknowledged', false],
      ['cleared', false],
    ],
  );
  rig.runner.alert({ ...base, id: 'a2', state: 'cleared' });
  t.equal(broker.published.filter(({ topic }) => topic.endsWith('a2')).length, 0, 'one that never came does not end');
});

t.test('the summary counts, names the greatest threat, and comes once a second at most', async (t) => {
  const { broker, rig } = await outlet(t);
  await broker.until('the first', () => broker.retained.has('dunlin/summary'));
  const beginMs = performance.now();
  for (const [number, level, score] of [
    [1, 'low', 20],
    [2, 'high', 70],
    [3, 'high', 75],
  ] as const) {
    const track = outletTrack(number);
    rig.threats.set(track.id, threat(level, score));
    rig.put(track);
  }
  for (let turn = 0; turn < 30; turn++) {
    rig.runner.everySecond();
    await broker.until('a turn', () => true);
  }
  await broker.until('three tracks', () => broker.retained.size >= 5);
  const isWhole = () => read(broker, 'dunlin/summary')?.tracks === 3;
  while (!isWhole()) {
    rig.runner.everySecond();
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.match(read(broker, 'dunlin/summary'), {
    ...{ tracks: 3, by_level: { none: 0, low: 1, high: 2 }, alerts: 0 },
    highest: { number: 'T-0003', level: 'high', score: 75, text: 'It flies low.', lat: 47.2, lon: 8.7 },
  });
  const count = broker.published.filter(({ topic }) => topic === 'dunlin/summary').length;
  t.ok(count <= 2 + (performance.now() - beginMs) / 1_000, `${count} summaries`);
});

t.test('Home Assistant finds one device with slots for the greatest threats', async (t) => {
  const { broker, rig } = await outlet(t, { options: { home_assistant: true, slots: 2 } });
  const node = 'dunlin_5f0c2b1e';
  const config = (component: string, key: string) => read(broker, `homeassistant/${component}/${node}_${key}/config`);
  await broker.until('the trackers', () => config('device_tracker', 'threat_2') !== null);
  for (const [component, key] of [
    ['sensor', 'tracks'],
    ['sensor', 'level'],
    ['binary_sensor', 'alert'],
  ] as const)
    t.match(config(component, key), {
      ...{ unique_id: `${node}_${key}`, availability_topic: 'dunlin/status', state_topic: 'dunlin/summary' },
      device: { identifiers: [node], sw_version: '0.1.0' },
    });
  t.equal(config('binary_sensor', 'alert')?.device_class, 'safety');
  t.match(config('device_tracker', 'threat_1'), {
    ...{ source_type: 'gps', json_attributes_topic: 'dunlin/threat/1', availability_mode: 'all' },
    availability: [{ topic: 'dunlin/status' }, { topic: 'dunlin/threat/1/status' }],
  });
  t.equal(config('device_tracker', 'threat_3'), null);
  await broker.until('an empty slot', () => broker.retained.get('dunlin/threat/1/status')?.payload === 'offline');
  const track = outletTrack(1);
  rig.threats.set(track.id, threat('high', 72));
  rig.put(track);
  const isThere = () => broker.retained.get('dunlin/threat/1/status')?.payload === 'online';
  while (!isThere()) {
    rig.runner.everySecond();
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.match(read(broker, 'dunlin/threat/1'), { latitude: 47.2, longitude: 8.7, number: 'T-0001', level: 'high' });
  t.same(broker.retained.get('dunlin/threat/2/status')?.payload, 'offline');
  rig.end(track.id);
  while (isThere()) {
    rig.runner.everySecond();
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.same(read(broker, 'dunlin/threat/1'), {}, 'no place is left');
});

t.test('a broker that acknowledges nothing is cut off, and the alert comes again', async (t) => {
  const { broker, rig } = await outlet(t, {}, { acknowledges: false });
  await broker.until('a second session', () => broker.connects.length === 2, 60_000);
  broker.rules = {};
  t.match(rig.runner.status().lastError, /accepted no message for 10 s/);
});

t.test('a broker that stops reading is cut off, and what waits for it stays small', async (t) => {
  const { broker, rig } = await outlet(t, { pace: { track_s: 0.1, max_msgs_per_s: 10_000 } });
  await broker.until('online', () => broker.retained.has('dunlin/status'));
  broker.hang();
  collectGarbage();
  const before = process.memoryUsage();
  const words = 'x'.repeat(20_000);
  const isCutOff = () => /accepted no/.test(rig.runner.status().lastError ?? '');
  for (let turn = 0; !isCutOff(); turn++) {
    const track = outletTrack(turn % 50);
    rig.threats.set(track.id, { ...threat('high', turn % 100), factors: [] });
    rig.put({ ...track, flags: [words] as never });
    // Megabytes a second fill every buffer; as fast as a processor can would burn it for the 10 s of the limit.
    await setTimeout(2);
  }
  t.match(rig.runner.status().lastError, /accepted no (data|message) for 10 s/);
  // Buffers that nothing holds go after one or two collections; what waits for the broker would stay.
  const grownBy = (): number => {
    collectGarbage();
    const { external, arrayBuffers } = process.memoryUsage();
    return external + arrayBuffers - before.external - before.arrayBuffers;
  };
  await until('under 5 MB more', () => grownBy() < 5e6, 10_000);
  t.ok(rig.runner.counts.dropped.blocked > 0);
});
