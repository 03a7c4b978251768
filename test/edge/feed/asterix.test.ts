import t from 'tap';
import { Bursts } from '../../../src/edge/feed/bursts.ts';
import { LinkFeed } from '../../../src/edge/feed/link_feed.ts';
import { RowFeed } from '../../../src/edge/feed/row_feed.ts';
import { type SensorIdentity, SensorStatuses } from '../../../src/edge/feed/sensor_statuses.ts';
import { createAsterixCodec } from '../../../src/edge/wire/asterix/codec.ts';
import type { LinkOptions } from '../../../src/model/link_options.ts';
import type { Observation } from '../../../src/model/observation.ts';
import type { Sensor } from '../../../src/model/sensor.ts';
import {
  asterixBlock,
  asterixRecord,
  northRecord,
  plotRecord,
  trackRecord,
  wide,
} from '../../support/links/asterix_blocks.ts';

const midnightMs = Date.parse('2026-03-04T00:00:00Z');
const noonS = 43_200;
const site = { lat: 47.2, lon: 8.73, altMslM: 565 };

/** An ASTERIX link as the daemon runs it, fed at times of the test's own, in seconds of the day. */
function openLink(options: LinkOptions = {}) {
  let nowMs = midnightMs + noonS * 1_000;
  const sunk: Observation[] = [];
  const settings = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 200, maxSenders: 100 };
  const sensors = new SensorStatuses(
    (ms) => ms,
    () => nowMs,
  );
  const base = { settings, sensors, sink: (o: Observation) => void sunk.push(o) };
  const own = { receiver: '', modality: 'radar' } as const;
  sensors.beginLink({ id: 'l', name: 'mast', silenceS: 30, own, isTrusted: false, isSerial: false });
  sensors.linkUp('l', { state: 'open', hasCarrier: false });
  const link = {
    id: 'l',
    name: 'mast',
    protocol: 'asterix',
    maxMsgsPerS: 5_000,
    provesSender: false,
    options,
  } as const;
  const feed = new LinkFeed({ ...base, rows: new RowFeed(base), link, bursts: new Bursts() }, nowMs);
  const codec = createAsterixCodec({ datagrams: true, options });
  /** Feeds blocks at a second of the day, and returns the observations that they make. */
  const send = (second: number, ...blocks: Buffer[]): Observation[] => {
    nowMs = midnightMs + second * 1_000;
    const before = sunk.length;
    for (const block of blocks)
      codec.decode(block, '10.0.0.3:8600', nowMs, (m) => feed.take(m, '10.0.0.3:8600', nowMs));
    return sunk.slice(before);
  };
  const sensor = (name = 'mast 204/17'): Sensor | undefined => sensors.list(nowMs).find((row) => row.name === name);
  return { sensors, send, sensor, feed, codec };
}

const plot = { timeS: noonS, rangeM: 2_600, azimuthDeg: 72.2, track: 11 };
const plots = (...more: object[]): Buffer => asterixBlock(48, ...more.map((one) => plotRecord({ ...plot, ...one })));
const north = (timeS: number, more: object = {}): Buffer => asterixBlock(34, northRecord({ timeS, ...more }));
const near = (a: number | null | undefined, b: number, within: number): boolean =>
  Math.abs((a ?? Number.NaN) - b) <= within;

t.test('a plot is range and bearing with the radar’s number, and never finer than its steps', async (t) => {
  const { send, sensor } = openLink();
  const [seen] = send(noonS + 0.4, plots({}));
  t.match(seen, {
    ...{ report: 'range_bearing', latDeg: null, elevationDeg: null, sigmaRangeM: 15, sigmaAzimuthDeg: 0.5 },
    identities: [{ type: 'external', value: '204/17#11', transport: 'network' }],
  });
  t.equal(seen?.sourceMs, midnightMs + noonS * 1_000);
  t.match(sensor(), { modality: 'radar', state: 'operational' });
});

