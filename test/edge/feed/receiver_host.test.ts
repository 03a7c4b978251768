import t from 'tap';
import { Bursts } from '../../../src/edge/feed/bursts.ts';
import { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import { createMavlinkCodec } from '../../../src/edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import { writeHeartbeat } from '../../../src/edge/wire/mavlink/write.ts';
import type { Observation } from '../../../src/model/observation.ts';
import type { Sensor } from '../../../src/model/sensor.ts';
import { Aircraft, MavlinkReceiver } from '../../support/sky/aircraft.ts';

const beginMs = Date.parse('2026-05-01T10:00:00Z');
const home = '10.0.0.3:14550';
const elsewhere = '10.0.0.66:14550';
const silenceS = 30;

/** An open link as the daemon runs it, fed with datagrams at times of the test's own. */
function openLink() {
  let nowMs = beginMs;
  const sunk: Observation[] = [];
  const settings = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 50, maxSenders: 100 };
  const sensors = new SensorStatuses(
    (ms) => ms,
    () => nowMs,
  );
  const base = { settings, sensors, sink: (o: Observation) => void sunk.push(o) };
  const deps = { ...base, rows: new RowFeed(base) };
  const own = { receiver: '', modality: 'remote_id' } as const;
  sensors.beginLink({ id: 'rid', name: 'rid', silenceS, own, isTrusted: false, isSerial: false });
  sensors.linkUp('rid', { state: 'open', hasCarrier: false });
  const link = { id: 'rid', name: 'rid', protocol: 'mavlink', maxMsgsPerS: 5_000, provesSender: false } as const;
  const feed = new LinkFeed({ ...deps, link, bursts: new Bursts() }, beginMs);
  const codec = createMavlinkCodec({ datagrams: true });
  const send = (bytes: Buffer, from: string, second: number): void => {
    nowMs = beginMs + second * 1_000;
    codec.decode(bytes, from, nowMs, (message) => feed.take(message, from, nowMs));
    sensors.linkAlive('rid', nowMs);
    sensors.sweep(nowMs);
  };
  const row = (second: number): Sensor | undefined => {
    nowMs = beginMs + second * 1_000;
    return sensors.list(nowMs).find(({ name }) => name === 'rid 3/236');
  };
  const id = (): string => sensors.all().find(({ name }) => name === 'rid 3/236')?.id ?? '';
  return { sensors, rows: deps.rows, sunk, send, row, id, places: () => sensors.placesOf('rid') };
}

/** What a receiver 3/236 sends: a heartbeat of a kind, and a report of an aircraft. */
const encoder = new MavlinkEncoder({ sysid: 3, compid: 236 });
const heartbeat = (type: number): Buffer =>
  encoder.encode(
    writeHeartbeat({ type, autopilot: 8, baseMode: 0, customMode: 0, systemStatus: 4, mavlinkVersion: 3 }),
  );
const receiver = new MavlinkReceiver(3, 236);
const aircraft = new Aircraft({ mac: '60:60:1F:00:00:01', serial: '1581F5FKD2294B000001' });
const report = (second: number): Buffer =>
  receiver.pack(aircraft, aircraft.messages(aircraft.location(second, beginMs + second * 1_000)));
const kinds: Record<string, (second: number) => Buffer> = {
  reports: report,
  'heartbeats of a receiver': () => heartbeat(34),
  'heartbeats of a ground station': () => heartbeat(6),
};

for (const [kind, bytes] of Object.entries(kinds)) {
  t.test(`a dead receiver is silent while a neighbour sends ${kind} by its name`, async (t) => {
    const { send, row, places } = openLink();
    for (let s = 0; s <= 40; s++) send(report(s), home, s);
    t.match(row(40), { trust: 'proven', state: 'operational' });
    for (let s = 41; s <= 72; s++) send(bytes(s), elsewhere, s);
    t.match(row(72), { trust: 'proven', state: 'silent', rejects: { other_host: 32 } });
    t.equal(places()?.contested, 32, 'each is counted');
  });
}

