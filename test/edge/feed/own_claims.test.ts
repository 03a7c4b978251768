import t from 'tap';
import { Bursts } from '../../../src/edge/feed/bursts.ts';
import { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import { createMavlinkCodec } from '../../../src/edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import { writeHeartbeat } from '../../../src/edge/wire/mavlink/write.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { writeOdidPack } from '../../support/links/odid25.ts';
import { Aircraft } from '../../support/sky/aircraft.ts';

const beginMs = Date.parse('2026-05-01T10:00:00Z');
const home = '10.0.0.3:14550';
const elsewhere = '10.0.0.66:14550';

/** A link whose receiver 1/236 hands on reports without an address; `has` is the number of contacts and own claims. */
function openLink() {
  const sunk: Observation[] = [];
  const settings = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 50, maxSenders: 100 };
  const sensors = new SensorStatuses(
    (ms) => ms,
    () => beginMs,
  );
  const base = { settings, sensors, sink: (o: Observation) => void sunk.push(o) };
  const own = { receiver: '', modality: 'remote_id' } as const;
  sensors.beginLink({ id: 'rid', name: 'rid', silenceS: 30, own, isTrusted: false, isSerial: false });
  const link = { id: 'rid', name: 'rid', protocol: 'mavlink', maxMsgsPerS: 5_000, provesSender: false } as const;
  const feed = new LinkFeed({ ...base, rows: new RowFeed(base), link, bursts: new Bursts() }, beginMs);
  const codec = createMavlinkCodec({ datagrams: true });
  const send = (bytes: Buffer, from: string, second: number, isSigned = false): void => {
    const atMs = beginMs + second * 1_000;
    codec.decode(bytes, from, atMs, (message) => feed.take({ ...message, signed: isSigned }, from, atMs));
  };
  const has = () => ({ contacts: sunk.length, ownClaims: feed.ownClaims });
  return { send, has };
}

const aircraft = new Aircraft({ mac: '60:60:1F:00:00:01', serial: '1581F5FKD2294B000001' });
const receiver = new MavlinkEncoder({ sysid: 1, compid: 236 });
const report = (second: number): Buffer =>
  receiver.encode(writeOdidPack(null, aircraft.messages(aircraft.location(second, beginMs + second * 1_000))));
const autopilot = new MavlinkEncoder({ sysid: 1, compid: 1 });
const heartbeat = (): Buffer =>
  autopilot.encode(
    writeHeartbeat({ type: 2, autopilot: 3, baseMode: 0, customMode: 0, systemStatus: 4, mavlinkVersion: 3 }),
  );

t.test('an autopilot makes reports of its system own claims, but not those of another host', async (t) => {
  const { send, has } = openLink();
  send(heartbeat(), elsewhere, 0);
  send(report(1), home, 1);
  t.same(has(), { contacts: 1, ownClaims: 0 });
  send(heartbeat(), '10.0.0.3:40001', 2);
  send(report(3), home, 3);
  t.same(has(), { contacts: 1, ownClaims: 1 }, 'another port of the host may be of the same system');
});

t.test('a system whose autopilot was silent for a minute has none', async (t) => {
  const { send, has } = openLink();
  for (let s = 0; s < 5; s++) send(heartbeat(), home, s);
  for (let s = 5; s <= 63; s++) send(report(s), home, s);
  t.same(has(), { contacts: 0, ownClaims: 59 });
  send(report(64), home, 64);
  t.same(has(), { contacts: 1, ownClaims: 59 }, 'reports of the system are no heartbeats');
});

t.test('an unsigned heartbeat makes no signed report an own claim', async (t) => {
  const { send, has } = openLink();
  send(heartbeat(), home, 0);
  send(report(1), home, 1, true);
  t.same(has(), { contacts: 1, ownClaims: 0 });
  send(heartbeat(), home, 2, true);
  send(heartbeat(), home, 3);
  send(report(4), home, 4, true);
  t.same(has(), { contacts: 1, ownClaims: 1 });
});
