import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Link } from '../../src/model/link.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track } from '../../src/model/track.ts';
import { onlyInFull, until } from '../support/basics/patience.ts';
import { allRows, fieldBox } from '../support/daemon/field_box.ts';
import { runToEnd } from '../support/daemon/program.ts';
import { type Arrival, readStream } from '../support/http/stream_reader.ts';
import { openFarEnd, socatMissing, startPtyPair } from '../support/links/pty.ts';

onlyInFull(t);

const skip = socatMissing();
const hex = 'ABC123';

/** What a BaseStation port says of one aircraft, a second each. */
function sbsLine(second: number): string {
  const lat = (47.4 + second * 1e-3).toFixed(5);
  return `MSG,3,1,1,${hex},1,2025/06/01,12:00:00.000,2025/06/01,12:00:00.000,,3000,,,${lat},8.50000,,,0,0,0,0\r\n`;
}

const stateOf = (event: Arrival): unknown => event.body.state;

t.test('a serial port that is pulled and put back: shown, told, and tracked on', { skip }, async (t) => {
  const box = fieldBox(t, '');
  const ports = await startPtyPair(t, box.folder);
  const spec = `name=adsb,transport=serial,address=${ports.near},protocol=sbs,silence_s=60`;
  const daemon = await box.spawn({ args: ['--link', spec] });
  const stream = await readStream(t, daemon.url);
  await until(async () => (await daemon.get<Link[]>('/api/links'))[0]?.state === 'open', 'the port is open');
  let far = openFarEnd(t, ports.far);
  for (let second = 0; second < 3; second++) far.send(sbsLine(second));
  const born = await stream.first('a track', ({ kind }) => kind === 'track_new');
  const sensor = await stream.first(
    'its sensor',
    ({ kind, body }) => kind === 'sensor_update' && body.state === 'operational',
  );
  far.close();

  const pulledAt = stream.events.length;
  await ports.pull();
  const later = (from: number) => stream.events.slice(from);
  await stream.when('the link is down', () =>
    later(pulledAt).some((e) => e.kind === 'link_update' && stateOf(e) === 'backoff'),
  );
  await stream.when('its sensor is at fault', () =>
    later(pulledAt).some((e) => e.kind === 'sensor_update' && stateOf(e) === 'fault'),
  );
  const [link] = await daemon.get<Link[]>('/api/links');
  t.match(link?.last_error, /\S+ \S+/, `the link says why: ${link?.last_error}`);
  const [faulty] = await daemon.get<Sensor[]>('/api/sensors');
  t.match(faulty, { id: sensor.body.id, state: 'fault', reasons: [/^its link adsb is down: /] });
  const health = await daemon.request('/api/health');
  t.equal(health.status, 503, 'a box that receives nothing is not healthy');
  t.match(health.body.error, /sensors \(1 of 1 .*: adsb fault, its link adsb is down: /);

  const pluggedAt = stream.events.length;
  await ports.plug();
  await stream.when(
    'the link is open',
    () => later(pluggedAt).some((e) => e.kind === 'link_update' && stateOf(e) === 'open'),
    40_000,
  );
  far = openFarEnd(t, ports.far);
  far.send(sbsLine(3));
  await stream.when('its sensor works', () =>
    later(pluggedAt).some((e) => e.kind === 'sensor_update' && stateOf(e) === 'operational'),
  );
  await stream.when('the track goes on', () =>
    later(pluggedAt).some((e) => e.kind === 'track_update' && e.body.id === born.body.id),
  );
  t.equal((await daemon.get<Track[]>('/api/tracks')).length, 1, 'it is still one aircraft');
  const told = stream.of('log').map(({ body }) => body.kind);
  t.same(
    told.filter((kind) => String(kind).startsWith('link.')),
    ['link.down', 'link.up'],
    'the log tells of it once each, however often it was tried',
  );
});

t.test('a serial port on which nothing comes is taken for broken and opened again', { skip }, async (t) => {
  const box = fieldBox(t, '');
  const ports = await startPtyPair(t, box.folder);
  const spec = `name=adsb,transport=serial,address=${ports.near},protocol=sbs,silence_s=1`;
  const daemon = await box.spawn({ args: ['--link', spec] });
  const stream = await readStream(t, daemon.url);
  const silent = await stream.first(
    'it is silent',
    ({ kind, body }) => kind === 'link_update' && body.state === 'backoff',
  );
  t.equal(silent.body.last_error, 'no bytes received for 1 s');
  const from = stream.events.length;
  await stream.when('it is opened twice more', () => {
    const states = stream.events
      .slice(from)
      .filter(({ kind }) => kind === 'link_update')
      .map(stateOf);
    return states.filter((state, at) => state === 'open' && states[at - 1] !== 'open').length >= 2;
  });
  const far = openFarEnd(t, ports.far);
  const feeding = setInterval(() => far.send(sbsLine(0)), 200);
  t.teardown(() => clearInterval(feeding));
  await until(
    async () => {
      const [link] = await daemon.get<Link[]>('/api/links');
      return link?.state === 'open' && link.rx_msgs > 10 && link.last_error === null;
    },
    'it is heard, and nothing is wrong any more',
    20_000,
  );
  const down = await allRows<LogEvent>(daemon, '/api/events?kind=link.down');
  t.match(
    down[0],
    { severity: 'warning', text: 'link adsb is down: no bytes received for 1 s' },
    'and the log tells of it',
  );
});

/** Another program that holds a UDP port until it is told to go. */
async function occupyUdp(t: Test): Promise<{ port: number; leave(): Promise<void> }> {
  const script =
    "const s=require('dgram').createSocket('udp4');s.bind(0,'127.0.0.1',()=>console.log(s.address().port))";
  const program = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.teardown(() => program.kill('SIGKILL'));
  const [line] = await once(program.stdout, 'data');
  const leave = async (): Promise<void> => {
    const gone = once(program, 'exit');
    program.kill('SIGKILL');
    await gone;
  };
  return { port: Number(line), leave };
}

t.test('a port that another program holds keeps no daemon from starting, and is taken once it is free', async (t) => {
  const other = await occupyUdp(t);
  const box = fieldBox(t, '');
  const spec = `name=rid,transport=udp,address=127.0.0.1:${other.port},protocol=mavlink`;
  const daemon = await box.spawn({ args: ['--link', spec] });
  const busy = await until(async () => {
    const [link] = await daemon.get<Link[]>('/api/links');
    return link?.state === 'backoff' ? link : null;
  }, 'the link waits');
  t.equal(busy.last_error, `port ${other.port}/udp is in use by another program`);
  await other.leave();
  await until(async () => (await daemon.get<Link[]>('/api/links'))[0]?.state === 'open', 'it is open', 40_000);
  t.equal(await daemon.port('rid'), other.port);
});

t.test('two links that want one port are refused at the start, with the name of the owner', async (t) => {
  const listed = ['first', 'second'].map(
    (name) => `  - {name: ${name}, transport: udp, address: 127.0.0.1:24550, protocol: mavlink}`,
  );
  const box = fieldBox(t, `links:\n${listed.join('\n')}\n`);
  const inFile = await runToEnd(t, ['serve', '--config', box.config, '--data', box.dataDir, '--listen', '127.0.0.1:0']);
  t.equal(inFile.code, 78);
  t.match(inFile.err, /dunlin\.yaml:3:\d+: links\.1\.address: 127\.0\.0\.1:24550 is already taken by link first/);

  const spec = (name: string) => ['--link', `name=${name},transport=udp,address=0.0.0.0:24550,protocol=mavlink`];
  const given = await runToEnd(t, [
    'serve',
    '--data',
    box.dataDir,
    '--listen',
    '127.0.0.1:0',
    ...spec('one'),
    ...spec('two'),
  ]);
  t.equal(given.code, 78);
  t.match(given.err, /already taken by link one/);
});