t.test('declared standard deviations hold, down to those of the steps', async (t) => {
  const { send, sensors, sensor } = openLink();
  send(noonS, plots({}));
  const sigma = { range_m: 0.5, azimuth_deg: 0.0001, elevation_deg: 0.01 };
  const placement = { lat: 47.2, lon: 8.73, alt_hae_m: 600 };
  const settings = { heartbeatS: null, quietOk: false, placement, detection: { sigma } };
  sensors.set(sensor()?.id ?? '', settings, { version: 2, updatedAt: '' });
  const [fine] = send(noonS + 2, plots({ timeS: noonS + 2, altMslM: 650 }));
  t.ok(near(fine?.sigmaRangeM, 2.09, 0.01) && near(fine?.sigmaAzimuthDeg, 0.0016, 0.0001));
  t.ok(near(fine?.sigmaElevationDeg, (2.2 / 2_600) * 57.3, 0.002), '2.2 m across at 2600 m');
});

t.test('a height is an elevation over a round earth, and none without the radar’s own height', async (t) => {
  const { send } = openLink();
  const far = { rangeM: 60_000, altMslM: 565 };
  t.match(send(noonS, plots(far))[0], { elevationDeg: null, sigmaElevationDeg: null });
  send(noonS + 1, north(noonS + 1, { site }));
  const [level] = send(noonS + 2, plots({ ...far, timeS: noonS + 2 }));
  t.ok(
    near(level?.elevationDeg, -0.27, 0.01),
    `${level?.elevationDeg}: a target at the radar’s height lies below its horizon`,
  );
  const [above] = send(noonS + 3, plots({ timeS: noonS + 3, rangeM: 2_600, altMslM: 565 + 450 }));
  t.ok(near(above?.elevationDeg, 9.96, 0.1), `${above?.elevationDeg}`);
});

t.test('codes classify the target; what is no target is refused', async (t) => {
  const { send, feed } = openLink();
  const kindOf = (codes: number[]) => send(noonS, plots({ codes }))[0];
  t.match(kindOf([19]), { classification: [{ type: 'bird', confidence: 0.8 }] });
  t.match(kindOf([24]), { classification: [{ type: 'helicopter', confidence: 0.7 }] });
  t.match(kindOf([6]), { classification: [{ type: 'vehicle', confidence: 0.6 }] });
  t.match(kindOf([23]), { classification: [], confidence: 0.3 });
  for (const code of [1, 2, 4, 5, 10]) t.equal(kindOf([code]), undefined, `code ${code}`);
  t.equal(feed.implausible, 5);
  t.match(send(noonS, plots({ status: [0x80] }))[0], { confidence: 0.5 });
});

t.test(
  'a guess of the radar is no observation, and a number that ended is another track’s when it comes again',
  async (t) => {
    const { send } = openLink();
    t.same(send(noonS, plots({ descriptor: [0x00] })), []);
    const nameAt = (second: number, more: object = {}) =>
      send(second, plots({ timeS: second, ...more }))[0]?.identities[0]?.value;
    t.equal(nameAt(noonS + 2), '204/17#11');
    t.equal(nameAt(noonS + 61), '204/17#11', 'silent for 59 s');
    t.equal(nameAt(noonS + 122), '204/17#11+1', 'silent for 61 s');
    t.equal(nameAt(noonS + 124, { status: [0x01, 0x80] }), '204/17#11+1', 'its last report');
    t.equal(nameAt(noonS + 126), '204/17#11+2');
  },
);

