import t from 'tap';
import { readPublishes, writePublish } from '../../src/edge/wire/mqtt/publish.ts';
import type { OutletMessage, TrackView } from '../../src/model/outlet_view.ts';
import { mqttEncoder } from '../../src/outlet/mqtt.ts';
import { until } from '../support/basics/patience.ts';
import { MqttBroker } from '../support/links/mqtt_broker.ts';
import { outletTrack, startRunner } from '../support/outlet/rig.ts';

const box = { nodeId: '5f0c2b1e-7a44-4d39-9b1c-0a1b2c3d4e5f', version: '0.1.0' };
const options = { prefix: 'site/dunlin', client_id: null, home_assistant: false, slots: 4 };
const idOf = (number: number): string => `0190a1b2-0000-8000-8000-${String(number).padStart(12, '0')}`;
const retained = (topic: string): Buffer => writePublish({ topic, payload: Buffer.from('{}'), retain: true, qos: 0 });
const emptied = (messages: readonly OutletMessage[]): string[] =>
  messages
    .flatMap(({ bytes }) => readPublishes(bytes).publishes)
    .flatMap(({ topic, payload, retain }) => (retain && payload.length === 0 ? [topic] : []));

t.test('what an earlier session left is emptied a part at a time, and each topic once', async (t) => {
  const session = mqttEncoder(box, options).session(0, null);
  const left = Array.from({ length: 500 }, (_, number) => `site/dunlin/track/${idOf(number)}`);
  for (const topic of left) session?.received(retained(topic), 0);
  const turns: string[][] = [];
  for (let nowMs = 10_000; nowMs < 13_000; nowMs += 10) turns.push(emptied(session?.due(nowMs, nowMs) ?? []));
  t.ok(Math.max(...turns.map(({ length }) => length)) <= 50, 'a turn');
  t.equal(turns.filter(({ length }) => length > 0).length, 10, 'and turns are apart');
  t.same(turns.flat().sort(), left);
});

t.test('topics that are no tracks or alerts of the outlet are left alone, whatever the broker sends', async (t) => {
  const session = mqttEncoder(box, options).session(0, null);
  const own = [`site/dunlin/track/${idOf(1)}`, `site/dunlin/alert/${idOf(2)}`];
  const others = [
    ...['home/door', 'site/dunlin/status', 'site/dunlin/track/', 'site/dunlin/track/door', 'site/dunlin/alert/1'],
    ...[`site/dunlin/track/${idOf(3)}/x`, `other/track/${idOf(4)}`, `site/dunlin/slot/${idOf(5)}`, `track/${idOf(6)}`],
  ];
  for (const topic of [...others, ...own]) session?.received(retained(topic), 0);
  t.same(emptied(session?.due(10_000, 10_000) ?? []), own);
});

t.test('what ended while the broker was away is emptied there, and what goes on is not', async (t) => {
  const encoder = mqttEncoder(box, options);
  const viewOf = (number: number): TrackView =>
    ({
      ...{ track: { ...outletTrack(number), id: idOf(number) }, threat: null, asset: null },
      ...{ sensors: [], isFriend: false },
    }) as unknown as TrackView;
  encoder.session(0, null);
  encoder.track(viewOf(1), 0);
  encoder.track(viewOf(2), 0);
  const session = encoder.session(20_000, null);
  encoder.track(viewOf(2), 20_000);
  const summary = (messages: readonly OutletMessage[]) =>
    messages.flatMap(({ bytes }) => readPublishes(bytes).publishes).find(({ topic }) => topic.endsWith('/summary'));
  const first = session?.due(20_001, 0) ?? [];
  t.match(JSON.parse(summary(first)?.payload.toString() ?? '{}'), { tracks: 1 }, 'the summary counts no ghost');
  t.same(emptied(first), []);
  t.same(emptied(session?.due(30_000, 0) ?? []), [`site/dunlin/track/${idOf(1)}`]);
});

t.test('an outlet that is removed leaves no retained topic but its status', async (t) => {
  const broker = await MqttBroker.start(t);
  const left = `dunlin/track/${idOf(9)}`;
  broker.publish(left, '{}', { retain: true });
  broker.publish('home/door', 'open', { retain: true });
  const given = { kind: 'mqtt', transport: 'tcp_client', address: broker.address };
  const rig = startRunner(t, { ...given, options: { home_assistant: true, slots: 1 } });
  for (const number of [1, 2, 3]) rig.put(outletTrack(number));
  await broker.until('the tracks', () => broker.retained.has(`dunlin/track/${outletTrack(3).id}`));
  await broker.until('a slot', () => broker.retained.has('dunlin/threat/1/status'));
  await broker.until('the reading of leftovers', () => broker.filters.includes('dunlin/track/+'));
  // The broker acknowledges a later publish behind the retained messages that it sends.
  await until(async () => (await rig.runner.test().catch(() => 0)) === 1, 'a test item');
  const beginMs = performance.now();
  await rig.runner.retire();
  t.ok(performance.now() - beginMs < 10_000, 'soon');
  t.notOk(rig.notes.some((note) => note.includes('kept')));
  await broker.until('the will', () => broker.retained.get('dunlin/status')?.payload === 'offline');
  t.same([...broker.retained.keys()].sort(), ['dunlin/status', 'home/door']);
  t.same(broker.faults, []);
});

t.test('a broker that acknowledges nothing delays the removal of an outlet by a few seconds alone', async (t) => {
  const broker = await MqttBroker.start(t);
  const rig = startRunner(t, { kind: 'mqtt', transport: 'tcp_client', address: broker.address });
  rig.put(outletTrack(1));
  await broker.until('the track', () => broker.retained.has(`dunlin/track/${outletTrack(1).id}`));
  broker.hang();
  const beginMs = performance.now();
  await rig.runner.retire();
  t.ok(performance.now() - beginMs < 8_000);
  t.match(rig.notes.at(-1), /^kept .* may keep \d+ retained messages of it$/);
});

t.test('an outlet that is removed while its broker is gone says how many messages stay there', async (t) => {
  const broker = await MqttBroker.start(t);
  const rig = startRunner(t, { kind: 'mqtt', transport: 'tcp_client', address: broker.address });
  rig.put(outletTrack(1));
  await broker.until('the track', () => broker.retained.has(`dunlin/track/${outletTrack(1).id}`));
  await broker.stop();
  await until(async () => rig.runner.status().state === 'backoff', 'the loss of the broker');
  await rig.runner.retire();
  t.match(rig.notes.at(-1), /^kept .* may keep \d+ retained messages? of it$/);
});
