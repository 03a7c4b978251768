import t from 'tap';
import { brokerFeed } from '../../support/links/broker_feed.ts';
import { droneScoutJson, droneScoutMac, uasData } from '../../support/links/dronescout.ts';

const beginMs = Date.parse('2026-05-01T10:00:00Z');
const location = { lat: 47.2, lon: 8.73, altGeoM: 655.5 };
const serial = '1581F5FKD2294SCOUT01';
const full = uasData({ serial, location, operator: { lat: 47.19, lon: 8.72 }, operatorId: 'FIN87astrdge12k8' });

const drone = (more: object = {}): string =>
  JSON.stringify({
    ...{ id: `drone-${serial}`, id_type: 'Serial Number (ANSI/CTA-2063-A)', mac: '02:00:5e:10:00:02' },
    ...{ lat: 47.2, lon: 8.73, alt: 655.5, speed: 8, vspeed: 0, direction: 90, pilot_lat: 0.0, pilot_lon: 0.0 },
    ...{ transport: 'BLE-Long', seen_by: 'kit-1', observed_at: beginMs / 1_000, rssi: -70, freq_mhz: 2_402, ...more },
  });

t.test('a DroneScout publish is an observation of its receiver, dated by the clock of that', async (t) => {
  const it = brokerFeed(beginMs);
  it.publish('ds240-1', droneScoutJson(full, beginMs - 40));
  t.match(it.observations, [
    {
      ...{ report: 'position', latDeg: 47.2, lonDeg: 8.73, altHaeM: 655.5, speedMps: 8.25, sigmaHM: 10 },
      ...{ rssiDbm: -71, centerHz: 2_437e6, sourceMs: beginMs - 40, isUndated: false },
      identities: [
        { type: 'mac', value: droneScoutMac, transport: 'wifi_beacon' },
        { type: 'serial', value: serial, transport: 'wifi_beacon' },
      ],
      operator: { lat: 47.19, type: 'live_gnss', operator_id: 'FIN87astrdge12k8' },
    },
  ]);
  t.match(it.sensor('ds240-1'), { state: 'operational', modality: 'remote_id' });
});

t.test('parts without their valid flag are not read, whatever stands there', async (t) => {
  const bytes = Buffer.from(full);
  bytes[894] = 0;
  bytes[912] = 0;
  bytes[913] = 0;
  const it = brokerFeed(beginMs);
  for (const afterMs of [0, 1_100]) it.publish('ds', droneScoutJson(bytes, beginMs + afterMs), { afterMs });
  t.match(it.observations.at(-1), { report: 'identity', latDeg: null, operator: null });
});

t.test('an implausible place is counted, and places nobody', async (t) => {
  const it = brokerFeed(beginMs);
  it.publish('ds', droneScoutJson(uasData({ serial, location: { ...location, lat: 95 } }), beginMs));
  it.publish('kit/drones', drone({ lat: 95 }), { afterMs: 10 });
  t.match(it.rejects(), { implausible: 2 });
  t.ok(it.observations.every(({ latDeg }) => latDeg === null));
});

t.test('compressed data is of an unknown type, and the sensor says what to switch off', async (t) => {
  const it = brokerFeed(beginMs);
  it.publish('ds', Buffer.from('5d00008000ffffffff', 'hex'));
  t.match(it.rejects(), { unknown_type: 1 });
  t.match(it.sensor(), { state: 'degraded', reasons: [/switch compression off in the receiver/] });
  it.publish('ds', droneScoutJson(full, beginMs), { afterMs: 10 });
  t.equal(it.observations.length, 1);
});

t.test('a retained message is taken while it is younger than 10 s, and a live one whatever its clock', async (t) => {
  const it = brokerFeed(beginMs);
  it.publish('kit/drones', drone(), { afterMs: 10_001, retain: true });
  it.publish('kit/drones', drone({ observed_at: null }), { afterMs: 10_002, retain: true });
  t.match(it.rejects(), { not_allowed: 2 });
  t.equal(it.observations.length, 0);
  it.publish('kit/drones', drone(), { afterMs: 9_999, retain: true });
  t.equal(it.observations.length, 1);
  const live = brokerFeed(beginMs);
  live.publish('kit/drones', drone(), { afterMs: 3_600_000 });
  t.match(live.observations, [{ latDeg: 47.2 }]);
});

