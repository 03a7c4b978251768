import { createSocket } from 'node:dgram';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MavlinkEncoder } from '../../src/edge/wire/mavlink/encode.ts';
import { writeGlobalPosition, writeHeartbeat } from '../../src/edge/wire/mavlink/write.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Command } from '../../src/model/command.ts';
import type { LogEvent } from '../../src/model/event.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { endBy } from '../support/daemon/daemon_process.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { flySwarm } from '../support/daemon/swarm.ts';
import { PASSWORD } from '../support/http/person.ts';
import { fill, mountRefused, mountSmall } from '../support/store/full_disk.ts';

takeTime(t, 240);

const skip = mountRefused();
const SYSID = 42;
const place = { latDeg: 47.4, lonDeg: 8.5 };

/** A copter in flight at the other end of a link, until the test ends. */
function flyCopter(t: Test, port: number): void {
  const socket = createSocket('udp4');
  socket.on('error', () => {});
  const encoder = new MavlinkEncoder({ sysid: SYSID, compid: 1 });
  const mode = { type: 2, autopilot: 3, baseMode: 209, customMode: 4, systemStatus: 4, mavlinkVersion: 3 };
  const still = { vNorthMps: 0, vEastMps: 0, vDownMps: 0, headingDeg: 0, altMslM: 500, relativeAltM: 60 };
  const timer = setInterval(() => {
    const position = writeGlobalPosition({ timeBootMs: 1, ...place, ...still });
    for (const payload of [writeHeartbeat(mode), position]) socket.send(encoder.encode(payload), port, '127.0.0.1');
  }, 250);
  t.teardown(() => {
    clearInterval(timer);
    socket.close();
  });
}

async function statusWith(daemon: Daemon, token: string): Promise<number> {
  return (await fetch(`${daemon.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;
}

function kindsOf(rows: readonly LogEvent[]): string[] {
  return rows.map(({ kind, subject }) => `${kind} ${subject?.label}`);
}

t.test('with its disk full, access is taken away and vehicles are held at once and for good', { skip }, async (t) => {
  const box = fieldBox(t, radarConfig);
  mountSmall(t, box.dataDir, 64);
  let daemon: Daemon = await box.spawn();
  const reserve = join(box.dataDir, 'reserve');
  const whole = statSync(reserve).size;
  t.ok(whole > 7e6 && whole <= 8 * 1024 * 1024, `an eighth of a small disk is set aside: ${whole} bytes`);
  const anna = await firstOwner(t, daemon);
  const bob = await anna.member('bob', 'operator');
  const carl = await anna.member('carl', 'operator');
  const keys = [];
  for (let n = 0; n < 12; n++) keys.push(await anna.key('viewer'));
  const asset = await must<Asset>(daemon, '/api/assets', { name: 'Heron', spec: { mavlink: { sysid: SYSID } } });
  await must(daemon, '/api/discovery', { enabled: true }, 'PUT');
  const link = { name: 'own', transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink', command: 'allow' };
  await must(daemon, '/api/links', { ...link, issued_for: asset.id, sources_allow: ['127.0.0.1'] });
  flyCopter(t, await daemon.port('own'));
  await until(
    async () => (await daemon.get<Asset>(`/api/assets/${asset.id}`)).connection === 'online',
    'the copter is heard',
  );
  const open = await fetch(`${daemon.url}/v1/stream`, { headers: { authorization: `Bearer ${keys[0]?.secret}` } });
  const streamEnds = (async () => {
    for await (const _chunk of open.body ?? []);
  })().catch(() => {});
  // The history waits for room too, and takes what others leave.
  flySwarm(t, await daemon.port('rows'), { count: 10, hz: 10, sensor: 'mast' });

  const filler = fill(box.dataDir);
  await until(async () => {
    fill(box.dataDir);
    const answer = await daemon.post('/api/sensors', { name: `full ${Math.random()}`, modality: 'acoustic' });
    return answer.status === 503;
  }, 'ordinary changes are refused');

  for (const key of keys) {
    t.equal((await anna.ask('DELETE', `/v1/keys/${key.id}`)).status, 200);
    t.equal(await statusWith(daemon, key.secret), 401, 'the key does not work any more');
  }
  await streamEnds;
  t.pass('the stream of a revoked key has ended');
  t.equal((await anna.ask('POST', '/v1/auth/sign-out')).status, 200);
  t.equal(await statusWith(daemon, anna.token), 401);
  const again = await daemon.post('/v1/auth/sign-in', { username: 'anna', password: PASSWORD });
  t.equal(again.status, 200, again.body.error ?? '');
  const { token } = again.body.data as { token: string };
  const headers = { ...anna.headers(), authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = (path: string, method: string, body: object) =>
    daemon.request(path, { method, headers, body: JSON.stringify(body) });
  const users = (await daemon.request('/v1/users', { headers })).body.data as { id: string; username: string }[];
  const idOf = (name: string): string | undefined => users.find(({ username }) => username === name)?.id;
  const carlEnds = await daemon.request(`/v1/users/${idOf('carl')}`, { method: 'DELETE', headers });
  t.equal(carlEnds.status, 200, carlEnds.body.error ?? '');
  t.equal(await statusWith(daemon, carl.token), 401, 'a removed user has no session');
  t.equal((await send(`/v1/users/${idOf('bob')}`, 'POST', { password: 'another long password' })).status, 200);
  t.equal(await statusWith(daemon, bob.token), 401, 'another password ends the sessions');
  const held = await send(`/v1/assets/${asset.id}/command`, 'POST', { verb: 'hold', reason: 'a helicopter comes' });
  t.equal(held.status, 200, held.body.error ?? '');
  const { command_id } = held.body.data as Command;
  t.equal((await send('/v1/engagement/stop_all', 'POST', { reason: 'a helicopter comes' })).status, 200);
  t.ok(statSync(reserve).size < whole, 'the reserve was used');
  t.equal(await endBy(daemon, 'SIGKILL'), null);

  fill(box.dataDir);
  daemon = await box.start();
  for (const gone of [...keys.map(({ secret }) => secret), anna.token, bob.token, carl.token])
    t.equal(await statusWith(daemon, gone), 401, 'after a kill, on a disk that is still full');
  t.equal(await statusWith(daemon, token), 200, 'who signed in is signed in');
  t.match(await daemon.get<Command>(`/api/commands/${command_id}`), { verb: 'hold', asset_id: asset.id });
  const kinds = kindsOf(await daemon.get<LogEvent[]>('/api/events?limit=1000'));
  t.equal(kinds.filter((kind) => kind.startsWith('key.revoked')).length, keys.length);
  for (const kind of ['auth.signed_out anna', 'auth.signed_in anna', 'user.removed carl', 'user.changed bob'])
    t.ok(kinds.includes(kind), kind);
  for (const kind of ['command.created Heron', 'engagement.stop_all undefined']) t.ok(kinds.includes(kind), kind);

  filler.free();
  const left = statSync(reserve).size;
  await until(async () => statSync(reserve).size > left, 'the reserve is made again');
  await daemon.end();
  t.equal((await dunlin(t, 'audit', 'verify', '--data', box.dataDir)).code, 0);
});