t.test('each passage of north begins a turn, also where the turn saw nothing', async (t) => {
  const { send, sensor, sensors } = openLink();
  t.same(send(noonS, north(noonS)), [], 'the first interval is not known yet');
  const [begun] = send(noonS + 2, north(noonS + 2));
  t.match(begun, { use: 'scan', scan: 2, timeMs: midnightMs + (noonS + 2) * 1_000 });
  t.match(sensor(), { detection: { rotating: true, period_s: 2 }, state: 'operational' });
  const seen = send(noonS + 3, plots({ timeS: noonS + 2.4 }, { timeS: noonS + 2.9, track: 12 }));
  t.same(
    seen.map(({ scan }) => scan),
    [2, 2],
    'plots between two norths are of one turn',
  );
  t.match(send(noonS + 4, north(noonS + 4)), [{ use: 'scan', scan: 3 }]);
  t.match(send(noonS + 4, north(noonS + 4, { type: 2 })), [], 'a sector is only a sign of life');
  let changes = 0;
  sensors.changed.add(() => changes++);
  for (let turn = 3; turn < 20; turn++) send(noonS + 2 * turn, north(noonS + 2 * turn, { turnS: 2.01 }));
  t.equal(changes, 0, 'a turn that varies a little changes no sensor');
});

t.test('a radar places itself where no person did, and a person’s place holds', async (t) => {
  const { send, sensors, sensor } = openLink();
  send(noonS, north(noonS, { site }));
  const placed = sensor()?.placement;
  t.ok(
    near(placed?.lat, 47.2, 1e-4) && near(placed?.alt_hae_m, 565 + 47, 3),
    'sea level is some 47 m above the ellipsoid',
  );
  const placement = { lat: 46, lon: 7, alt_hae_m: 10 };
  sensors.set(
    sensor()?.id ?? '',
    { heartbeatS: null, quietOk: false, placement, detection: null },
    { version: 2, updatedAt: '' },
  );
  send(noonS + 20, north(noonS + 20, { site: { ...site, lat: 48 } }));
  t.same(sensor()?.placement, placement);
});

t.test('a radar that calls its data unusable is at fault until it takes that back', async (t) => {
  const { send, sensor } = openLink();
  send(noonS, north(noonS, { isNoGo: true }));
  t.match(sensor(), { state: 'fault', reasons: ['the radar reports that its data must not be used'] });
  send(noonS + 2, north(noonS + 2));
  t.match(sensor(), { state: 'fault' }, 'a message without its condition changes nothing');
  send(noonS + 4, north(noonS + 4, { isNoGo: false }));
  t.match(sensor(), { state: 'operational' });
  const tracker = (nogo: number) =>
    asterixBlock(
      65,
      asterixRecord([
        [0, [204, 50]],
        [1, [1]],
        [3, wide(0, 3)],
        [5, [nogo << 6]],
      ]),
    );
  send(noonS, tracker(1));
  t.match(sensor('mast 204/50'), { modality: 'external', state: 'degraded' });
  send(noonS, tracker(0));
  t.match(sensor('mast 204/50'), { state: 'operational' });
  const behind = (sic: number, con: number) =>
    asterixBlock(
      63,
      asterixRecord([
        [0, [204, 50]],
        [3, [204, sic]],
        [4, [con << 6]],
      ]),
    );
  send(noonS, behind(18, 3), behind(19, 0));
  t.match(sensor('mast 204/50')?.reasons, [/204\/18/], 'one of its radars is not connected');
  send(noonS, behind(18, 0));
  t.match(sensor('mast 204/50'), { state: 'operational' });
});

t.test('a source whose records are misread is at fault, and names the reason', async (t) => {
  const { send, sensor, feed } = openLink();
  const track = (lat: number) => asterixBlock(62, trackRecord({ timeS: noonS, track: 1, lat, lon: 8.7 }));
  const wrong = asterixBlock(
    62,
    asterixRecord([
      [0, [204, 50]],
      [4, [...wide(2 ** 30, 4), 0, 0, 0, 0]],
      [11, [0, 1]],
      [12, [0]],
    ]),
  );
  for (let n = 0; n < 40; n++) send(noonS + n, n % 6 === 0 ? wrong : track(47.2));
  t.match(sensor('mast 204/50'), { state: 'operational' }, 'one in six is no fault');
  for (let n = 40; n < 60; n++) send(noonS + n, wrong);
  t.match(sensor('mast 204/50'), { state: 'fault', reasons: [/options\.editions/] });
  t.equal(feed.implausible, 27);
  for (let n = 60; n < 120; n++) send(noonS + n, track(47.2));
  t.match(sensor('mast 204/50'), { state: 'operational' });
});

