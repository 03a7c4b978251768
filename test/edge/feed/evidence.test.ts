import t from 'tap';
import { Bursts } from '../../../src/edge/feed/bursts.ts';
import { EvidenceLimit } from '../../../src/edge/feed/evidence.ts';
import { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import { createMavlinkCodec } from '../../../src/edge/wire/mavlink/codec.ts';
import type { Rejection } from '../../../src/model/detection.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { Aircraft, MavlinkReceiver } from '../../support/sky/aircraft.ts';

const serial = '1581F5FKD2294B000001';
const mac = '60:60:1F:00:00:01';

t.test('of a transmitter that sends too much, some of what is refused is handed on as evidence', async (t) => {
  const sunk: [Observation, Rejection | null][] = [];
  const settings = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 50, maxSenders: 100 };
  const sink = (observation: Observation, why: Rejection | null): void => void sunk.push([observation, why]);
  const beginMs = Date.parse('2026-05-01T10:00:00Z');
  const deps = {
    settings,
    sensors: new SensorStatuses(
      (ms) => ms,
      () => beginMs,
    ),
    sink,
  };
  const link = { id: 'link', name: 'link', protocol: 'mavlink', maxMsgsPerS: 5_000, provesSender: false } as const;
  const own = { receiver: '', modality: 'remote_id' } as const;
  deps.sensors.beginLink({ id: 'link', name: 'link', silenceS: 30, own, isTrusted: false, isSerial: false });
  const feed = new LinkFeed({ ...deps, link, rows: new RowFeed(deps), bursts: new Bursts() }, beginMs);
  const codec = createMavlinkCodec({ datagrams: true });
  const receiver = new MavlinkReceiver();
  const aircraft = new Aircraft({ mac, serial });
  const [seconds, perS] = [5, 500];
  for (let i = 0; i < seconds * perS; i++) {
    const atMs = beginMs + (i * 1000) / perS;
    const bytes = receiver.pack(aircraft, aircraft.messages(aircraft.location(i / perS, atMs)));
    codec.decode(bytes, 'receiver', atMs, (message) => feed.take(message, 'receiver', atMs));
  }
  const refused = sunk.filter(([, why]) => why === 'rate');
  t.ok(refused.length >= 20 * (seconds - 1) && refused.length <= 20 * (seconds + 1), `${refused.length} reports`);
  for (const [{ identities, latDeg }] of refused) {
    t.type(latDeg, 'number');
    t.ok(identities.some(({ value }) => value === serial));
  }
});

t.test('evidence is bounded for each transmitter and for all', async (t) => {
  const limit = new EvidenceLimit();
  const { latDeg, observation } = { latDeg: 47, observation: {} };
  const of = (value: string, receivedMs: number, more: Partial<Observation> = {}): Observation =>
    ({
      ...{ ...observation, latDeg, use: 'measure', authentic: false, receivedMs },
      identities: [{ type: 'mac', value, transport: 'bt4' }],
      ...more,
    }) as Observation;
  const admitted = (reports: Observation[], why: Rejection = 'rate'): number =>
    reports.filter((report) => limit.admits(report, why)).length;
  const oneSecond = Array.from({ length: 1_000 }, (_, ms) => of('A', 1_000_000 + ms));
  t.equal(admitted(oneSecond), 4, 'four a second of one');
  const crowd = Array.from({ length: 1_000 }, (_, i) => of(`B${i}`, 1_010_000));
  t.equal(admitted(crowd), 200, 'two hundred a second of all');
  const useless = [{ latDeg: null }, { authentic: true }, { use: 'repeat' as const }, { identities: [] }];
  t.equal(admitted(useless.map((more) => of('C', 1_020_000, more))), 0, 'only what says where a claim is');
  t.equal(admitted([of('D', 1_030_000)], 'id_conflict'), 0, 'a forged address says nothing against the vehicle');
});