t.test('zeros, wrapped altitudes and empty texts of DragonSync are unknown', async (t) => {
  const it = brokerFeed(beginMs);
  it.publish('kit/drones', drone({ alt: 65_531, home_lat: 0, home_lon: 0, operator_id: '', caa_id: '' }));
  t.match(it.observations, [{ altHaeM: null, operator: null, takeoff: null, latDeg: 47.2 }]);
  it.publish('kit/drones', drone({ lat: 0.0, lon: 0.0, mac: '02:00:5e:10:00:03' }), { afterMs: 10 });
  t.match(it.observations.at(-1), { latDeg: null });
});

t.test('an alert of nobody and a video signal are a presence without a place', async (t) => {
  const it = brokerFeed(beginMs);
  it.publish('kit/drones', drone({ id: 'drone-alert', lat: 47.2, lon: 8.73 }));
  it.publish(
    'kit/signals',
    JSON.stringify({ uid: 'fpv', signal_type: 'fpv', center_hz: 5.8e9, lat: 47.2, lon: 8.73, seen_by: 'kit-1' }),
  );
  t.match(it.observations, [
    { report: 'presence', identities: [], latDeg: null, centerHz: 2_402e6 },
    { report: 'presence', identities: [], latDeg: null, centerHz: 5.8e9 },
  ]);
  t.match(it.sensor('kit-1 signals'), { modality: 'rf' });
});

t.test('aircraft come in feet and knots', async (t) => {
  const it = brokerFeed(beginMs);
  const aircraft = { icao: '4B1A2C', callsign: 'SAMPLE1', lat: 47.2, lon: 8.7, alt: 1_000, speed: 100, track: 60 };
  it.publish(
    'kit/aircraft',
    JSON.stringify({ ...aircraft, on_ground: false, seen_by: 'kit-1', track_type: 'aircraft' }),
  );
  const [observation] = it.observations;
  t.match(observation, {
    identities: [
      { type: 'icao24', value: '4B1A2C' },
      { type: 'callsign', value: 'SAMPLE1' },
    ],
  });
  t.ok(Math.abs((observation?.altMslM ?? 0) - 304.8) < 1e-9);
  t.ok(Math.abs((observation?.speedMps ?? 0) - 51.444) < 0.001);
  t.match(it.sensor('kit-1 ADS-B'), { modality: 'adsb' });
});

t.test('the status of a kit places its sensor, and the end of its service silences it', async (t) => {
  const it = brokerFeed(beginMs);
  const attrs = { id: 'kit-1', latitude: 47.3, longitude: 8.6, hae: 500, uptime_s: 10, updated: beginMs / 1_000 };
  it.publish('kit/system/attrs', JSON.stringify(attrs));
  t.match(it.sensor('kit-1'), {
    state: 'operational',
    placement: { lat: 47.3, lon: 8.6, alt_hae_m: 500, mount: 'mobile' },
  });
  for (const topic of [
    'drone/drone-1/availability',
    'drone/drone-1/state',
    'signals/kit-1/availability',
    'signals/kit-1/state',
  ])
    it.publish(`kit/${topic}`, topic.endsWith('state') ? 'not_home' : 'offline', { afterMs: 1 });
  t.same(it.rejects().malformed, 0, 'entities of Home Assistant are known');
  it.publish('other/service/availability', 'offline', { afterMs: 2 });
  t.equal(it.sensor('kit-1')?.state, 'operational', 'a drone, or another kit, is not this one');
  it.publish('kit/service/availability', 'offline', { afterMs: 3 });
  t.equal(it.sensor('kit-1')?.state, 'silent');
});

