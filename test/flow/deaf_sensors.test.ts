import { createWriteStream } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Threat } from '../../src/model/threat.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import { type Daemon, until } from '../support/daemon/daemon.ts';
import { fieldBox, textOf } from '../support/daemon/field_box.ts';
import { metricOf } from '../support/daemon/program.ts';
import { linkOf, sensorOf } from '../support/daemon/watch.ts';
import { socatMissing, startPtyPair } from '../support/links/pty.ts';
import { udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

onlyInFull(t);
takeTime(t, 180);

const silentAlerts = async (daemon: Daemon): Promise<Alert[]> =>
  (await daemon.get<Alert[]>('/api/alerts?limit=1000')).filter(({ rule_id }) => rule_id === 'sensor_silent');
const isActive = ({ state }: Alert): boolean => state === 'active';
const labels = (alerts: readonly Alert[]): string[] =>
  alerts
    .filter(isActive)
    .map(({ subject }) => subject.label)
    .sort();
const untilAlerts = (daemon: Daemon, names: readonly string[]): Promise<boolean> =>
  until(async () => labels(await silentAlerts(daemon)).join() === names.join(), `alerts are ${names.join()}`);

type HealthPart = { name: string; state: string; text: string };
const healthOf = async (
  daemon: Daemon,
): Promise<{ status: number; error: string; links: HealthPart | undefined; sensors: HealthPart | undefined }> => {
  const { status, body } = await daemon.request('/api/health');
  const parts = (body.data as { parts?: HealthPart[] } | undefined)?.parts ?? [];
  const [links, sensors] = ['links', 'sensors'].map((part) => parts.find(({ name }) => name === part));
  return { status, error: body.error ?? '', links, sensors };
};

const location = (n = 1): { receiver: MavlinkReceiver; say(): Buffer } => {
  const receiver = new MavlinkReceiver(n, 236);
  const aircraft = new Aircraft({ mac: '60:60:1F:00:07:01', serial: '1581F5FKD2294J000001' });
  return { receiver, say: () => receiver.pack(aircraft, aircraft.messages(aircraft.location(0))) };
};

const deafBox = `
sensors:
  - {name: mast radar, modality: radar, heartbeat_s: 1, placement: {lat: 47.4, lon: 8.5, alt_hae_m: 450}}
links:
  - {name: gate, transport: serial, address: /dev/serial/by-id/absent, protocol: odid_json, silence_s: 1}
  - {name: rid, transport: udp, address: "127.0.0.1:0", protocol: mavlink, silence_s: 1}
`;

t.test('a box that receives nothing has its rows, its alerts and is not healthy', async (t) => {
  const daemon = await fieldBox(t, deafBox).start();
  const before = await daemon.get<Sensor[]>('/api/sensors');
  t.same(before.map(({ name }) => name).sort(), ['gate', 'mast radar', 'rid'], 'from the start on');
  await untilAlerts(daemon, ['gate', 'mast radar', 'rid']);
  t.match(await sensorOf(daemon, 'gate'), { state: 'fault', reasons: [/its link gate is down/], heartbeat_s: 1 });
  t.match(await sensorOf(daemon, 'rid'), { state: 'silent', trust: 'declared', modality: 'remote_id' });
  const deaf = await healthOf(daemon);
  t.equal(deaf.status, 503);
  for (const name of ['gate fault', 'mast radar silent', 'rid silent']) t.match(deaf.error, name);
  t.match(await daemon.get('/'), { healthy: false });

  const send = udpSender(t, await daemon.port('rid'));
  const { say } = location();
  const speaking = setInterval(() => void send(say()), 100);
  t.teardown(() => clearInterval(speaking));
  await untilAlerts(daemon, ['gate', 'mast radar']);
  const partly = await healthOf(daemon);
  t.match(partly, { status: 200, sensors: { state: 'degraded' } });
  t.match(partly.sensors?.text, /^2 of 3 not received: .*mast radar silent/);
  const raised = (await silentAlerts(daemon)).filter(({ subject }) => subject.label === 'mast radar');
  t.equal(raised.length, 1, 'each sensor is one alert');
});

t.test('a sensor whose deadline is far away hides no deafness, nor does a setting', async (t) => {
  const slow = '  - {name: slow, modality: radar, heartbeat_s: 86400}\n';
  const daemon = await fieldBox(t, deafBox.replace('links:', `${slow}links:`)).start();
  await untilAlerts(daemon, ['gate', 'mast radar', 'rid']);
  const deaf = await healthOf(daemon);
  t.equal(deaf.status, 503);
  t.match(
    deaf.error,
    /4 of 4 not received: .*; slow unknown, nothing has been received from the sensor yet, deadline in \d+ s/,
  );
  for (const { id, declared_by: by } of await daemon.get<Sensor[]>('/api/sensors')) {
    if (by === 'link') await must(daemon, `/api/sensors/${id}`, { heartbeat_s: 3_600 });
  }
  await until(async () => (await sensorOf(daemon, 'rid')).heartbeat_s === 3_600, 'it is in force');
  t.equal((await healthOf(daemon)).status, 503);
  t.match(await sensorOf(daemon, 'gate'), { state: 'fault', reasons: [/its link gate is down/] });
  t.match(await sensorOf(daemon, 'rid'), { state: 'silent' });
  t.equal((await silentAlerts(daemon)).filter(isActive).length, 3, 'no alert is over');
});

t.test('health says what was never received, and that nothing is received without links and sensors', async (t) => {
  const links = 'links:\n  - {name: rid, transport: udp, address: "127.0.0.1:0", protocol: mavlink, silence_s: 600}\n';
  const daemon = await fieldBox(t, links).start();
  const waiting = await healthOf(daemon);
  t.equal(waiting.status, 200, 'its deadline has not passed');
  t.match(waiting.sensors, {
    state: 'degraded',
    text: /^1 of 1 not received: rid unknown, nothing has been received from the sensor yet, deadline in [1-9]\d* s$/,
  });
  await udpSender(t, await daemon.port('rid'))(location().say());
  await sensorOf(daemon, 'rid 1/236', ({ state }) => state === 'operational');
  t.match((await healthOf(daemon)).sensors, { state: 'up', text: '1 of 1 received' });

  const bare = await fieldBox(t, '').start();
  const { links: noLinks, sensors: noSensors } = await healthOf(bare);
  t.match(noLinks, { state: 'degraded', text: 'no link is configured: nothing is received' });
  t.match(noSensors, { state: 'degraded', text: 'no sensor is declared: nothing is received' });
  const { id } = await must<Sensor>(bare, '/api/sensors', { name: 'mast', modality: 'radar', heartbeat_s: 600 });
  t.match((await healthOf(bare)).links, { state: 'up', text: 'no link is configured: reports arrive only over HTTP' });
  await must(bare, '/api/ingest/obs', { obs: [{ sensor_id: id, report: 'presence' }] });
  t.match((await healthOf(bare)).sensors, { state: 'up', text: '1 of 1 received' });
});

t.test('a silent sensor is the same alert after a restart, and over when it is received again', async (t) => {
  const config = 'sensors:\n  - {name: mast, modality: radar, heartbeat_s: 1}\n';
  const box = fieldBox(t, config);
  const first = await box.start();
  await untilAlerts(first, ['mast']);
  const [alert] = await silentAlerts(first);
  await first.end();
  const second = await box.start();
  t.match(await silentAlerts(second), [{ id: alert?.id, state: 'active' }], 'it stays from the start on');
  await sensorOf(second, 'mast', ({ state }) => state === 'silent');
  const rows = { obs: [{ sensor_id: 'mast', report: 'presence' }] };
  t.match(await silentAlerts(second), [{ id: alert?.id, state: 'active' }], 'and is not raised twice');
  const speaking = setInterval(() => void second.post('/api/ingest/obs', rows).catch(() => {}), 200);
  t.teardown(() => clearInterval(speaking));
  await untilAlerts(second, []);
  t.match(await silentAlerts(second), [{ id: alert?.id, state: 'cleared' }]);
});

t.test('a sensor that falls silent again has its alert at once', async (t) => {
  const daemon = await fieldBox(t, '').start();
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'radar', heartbeat_s: 1 });
  await untilAlerts(daemon, ['mast']);
  const [alert] = await silentAlerts(daemon);
  const rows = { obs: [{ sensor_id: 'mast', report: 'presence' }] };
  const speaking = setInterval(() => void daemon.post('/api/ingest/obs', rows).catch(() => {}), 200);
  t.teardown(() => clearInterval(speaking));
  await untilAlerts(daemon, []);
  clearInterval(speaking);
  await untilAlerts(daemon, ['mast']);
  t.match(await silentAlerts(daemon), [{ id: alert?.id, state: 'active' }], 'and it is the same');
  await must(daemon, `/api/sensors/${alert?.subject.id}`, { heartbeat_s: 600 });
  await sensorOf(daemon, 'mast', ({ state, heartbeat_s }) => state === 'silent' && heartbeat_s === 600);
  t.match(await silentAlerts(daemon), [{ id: alert?.id, state: 'active' }], 'a longer deadline does not end it');
  t.equal((await daemon.get<LogEvent[]>('/api/events?kind=sensor.heard')).length, 1, 'it was received again once');
});

