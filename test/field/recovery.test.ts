import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Link } from '../../src/model/link.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track } from '../../src/model/track.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { isFull } from '../support/basics/size.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { spawnDaemon } from '../support/daemon/daemon_process.ts';
import { dunlin, dunlinWith } from '../support/daemon/dunlin.ts';
import { type FieldBox, fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { flySwarm, rowOf } from '../support/daemon/swarm.ts';

onlyInFull(t);
takeTime(t, 300);

type KeptBox = FieldBox & { state: string; backup: string };

/** A stopped box whose people made a sensor, a link and a user, with a backup in the usual place. */
async function makeBox(): Promise<KeptBox> {
  const box = fieldBox(t, radarConfig);
  const daemon = await box.spawn();
  await daemon.post('/api/sensors', { name: 'by hand', modality: 'acoustic' });
  const link = { name: 'made', transport: 'tcp_server', address: '127.0.0.1:0', protocol: 'sbs' };
  t.equal((await daemon.post('/api/links', link)).status, 200);
  const added = await dunlinWith(
    t,
    { input: 'a long password\n' },
    'user',
    'add',
    'anna',
    '--role',
    'owner',
    '--data',
    box.dataDir,
  );
  t.equal(added.code, 0, added.err);
  const folder = `${box.dataDir}-backups`;
  t.equal((await dunlin(t, 'backup', join(folder, 'old'), '--data', box.dataDir)).code, 0);
  const backup = join(folder, 'new');
  t.equal((await dunlin(t, 'backup', backup, '--data', box.dataDir)).code, 0);
  t.equal(await daemon.end(), 0);
  cpSync(box.dataDir, `${box.dataDir}-kept`, { recursive: true, preserveTimestamps: true });
  cpSync(folder, `${folder}-kept`, { recursive: true, preserveTimestamps: true });
  return { ...box, state: join(box.dataDir, 'state.db'), backup };
}

const made = makeBox();

/** The box as it was made, in its own place, which its backups name. */
async function keptBox(t: Test): Promise<KeptBox> {
  const { folder, dataDir, start: _start, ...box } = await made;
  for (const name of readdirSync(folder))
    if (!/^data-.*kept$|\.yaml$/.test(name)) rmSync(join(folder, name), { recursive: true });
  for (const path of [dataDir, `${dataDir}-backups`])
    cpSync(`${path}-kept`, path, { recursive: true, preserveTimestamps: true });
  const start: FieldBox['start'] = (options = {}) =>
    spawnDaemon(t, { dataDir, ...options, args: ['--config', box.config, ...(options.args ?? [])] });
  return { ...box, folder, dataDir, start };
}

/** Writes over pages in the middle of a file and leaves its header. */
function damage(path: string): void {
  const file = openSync(path, 'r+');
  const garbage = Buffer.alloc(statSync(path).size - 4_096, 0xa5);
  writeSync(file, garbage, 0, garbage.length, 4_096);
  closeSync(file);
}

async function post(daemon: Daemon, path: string, body: object) {
  const { status, body: answer } = await daemon.post(path, body);
  return { status, error: answer.error ?? '' };
}

/** What a box in recovery does and does not do. Returns what its database was and its head. */
async function guardsInRecovery(t: Test, box: Awaited<ReturnType<typeof keptBox>>, why: RegExp): Promise<void> {
  const head = readFileSync(join(box.dataDir, 'audit.head'), 'utf8');
  const was = existsSync(box.state) ? readFileSync(box.state) : null;
  const daemon = await box.spawn();
  const command = `dunlin restore ${box.backup} --data ${box.dataDir}`;
  const health = await daemon.request('/api/health');
  t.equal(health.status, 503);
  t.match(health.body.error, why);
  t.ok(health.body.error?.includes(`state (`) && health.body.error.includes(command), 'names the newest backup');
  t.equal(health.body.error?.split('dunlin restore').length, 2, 'and the way back once');
  t.match(await (await fetch(daemon.url)).json(), { data: { healthy: false } });

  t.same(
    (await daemon.get<Link[]>('/api/links')).map(({ name }) => name),
    ['rows'],
    'links of the file alone',
  );
  t.same(
    (await daemon.get<Sensor[]>('/api/sensors')).map(({ name }) => name).sort(),
    ['mast', 'rows'],
    'sensors of the file, and the row of its link',
  );
  flySwarm(t, await daemon.port('rows'), { count: 2, hz: 5, sensor: 'mast' });
  const withPilot = {
    ...rowOf(1, 'mast', 1),
    operator: { id: 'FIN87astrdge12k8', position: { lat: 47.41, lon: 8.51 } },
  };
  t.equal((await post(daemon, '/api/ingest/obs', { obs: [withPilot] })).status, 200);
  const tracks = await until(async () => {
    const found = await daemon.get<Track[]>('/api/tracks');
    return found.filter(({ state }) => state === 'confirmed').length === 2 ? found : null;
  }, 'two tracks are confirmed');
  t.same(
    tracks.map(({ operator, takeoff }) => [operator, takeoff]),
    [
      [null, null],
      [null, null],
    ],
    'without pilots',
  );

  for (const [path, body] of [
    ['/api/sensors', { name: 'new', modality: 'acoustic' }],
    ['/api/users', { username: 'mallory', password: 'a long password of his', role: 'owner' }],
    ['/api/auth/sign-in', { username: 'anna', password: 'a long password' }],
    ['/api/keys', { name: 'k' }],
  ] as const) {
    const refused = await post(daemon, path, body);
    t.equal(refused.status, 503, path);
    t.ok(refused.error.includes('runs in recovery') && refused.error.includes(command), refused.error);
  }
  const vehicle = '/api/assets/mav:1:1/command';
  const order = { command_id: 'c-1', expires_at: new Date(Date.now() + 10_000).toISOString() };
  t.equal((await post(daemon, vehicle, { ...order, verb: 'return_home' })).status, 503);
  t.equal((await post(daemon, vehicle, { ...order, verb: 'hold' })).status, 404, 'a hold gets to the fleet');
  t.equal((await post(daemon, '/api/engagement/stop_all', { reason: 'a test', operator: 'anna' })).status, 200);
  const alerts = await daemon.get<Alert[]>('/api/alerts?state=active');
  const [alert] = alerts.filter(({ rule_id }) => rule_id === 'box.state');
  t.match(alert, { severity: 'critical', text: why });
  t.equal((await post(daemon, `/api/alerts/${alert?.id}/acknowledge`, {})).status, 200);

  const { out } = await dunlin(t, 'doctor', '--json', '--config', box.config, '--data', box.dataDir);
  const findings = JSON.parse(out).findings as { check: string; state: string; advice: string }[];
  const found = findings.find(({ check }) => check === 'database');
  t.equal(found?.state, 'wrong');
  t.ok(found?.advice.includes(command), 'the doctor names the same');
  await daemon.end('SIGKILL');
  t.same(existsSync(box.state) ? readFileSync(box.state) : null, was, 'the database is as it was');
  t.equal(readFileSync(join(box.dataDir, 'audit.head'), 'utf8'), head, 'and so is the head of its audit log');
}

/** The command that was named brings the box back, with what was done meanwhile. */
async function comesBack(t: Test, box: Awaited<ReturnType<typeof keptBox>>): Promise<void> {
  const last = readFileSync(join(box.dataDir, 'backup.last'), 'utf8');
  t.equal((await dunlin(t, 'restore', box.backup, '--data', box.dataDir)).code, 0);
  t.equal(
    readFileSync(join(box.dataDir, 'backup.last'), 'utf8'),
    last,
    'the record of the last backup is carried over',
  );
  t.match(readFileSync(join(box.dataDir, 'state.marker'), 'utf8'), /audit\.head/, 'and the marker is there at once');
  t.match(await dunlin(t, 'audit', 'verify', '--data', box.dataDir), { code: 0, out: /^ok:/ });
  const daemon = await box.spawn();
  t.equal((await daemon.request('/api/health')).status, 200);
  t.ok((await daemon.get<Sensor[]>('/api/sensors')).some(({ name }) => name === 'by hand'));
  const [recovered, ...more] = await daemon.get<LogEvent[]>('/api/events?kind=audit.recovered');
  t.match(recovered, { severity: 'notice', after: { unsigned: 0, unread: 0 } });
  t.same(more, []);
  for (const kind of ['engagement.stop_all', 'alert.acknowledged'])
    t.equal((await daemon.get<LogEvent[]>(`/api/events?kind=${kind}`)).length, 1, kind);
  t.notOk(existsSync(join(box.dataDir, 'audit.recovery.jsonl')));
  await daemon.end();
  t.equal((await dunlin(t, 'audit', 'verify', '--data', box.dataDir)).code, 0);
}

t.test('a damaged database: the box guards, changes nothing, and names the way back', async (t) => {
  const box = await keptBox(t);
  damage(box.state);
  await guardsInRecovery(t, box, /state\.db is damaged/);
  await comesBack(t, box);
});

t.test('the side file of a recovery, removed before or after the restore, is missed', async (t) => {
  for (const before of [true, false]) {
    const box = await keptBox(t);
    damage(box.state);
    const daemon = await box.spawn();
    t.equal((await post(daemon, '/api/engagement/stop_all', { reason: 'a test', operator: 'anna' })).status, 200);
    await daemon.end('SIGKILL');
    const side = join(box.dataDir, 'audit.recovery.jsonl');
    if (before) rmSync(side);
    t.equal((await dunlin(t, 'restore', box.backup, '--data', box.dataDir)).code, 0);
    if (!before) {
      const pending = await dunlin(t, 'audit', 'verify', '--data', box.dataDir);
      t.match(pending, {
        code: 0,
        err: /warning: \d+ audit rows of a start in recovery are in audit\.recovery\.jsonl/,
      });
      rmSync(side);
    }
    const why = /audit\.recovery\.jsonl.* ends at line 0, but state\.marker says that it reached line \d/;
    t.match(await dunlin(t, 'audit', 'verify', '--data', box.dataDir), { code: 1, out: why });
    for (const start of before || isFull ? ['first', 'second'] : ['first']) {
      const back = await box.spawn();
      const cuts = await back.get<LogEvent[]>('/api/events?kind=audit.cut');
      t.match(cuts, [{ severity: 'critical', text: why }], `${start} start: one row`);
      const alerts = await back.get<Alert[]>('/api/alerts?state=active');
      t.match(alerts.find(({ rule_id }) => rule_id === 'box.audit_log')?.text, why, 'and the alert');
      await back.end();
    }
    t.match(await dunlin(t, 'audit', 'verify', '--data', box.dataDir), { code: 1, out: /audit\.cut/ });
  }
});

t.test('a backup outside the usual folder is named again after a restore', async (t) => {
  const box = fieldBox(t, radarConfig);
  const daemon = await box.spawn();
  t.equal(await daemon.end(), 0);
  const state = join(box.dataDir, 'state.db');
  const named = {
    err: /state\.db is damaged: .*\. No backup was found in .*move the folder .* away to start without data\.\n$/,
  };
  const backup = join(box.folder, 'elsewhere', 'kept');
  t.equal((await dunlin(t, 'backup', backup, '--data', box.dataDir)).code, 0);
  const command = `dunlin restore ${backup} --data ${box.dataDir}`;
  for (const round of ['first', 'second']) {
    damage(state);
    const failed = await dunlin(t, 'backup', join(box.folder, round), '--data', box.dataDir);
    t.equal(failed.code, 1);
    t.ok(failed.err.includes(`${state} is damaged`) && failed.err.includes(command), failed.err);
    const verified = await dunlin(t, 'audit', 'verify', '--data', box.dataDir);
    t.ok(verified.code === 1 && verified.err.includes(command), verified.err);
    t.equal((await dunlin(t, 'restore', backup, '--data', box.dataDir)).code, 0);
    rmSync(join(box.dataDir, round === 'first' ? 'nothing' : 'backup.last'), { force: true });
  }
  damage(state);
  t.match(await dunlin(t, 'backup', join(box.folder, 'third'), '--data', box.dataDir), { code: 1, ...named });
  t.equal((await dunlin(t, 'restore', backup, '--data', box.dataDir)).code, 0);
  t.match(readFileSync(join(box.dataDir, 'backup.last'), 'utf8'), backup, 'the restored backup where none is recorded');
});

t.test('an emptied database beside its marker is no new box', async (t) => {
  const box = await keptBox(t);
  truncateSync(box.state);
  await guardsInRecovery(t, box, /state\.db is empty, and .*state\.marker shows that there was one/);
  const added = await dunlinWith(
    t,
    { input: 'a long password\n' },
    'user',
    'add',
    'mallory',
    '--role',
    'owner',
    '--data',
    box.dataDir,
  );
  t.not(added.code, 0, 'nor is it one for the command line');
  t.equal(statSync(box.state).size, 0);
});

t.test('a missing database of an earlier version, which wrote no marker, is no new box', async (t) => {
  const box = await keptBox(t);
  for (const name of ['state.db', 'state.db-wal', 'state.db-shm', 'state.marker'])
    rmSync(join(box.dataDir, name), { force: true });
  const daemon = await box.spawn();
  t.equal((await daemon.request('/api/health')).status, 503);
  await daemon.end();
});