t.test('reports by its name from another host are those of the link, not of the receiver', async (t) => {
  const { send, sunk, sensors, id } = openLink();
  for (let s = 0; s <= 40; s++) send(report(s), home, s);
  const before = sunk.length;
  for (let s = 41; s <= 50; s++) {
    send(report(s), elsewhere, s);
    send(heartbeat(34), home, s);
  }
  const later = sunk.slice(before);
  t.equal(later.length, 10, 'they are kept');
  t.notOk(later.some(({ sensorId }) => sensorId === id()));
  t.notOk(later.some(({ sensorId }) => sensors.isProven(sensorId)));
  t.equal(sensors.stateOf(id(), beginMs + 50_000), 'operational', 'it lives by what it sends itself');
});

t.test('a receiver whose address changed comes back after its deadline, proven like any newcomer', async (t) => {
  const { send, row, id, sunk, places } = openLink();
  for (let s = 0; s <= 40; s++) send(report(s), home, s);
  for (let s = 41; s <= 100; s++) send(report(s), elsewhere, s);
  t.match(row(100), { state: 'silent' }, 'half a minute from one host, after its deadline');
  for (let s = 101; s <= 102; s++) send(report(s), elsewhere, s);
  t.match(row(102), { state: 'operational', trust: 'proven' });
  t.equal(sunk.at(-1)?.sensorId, id());
  t.ok(places()?.isFromProven('3/236', elsewhere));
  send(report(103), home, 103);
  t.notOk(places()?.isFromProven('3/236', home), 'its former host is another now');
});

t.test('a receiver that speaks again ends the proof of another host', async (t) => {
  const { send, row } = openLink();
  for (let s = 0; s <= 40; s++) send(report(s), home, s);
  for (let s = 41; s <= 90; s++) send(report(s), elsewhere, s);
  send(report(91), home, 91);
  for (let s = 92; s <= 140; s++) send(report(s), elsewhere, s);
  t.match(row(140), { state: 'silent' });
});

t.test('a steady new host proves itself in its 30 s whatever other hosts send by the name', async (t) => {
  const others: Record<string, (s: number) => string[]> = {
    'one host each 10 s': (s) => (s % 10 === 0 ? ['10.0.0.99:1'] : []),
    'one host each second': () => ['10.0.0.99:1'],
    'fifteen hosts by turns': (s) => Array.from({ length: 15 }, (_, i) => `10.0.${s % 200}.${i}:1`),
  };
  for (const [who, froms] of Object.entries(others)) {
    const { send, row, places } = openLink();
    for (let s = 0; s <= 40; s++) send(report(s), home, s);
    for (let s = 72; s <= 102; s++) {
      send(report(s), elsewhere, s);
      for (const from of froms(s)) send(heartbeat(34), from, s);
    }
    t.match(row(102), { state: 'operational' }, who);
    t.ok(places()?.isFromProven('3/236', elsewhere), who);
  }
});

t.test('a host that pauses beyond the deadline begins its proof anew', async (t) => {
  const { send, row } = openLink();
  for (let s = 0; s <= 40; s++) send(report(s), home, s);
  for (const s of [72, 73, 104, 110]) send(report(s), elsewhere, s);
  t.match(row(110), { state: 'silent' });
  for (let s = 111; s <= 134; s++) send(report(s), elsewhere, s);
  t.match(row(134), { state: 'operational' });
});

t.test('a signed message comes from its receiver wherever it comes from', async (t) => {
  const { sensors, send, row } = openLink();
  for (let s = 0; s <= 40; s++) send(report(s), home, s);
  const origin = { from: elsewhere, isSigned: true };
  const id = sensors.receivedOn('rid', '3/236', 'remote_id', beginMs + 41_000, origin);
  t.equal(id, row(41)?.id);
  t.equal(sensors.placesOf('rid')?.contested, 0);
});

t.test('rows of another link are none of a receiver, by its name or its id', async (t) => {
  const { send, rows, row, id } = openLink();
  for (let s = 0; s <= 40; s++) send(report(s), home, s);
  for (const sensorId of ['rid 3/236', id()]) {
    const outcome = rows.take({ sensor_id: sensorId, report: 'presence' }, 'other', beginMs + 60_000);
    t.match(outcome, { error: /^'sensor_id' names rid 3\/236, a receiver of another link/ }, sensorId);
  }
  t.match(row(71), { state: 'silent' });
  t.equal(rows.take({ sensor_id: id(), report: 'presence' }, null, beginMs + 72_000), 'accepted', 'over HTTP');
});