t.test('nothing says that a receiver is received that never was', { skip: socatMissing() }, async (t) => {
  const box = fieldBox(t, '');
  const cable = await startPtyPair(t, box.folder);
  const link = `name=gate,transport=serial,address=${cable.near},protocol=odid_json,silence_s=1`;
  const daemon = await box.start({ args: ['--link', link] });
  const { id } = await sensorOf(daemon, 'gate', ({ state }) => state === 'silent');
  await untilAlerts(daemon, ['gate']);
  await must(daemon, `/api/sensors/${id}`, { quiet_ok: true });
  await sensorOf(daemon, 'gate', ({ state }) => state === 'operational');
  await untilAlerts(daemon, []);
  const events = await daemon.get<LogEvent[]>('/api/events?limit=200');
  t.notOk(
    events.some(({ text }) => /received again|is received/.test(text)),
    'no row claims a reception',
  );
  t.match(
    events.filter(({ kind }) => kind === 'sensor.not_silent'),
    [{ text: 'sensor gate is not silent any more: its silence is allowed' }],
  );
  t.equal((await healthOf(daemon)).sensors?.text, '0 of 1 received, 1 silent as allowed');
});

t.test('an ESP32 under an empty sky is alive by its status lines', { skip: socatMissing() }, async (t) => {
  const box = fieldBox(t, 'control: {enabled: true}');
  const cable = await startPtyPair(t, box.folder);
  const link = `name=gate,transport=serial,address=${cable.near},protocol=odid_json,silence_s=60`;
  const daemon = await box.start({ args: ['--link', link] });
  await until(async () => (await linkOf(daemon, 'gate')).state === 'open', 'the link is open');
  const port = createWriteStream(cable.far, { flags: 'r+' });
  t.teardown(() => port.destroy());
  port.on('error', () => {});
  const gate = await sensorOf(daemon, 'gate');
  t.equal(gate.heartbeat_s, 60, 'its deadline is that of its link');
  await must(daemon, `/api/sensors/${gate.id}`, { heartbeat_s: 1 });

  const boot = 'ESP-ROM:esp32s3-20210327\r\nrst:0x1 (POWERON_RESET),boot:0x8 (SPI_FAST_FLASH_BOOT)\r\n';
  port.write(boot);
  await sensorOf(daemon, 'gate', ({ state }) => state === 'operational');
  await sensorOf(daemon, 'gate', ({ state }) => state === 'silent');
  port.write('{"   [+] Device is active and scanning..."}\r\n');
  await sensorOf(daemon, 'gate', ({ state }) => state === 'operational');
  t.match(await linkOf(daemon, 'gate'), { rx_msgs: 3, rejects: { unknown_type: 0, malformed: 0 } });

  const noise = setInterval(() => port.write(Buffer.from([0x80, 0xff, 0x3c, 0x0a, 0xfe, 0x81, 0x0a])), 200);
  t.teardown(() => clearInterval(noise));
  const garbled = await sensorOf(daemon, 'gate', ({ state }) => state === 'fault');
  t.same(garbled.reasons, ['bytes arrive that cannot be decoded: is the baud rate right?']);
  clearInterval(noise);
  await sensorOf(daemon, 'gate', ({ state }) => state === 'silent');

  await must(daemon, `/api/sensors/${gate.id}`, { quiet_ok: true });
  const quiet = await sensorOf(daemon, 'gate', ({ state }) => state === 'operational');
  t.match(quiet, { quiet_ok: true, reasons: [/while the connection is open/] });
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'radar' });
  const row = {
    sensor_id: 'mast',
    report: 'position',
    position: { lat: 47.1, lon: 8.7, alt_hae_m: 560 },
    sigma: { h_m: 3, v_m: 3 },
  };
  const dark = setInterval(() => void daemon.post('/api/ingest/obs', { obs: [row] }).catch(() => {}), 200);
  t.teardown(() => clearInterval(dark));
  await until(
    async () =>
      (await daemon.get<Threat[]>('/api/threats')).some(({ factors }) =>
        factors.some(({ id, contribution }) => id === 'no_remote_id' && contribution > 0),
      ),
    'a dark drone scores for its missing Remote ID while the receiver is quiet',
    30_000,
  );
  clearInterval(dark);
  await cable.pull();
  t.match(await sensorOf(daemon, 'gate', ({ state }) => state === 'fault'), { reasons: [/is down/] });
  await cable.plug();
  await sensorOf(daemon, 'gate', ({ state }) => state === 'operational');
});

