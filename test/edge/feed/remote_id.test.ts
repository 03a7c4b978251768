import t from 'tap';
import { RemoteIdSender } from '../../../src/edge/feed/remote_id.ts';
import type { OdidBasicId, OdidLocation, OdidMessage, OdidSystem } from '../../../src/edge/wire/odid/message.ts';
import { mac } from '../../support/core/observation.ts';

const START = 1_680_364_800_000;

const location = (second: number, more: Partial<OdidLocation> = {}): OdidLocation => ({
  type: 'location',
  status: 2,
  latDeg: 47.2,
  lonDeg: 8.7,
  directionDeg: 84,
  speedHMps: 3,
  speedVMps: 0.5,
  altBaroM: null,
  altGeoM: null,
  heightM: 7,
  heightRef: 0,
  hAcc: 0,
  vAcc: 0,
  baroAcc: 0,
  speedAcc: 0,
  tsAcc: 0,
  secondsAfterHour: second,
  implausible: false,
  ...more,
});
const basic = (uasId: string): OdidBasicId => ({ type: 'basic_id', idType: 1, uaType: 2, uasId });
const system = (more: Partial<OdidSystem> = {}): OdidSystem => ({
  type: 'system',
  operatorLocationType: 1,
  classificationType: 0,
  operatorLatDeg: 47.1,
  operatorLonDeg: 8.6,
  areaCount: 0,
  areaRadiusM: 0,
  areaCeilingM: null,
  areaFloorM: null,
  categoryEu: 0,
  classEu: 0,
  operatorAltGeoM: null,
  timestampUnixS: null,
  implausible: false,
  ...more,
});

/** A transmitter and the times of what it sends, milliseconds after the hour. */
function sender(tag: string | null = 'AA:BB:CC:00:00:01') {
  const it = new RemoteIdSender(tag === null ? null : mac(tag), 'mavlink');
  return { it, hear: (ms: number, ...messages: OdidMessage[]) => it.take(messages, 'sensor', 'link', START + ms) };
}

t.test('nine broadcasts of one location are one observation', async (t) => {
  const { it, hear } = sender();
  let told = 0;
  for (let ms = 0; ms < 10_000; ms += 107) if (hear(ms + 500, location(Math.floor(ms / 1000)))) told++;
  t.equal(told, 10, 'one a second');
  t.equal(it.repeats, 84, 'and the rest is counted');
});

t.test("what was heard apart is joined by the transmitter's address", async (t) => {
  const { hear } = sender();
  hear(0, basic('1588E040445AC004418'), location(0), system());
  const next = hear(1000, location(1));
  t.same(
    next?.identities.map((identity) => identity.value),
    ['AA:BB:CC:00:00:01', '1588E040445AC004418'],
  );
  t.match(next?.operator, { lat: 47.1, lon: 8.6, type: 'live_gnss' });
  t.match(
    hear(62_000, location(62))?.identities.map((identity) => identity.value),
    ['AA:BB:CC:00:00:01'],
    'but not for ever',
  );
});

t.test('a height above take-off is no altitude', async (t) => {
  const observation = sender().hear(0, location(0));
  t.match(observation, { heightTakeoffM: 7, altHaeM: null, altMslM: null, altAglM: null });
  t.match(sender().hear(0, location(0, { heightRef: 1 })), { heightTakeoffM: null, altAglM: 7 });
  t.match(sender().hear(0, location(0, { altGeoM: 512 })), { altHaeM: 512 });
});

t.test('a pressure altitude alone is not taken for one', async (t) => {
  t.match(sender().hear(0, location(0, { altBaroM: 400 })), { altHaeM: null, altMslM: null });
});

t.test('a lone identity makes no contact, a second hearing does', async (t) => {
  const { hear } = sender();
  t.equal(hear(0, basic('S1')), null);
  t.match(hear(1000, basic('S1')), { report: 'identity', latDeg: null });
  t.equal(hear(1200, basic('S1')), null, 'told once a second');
  t.match(hear(2100, basic('S1')), { report: 'identity' });
});

t.test('one corrupt identity among good ones changes nothing', async (t) => {
  const { hear } = sender();
  hear(0, basic('GOOD'), location(0));
  t.notOk(hear(1000, basic('G??D'), location(1))?.identities.some((identity) => identity.value === 'G??D'));
  t.ok(hear(2000, basic('GOOD'), location(2))?.identities.some((identity) => identity.value === 'GOOD'));
});

t.test('an identity that comes after the place is told at once', async (t) => {
  const { hear } = sender();
  hear(0, location(0));
  t.match(hear(300, basic('S1')), {
    report: 'identity',
    identities: [{ type: 'mac' }, { type: 'serial', value: 'S1' }],
  });
});

t.test('impossible values place nothing', async (t) => {
  t.match(sender().hear(0, location(0, { latDeg: null, implausible: true })), { report: 'identity', latDeg: null });
  t.match(sender().hear(0, location(0), system({ operatorLatDeg: null, implausible: true })), { operator: null });
});

t.test('a take-off point is labelled as one, a live pilot as another', async (t) => {
  t.match(sender().hear(0, location(0), system({ operatorLocationType: 0 })), {
    operator: { type: 'takeoff' },
    takeoff: { lat: 47.1, lon: 8.6 },
  });
  t.match(sender().hear(0, location(0), system()), { operator: { type: 'live_gnss' }, takeoff: null });
});

t.test('accuracy classes become their bounds', async (t) => {
  t.match(sender().hear(0, location(0, { hAcc: 11, vAcc: 5, speedAcc: 3 })), {
    sigmaHM: 3,
    sigmaVM: 3,
    sigmaSpeedMps: 1,
  });
  t.match(sender().hear(0, location(0, { hAcc: 15 })), { sigmaHM: null });
});