t.test('a system track is a place with its number; one that coasts is none', async (t) => {
  const { send } = openLink();
  const track = { timeS: noonS, track: 4711, lat: 47.2, lon: 8.74, eastMps: 3, northMps: -4 };
  const [seen] = send(noonS + 0.2, asterixBlock(62, trackRecord({ ...track, altHaeM: 625, icao24: 0x4b5c6d })));
  t.match(seen, {
    ...{ report: 'position', speedMps: 5, sigmaHM: 50, scan: null },
    identities: [
      { type: 'external', value: '204/50#4711' },
      { type: 'icao24', value: '4B5C6D' },
    ],
  });
  t.ok(near(seen?.courseDeg, 143.13, 0.01) && near(seen?.altHaeM, 625, 1));
  t.same(send(noonS, asterixBlock(62, trackRecord({ ...track, ageS: 3 }))), []);
  t.same(send(noonS, asterixBlock(62, trackRecord({ ...track, status: [0x01, 0x40] }))), []);
  t.match(send(noonS, asterixBlock(62, trackRecord(track)))[0]?.identities, [{ value: '204/50#4711+1' }]);
});

t.test('the time of day is of the day that lies within 12 hours', async (t) => {
  const { send } = openLink();
  const [late] = send(86_400 + 1, plots({ timeS: 86_399.5 }));
  t.equal(late?.sourceMs, midnightMs + 86_399_500, 'before midnight, received after it');
  const [early] = send(86_399, plots({ timeS: 0.25 }));
  t.equal(early?.sourceMs, midnightMs + 86_400_250, 'a clock that is a little ahead');
});

t.test('a source has the name that the options give it, or is a declared sensor', async (t) => {
  const { send, sensors, sensor } = openLink({ sources: { '204/17': 'north radar', '1/2': 'declared' } });
  send(noonS, plots({}));
  t.match(sensor('mast north radar'), { modality: 'radar' });
  const row: SensorIdentity = {
    ...{ id: '00000000-0000-8000-8000-000000000001', name: 'declared', modality: 'radar', placement: null },
    ...{ heartbeatS: 30, declaredBy: 'manual', linkId: null, version: 1, createdAt: '', updatedAt: '' },
  };
  sensors.declare(row);
  const [seen] = send(noonS, plots({ source: [1, 2] }));
  t.equal(seen?.sensorId, row.id);
  t.match(sensor('declared'), { state: 'operational' });
  send(noonS + 1, north(noonS + 1, { source: [1, 2], turnS: 2, site }));
  t.match(sensor('declared'), { placement: { mount: 'fixed' }, detection: { rotating: true } });
  sensors.declare({ ...row, version: 2, placement: { lat: 1, lon: 2 } });
  t.match(
    sensor('declared'),
    { placement: { lat: 1, lon: 2 }, detection: { rotating: true } },
    'a person’s place holds',
  );
});

t.test('one source that is radar and ground station has two sensors', async (t) => {
  const { send, sensor } = openLink();
  send(noonS, plots({}));
  const report = asterixRecord([
    [0, [204, 17]],
    [6, [...wide(2 ** 29, 4), ...wide(2 ** 27, 4)]],
    [10, [0x4b, 0x5c, 0x6d]],
  ]);
  const [seen] = send(noonS, asterixBlock(21, report));
  t.match(seen, { report: 'position', identities: [{ type: 'icao24', value: '4B5C6D', transport: 'adsb' }] });
  t.match([sensor('mast 204/17')?.modality, sensor('mast 204/17 ADS-B')?.modality], ['radar', 'adsb']);
});