t.test('an ADS-B receiver at night is alive while its connection is there, where an operator says so', async (t) => {
  const peers: Socket[] = [];
  const server = createServer((socket) => void peers.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const link = `{name: adsb, transport: tcp_client, address: "127.0.0.1:${port}", protocol: sbs, silence_s: 1}`;
  const daemon = await fieldBox(t, `links:\n  - ${link}\n`).start();
  const { id } = await sensorOf(daemon, 'adsb', ({ state }) => state === 'silent');
  await until(async () => peers.length > 1, 'without quiet_ok it is dialled anew');
  peers.at(-1)?.write('STA,,5,179,400AE7,10103,2008/11/28,14:58:51.153,2008/11/28,14:58:51.153,RM\r\n');
  await sensorOf(daemon, 'adsb', ({ state }) => state === 'operational');
  t.match(await linkOf(daemon, 'adsb'), { rejects: { unknown_type: 0 } }, 'a status line is no reject');
  await must(daemon, `/api/sensors/${id}`, { quiet_ok: true });
  const quiet = await sensorOf(daemon, 'adsb', ({ state, reasons }) => state === 'operational' && reasons.length > 0);
  t.match(quiet.reasons, [/quiet_ok/]);
  server.close();
  for (const peer of peers) peer.destroy();
  await sensorOf(daemon, 'adsb', ({ state }) => state === 'fault');
});

t.test('what an operator sets of a receiver holds after a restart', async (t) => {
  const box = fieldBox(
    t,
    'links:\n  - {name: rid, transport: udp, address: "127.0.0.1:0", protocol: mavlink, sources_allow: [127.0.0.1]}\n',
  );
  const first = await box.spawn();
  const send = udpSender(t, await first.port('rid'));
  await send(location(3).say());
  const { id, version } = await sensorOf(first, 'rid 3/236');
  const placement = { lat: 47.1, lon: 8.2, alt_hae_m: 500 };
  const detection = {
    pd: 0.8,
    false_per_scan: 2,
    period_s: 4,
    rotating: true,
    sigma: { range_m: 15 },
    min_elevation_deg: 1,
  };
  const set = { heartbeat_s: 7, quiet_ok: true, placement, detection };
  const changed = await must<Sensor>(first, `/api/sensors/${id}`, { ...set, version });
  t.match(changed, { ...set, version: version + 1, declared_by: 'link', trust: 'proven' });
  for (const refused of [{ name: 'north' }, { modality: 'radar' }, { heartbeat_s: 9, version }]) {
    t.equal((await first.post(`/api/sensors/${id}`, refused)).status, 409, JSON.stringify(refused));
  }
  t.equal((await first.post(`/api/sensors/${id}`, { detection: { pd: 2 } })).status, 400);
  t.equal((await first.request(`/api/sensors/${id}`, { method: 'DELETE' })).status, 409, 'it is received');
  await first.end('SIGKILL');
  const second = await box.spawn();
  t.match(await sensorOf(second, 'rid 3/236'), { id, ...set, version: version + 1, state: 'unknown' });
  const plain = await must<Sensor>(second, `/api/sensors/${id}`, {
    heartbeat_s: null,
    quiet_ok: false,
    placement: null,
  });
  t.match(plain, { heartbeat_s: 30, quiet_ok: false, placement: null, detection });
  const events = await second.get<LogEvent[]>('/api/events?kind=sensor.changed');
  t.match(events[0], { subject: { label: 'rid 3/236' }, before: { heartbeat_s: 7 }, after: { heartbeat_s: null } });

  await must(second, `/api/sensors/${id}`, { heartbeat_s: 1 });
  await sensorOf(second, 'rid 3/236', ({ state }) => state === 'silent');
  t.equal((await second.request(`/api/sensors/${id}`, { method: 'DELETE' })).status, 200, 'a receiver that is gone');
  const link = await sensorOf(second, 'rid');
  t.equal(
    (await second.request(`/api/sensors/${link.id}`, { method: 'DELETE' })).status,
    409,
    'the row of the link stays',
  );
  await second.end('SIGKILL');
  const third = await box.start();
  t.same(
    (await third.get<Sensor[]>('/api/sensors')).map(({ name }) => name),
    ['rid'],
  );
});

t.test('a receiver whose name another host repeats is silent, and the host is named', async (t) => {
  const daemon = await fieldBox(
    t,
    'links:\n  - {name: rid, transport: udp, address: "127.0.0.1:0", protocol: mavlink}\n',
  ).start();
  const port = await daemon.port('rid');
  await udpSender(t, port)(location(3).say());
  const { id } = await sensorOf(daemon, 'rid 3/236');
  await must(daemon, `/api/sensors/${id}`, { heartbeat_s: 1 });
  const forge = udpSender(t, port, '127.0.0.2');
  const forging = setInterval(() => void forge(location(3).say()), 100);
  t.teardown(() => clearInterval(forging));
  await untilAlerts(daemon, ['rid 3/236']);
  t.match(await sensorOf(daemon, 'rid 3/236'), { state: 'silent', trust: 'proven' });
  const { receiver_conflicts: conflicts } = await linkOf(daemon, 'rid');
  t.ok(conflicts > 0);
  const metric = 'dunlin_link_receiver_conflicts_total{link="rid"}';
  t.ok(metricOf(await textOf(daemon, '/metrics'), metric) >= conflicts);
  const lines = await daemon.get<LogEvent[]>('/api/events?kind=link.receiver_conflict');
  t.match(lines[0], { severity: 'warning', subject: { label: 'rid' }, text: /the last one 3\/236 from 127.0.0.2/ });
});

t.test('spoofed sources fill no places but their own', async (t) => {
  const links = ['open', 'other'].map(
    (name) => `  - {name: ${name}, transport: udp, address: "127.0.0.1:0", protocol: mavlink}\n`,
  );
  const daemon = await fieldBox(t, `links:\n${links.join('')}`).start();
  const send = udpSender(t, await daemon.port('open'));
  const { sent } = await flood(t, daemon, send);
  t.ok(sent > 500);
  const full = await until(async () => {
    const link = await linkOf(daemon, 'open');
    return link.sources_unplaced > 100 ? link : null;
  }, 'it is counted');
  t.match(await linkOf(daemon, 'other'), { sources_unplaced: 0 });
  const metric = metricOf(await textOf(daemon, '/metrics'), 'dunlin_link_sources_unplaced_total{link="open"}');
  t.ok(metric >= full.sources_unplaced);
  await until(
    async () =>
      (await daemon.get<Alert[]>('/api/alerts')).some((a) => a.rule_id === 'sensor_table_full' && isActive(a)),
    'it is an alert',
  );
  const lines = await daemon.get<LogEvent[]>('/api/events?kind=link.sources_full');
  t.match(lines, [{ severity: 'warning', subject: { label: 'open' } }], 'and one line of the log');
  t.match(await sensorOf(daemon, 'open'), { state: 'degraded' });
  await udpSender(t, await daemon.port('other'))(location(200).say());
  await sensorOf(daemon, 'other 200/236', ({ state }) => state === 'operational');
  t.ok((await daemon.get<Sensor[]>('/api/sensors')).length < 50, 'the list stays short');
});

async function flood(_t: Test, daemon: Daemon, send: (bytes: Buffer) => Promise<void>): Promise<{ sent: number }> {
  let sent = 0;
  for (let n = 0; n < 520; n++) {
    await send(
      new MavlinkReceiver((n % 250) + 1, 236 + Math.floor(n / 250)).pack(
        stranger(n),
        stranger(n).messages(stranger(n).location(0)),
      ),
    );
    sent++;
  }
  await until(async () => (await linkOf(daemon, 'open')).rx_msgs >= 400, 'they are received');
  return { sent };
}

const stranger = (n: number): Aircraft =>
  new Aircraft({
    mac: `60:60:1F:01:${hex(n >> 8)}:${hex(n & 0xff)}`,
    serial: `1581F5FKD2294K${String(n).padStart(6, '0')}`,
  });
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