t.test('several objects of one publish are several messages, and what follows a fault is refused', async (t) => {
  const it = brokerFeed(beginMs);
  const one = droneScoutJson(full, beginMs);
  const other = droneScoutJson(uasData({ serial: `${serial}2`, location }), beginMs, {
    'MAC address': '02:00:5E:10:00:09',
  });
  it.publish('ds', `${one}${other}\n\0`);
  t.equal(it.messages, 2);
  it.publish('ds', `${one}]${other}`, { afterMs: 2_000 });
  t.equal(it.messages, 3);
  t.match(it.rejects(), { malformed: 1 });
});

t.test('names of a table that every object has are no transports and no states', async (t) => {
  const it = brokerFeed(beginMs);
  for (const [index, name] of ['constructor', 'toString', '__proto__', 'hasOwnProperty'].entries()) {
    const told = JSON.parse(droneScoutJson(full, beginMs).toString());
    told.data.type = name;
    it.publish(`ds${index}`, JSON.stringify(told), { afterMs: 2_000 * index });
    it.publish('kit/drones', drone({ op_status: name }), { afterMs: 2_000 * index + 10 });
  }
  t.equal(it.observations.length, 8);
  // What goes to another thread must be data.
  t.same(structuredClone(it.observations.map(({ identities, status }) => ({ identities, status }))).length, 8);
  t.ok(it.observations.flatMap(({ identities }) => identities).every(({ transport }) => typeof transport === 'string'));
});

t.test('a retained message from the future is outdated too', async (t) => {
  const it = brokerFeed(beginMs);
  it.publish('kit/drones', drone({ observed_at: 4_102_444_800 }), { retain: true });
  t.equal(it.observations.length, 0);
});

const attrs = (more: object = {}): string =>
  JSON.stringify({ ...{ id: 'kit-1', latitude: 47.3, longitude: 8.6, hae: 500, uptime_s: 10 }, ...more });

t.test('a receiver is ended under its own topics alone, whatever others publish about its name', async (t) => {
  const it = brokerFeed(beginMs);
  const state = () => it.sensor('kit-1')?.state;
  it.publish('kit/system/attrs', attrs());
  it.publish('other/service/kit-1/availability', 'offline', { afterMs: 1 });
  t.equal(state(), 'operational', 'another program of the broker');
  it.publish('other/system/attrs', attrs(), { afterMs: 2 });
  it.publish('other/service/kit-1/availability', 'offline', { afterMs: 3 });
  t.equal(state(), 'operational', 'nor does it take the name over');
  it.publish('kit/service/kit-1/availability', 'offline', { afterMs: 4 });
  t.equal(state(), 'silent');
  it.publish('moved/system/attrs', attrs(), { afterMs: 61_000 });
  it.publish('moved/service/kit-1/availability', 'offline', { afterMs: 61_001 });
  t.equal(state(), 'silent', 'a kit whose topics changed is ended under its new ones');
});

t.test('ends count against the rate of their topics', async (t) => {
  const it = brokerFeed(beginMs);
  it.publish('kit/system/attrs', attrs());
  for (let n = 0; n < 80; n++) it.publish('kit/service/kit-1/availability', 'offline', { afterMs: 1 });
  t.equal(it.rateRejects, 30, 'a sender has 50 a second');
});

t.test('a receiver moves at most once in 10 s, and every message of it is a sign of life', async (t) => {
  const it = brokerFeed(beginMs);
  const place = () => it.sensor('kit-1')?.placement?.lat;
  it.publish('kit/system/attrs', attrs());
  let changes = 0;
  t.teardown(it.sensors.changed.add(() => void changes++));
  for (let s = 1; s < 10; s++) it.publish('kit/system/attrs', attrs({ latitude: 47.3 + s }), { afterMs: s * 1_000 });
  t.match({ place: place(), changes }, { place: 47.3, changes: 0 }, 'the core and its clients hear of no change');
  it.publish('kit/system/attrs', attrs({ latitude: 40 }), { afterMs: 10_000 });
  t.match({ place: place(), changes }, { place: 40, changes: 1 });
  it.publish('kit/system/attrs', attrs({ latitude: 40 }), { afterMs: 20_000 });
  t.equal(changes, 1, 'a kit that stands still changes nothing');
  t.equal(it.sensor('kit-1')?.state, 'operational');
});
