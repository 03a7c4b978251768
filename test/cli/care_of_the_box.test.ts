import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { withoutGuards } from '../support/daemon/audit.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { fieldBox } from '../support/daemon/field_box.ts';

onlyInFull(t);
takeTime(t, 180);

async function declare(daemon: Daemon, name: string): Promise<Sensor> {
  const { body } = await daemon.post('/api/sensors', { name, modality: 'acoustic' });
  if (!body.ok) throw new Error(body.error);
  return body.data as Sensor;
}

async function names(daemon: Daemon): Promise<string[]> {
  return (await daemon.get<Sensor[]>('/api/sensors')).map(({ name }) => name).sort();
}

t.test('the audit log is verified while the daemon runs and after, and a change of it is named', async (t) => {
  const box = fieldBox(t, '');
  const daemon = await box.spawn();
  for (const name of ['a', 'b', 'c']) await declare(daemon, name);
  const running = await dunlin(t, 'audit', 'verify', '--data', box.dataDir);
  t.match(running, { code: 0, out: /^ok: 3 audit rows in one intact chain, from row \d+ of .* to row \d+ of / });
  t.equal(await daemon.end(), 0);
  t.equal((await dunlin(t, 'audit', 'verify', '--data', box.dataDir)).code, 0);

  const db = new Database(join(box.dataDir, 'state.db'));
  const seq = db.prepare('SELECT max(seq) - 1 FROM audit').pluck().get();
  withoutGuards(db, () => db.prepare("UPDATE audit SET text = 'sensor b was never there' WHERE seq = ?").run(seq));
  db.close();
  const broken = await dunlin(t, 'audit', 'verify', '--data', box.dataDir);
  t.match(broken, { code: 1, out: new RegExp(`^broken: row ${seq} \\(sensor.created, .*its hash does not match`) });
  t.match(broken.out, /1 rows before this row are unchanged since they were written/);
});

t.test('a tail that was cut while nobody watched is told of by the next start, for ever', async (t) => {
  const box = fieldBox(t, '');
  const daemon = await box.spawn();
  for (const name of ['a', 'b', 'c']) await declare(daemon, name);
  await daemon.end();
  const db = new Database(join(box.dataDir, 'state.db'));
  withoutGuards(db, () => db.exec('DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)'));
  db.close();
  t.match(await dunlin(t, 'audit', 'verify', '--data', box.dataDir), { code: 1, out: /missing at its end/ });
  const again = await box.spawn();
  const [row] = await again.get<LogEvent[]>('/api/events?kind=audit.cut');
  t.match(row, { severity: 'critical', text: /ends at row \d+, but it reached row \d+/ });
});

t.test('a backup of a running daemon is whole, and restores what was there', async (t) => {
  const box = fieldBox(t, '');
  const daemon = await box.spawn();
  await declare(daemon, 'before');
  const history = join(box.dataDir, 'history');
  await until(async () => existsSync(history) && readdirSync(history).length > 0, 'the first day is begun');
  const to = join(box.folder, 'backup');
  t.match(await dunlin(t, 'backup', to, '--data', box.dataDir), { code: 0, out: /^ok: \d+ files/ });
  t.same(readdirSync(to).sort(), ['audit.head', 'audit.key', 'history', 'manifest.json', 'state.db', 'state.marker']);
  t.equal(statSync(join(to, 'audit.key')).mode & 0o077, 0);
  t.equal((await dunlin(t, 'audit', 'verify', '--data', to)).code, 0, 'its audit log is whole');
  await declare(daemon, 'after');

  const inUse = await dunlin(t, 'restore', to, '--data', box.dataDir);
  t.match(inUse, { code: 1, err: /is in use by another Dunlin/ });
  t.same(await names(daemon), ['after', 'before'], 'nothing was touched');
  await daemon.end();

  const done = await dunlin(t, 'restore', to, '--data', box.dataDir);
  t.match(done, { code: 0, out: /^ok: / });
  const kept = readdirSync(box.folder).filter((name) => name.startsWith('data.before-restore-'));
  t.equal(kept.length, 1);
  t.ok(existsSync(join(box.folder, kept[0] ?? '', 'state.db')), 'what was there is kept');
  const again = await box.spawn();
  t.same(await names(again), ['before']);
  const [row, ...more] = await again.get<LogEvent[]>('/api/events?kind=box.restored');
  t.match(row, { severity: 'notice', text: /^restored from the backup of 2/, actor: { id: 'command line' } });
  t.same(more, []);
  t.notOk(
    again.lines.some(({ msg }) => String(msg).includes('was not shut down properly')),
    'what was restored did not break off',
  );
  await declare(again, 'later');
  t.equal((await dunlin(t, 'audit', 'verify', '--data', box.dataDir)).code, 0, 'and the chain goes on');
  await again.end();
  const third = await box.spawn();
  t.equal((await third.get<LogEvent[]>('/api/events?kind=box.restored')).length, 1, 'told once');
});

t.test(
  'a backup that is damaged, lacks a file or is of a newer version is refused, with the data as it was',
  async (t) => {
    const box = fieldBox(t, '');
    const daemon = await box.spawn();
    await declare(daemon, 'mine');
    await daemon.end();
    const to = join(box.folder, 'backup');
    t.equal((await dunlin(t, 'backup', to, '--data', box.dataDir)).code, 0);
    const manifest = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'));
    const whole = readFileSync(join(to, 'state.db'));
    const before = readdirSync(box.folder).sort();
    const refused = async (pattern: RegExp): Promise<void> => {
      t.match(await dunlin(t, 'restore', to, '--data', box.dataDir), { code: 1, err: pattern });
      t.same(readdirSync(box.folder).sort(), before);
    };
    const flipped = Buffer.from(whole);
    flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1;
    writeFileSync(join(to, 'state.db'), flipped);
    await refused(/state.db of the backup was changed or damaged/);
    writeFileSync(join(to, 'state.db'), whole);
    const write = (change: object): void =>
      writeFileSync(join(to, 'manifest.json'), JSON.stringify({ ...manifest, ...change }));
    write({ schema_version: 999 });
    await refused(/made by a newer Dunlin/);
    write({ files: [...manifest.files, { path: '../../etc/x', bytes: 1, sha256: 'x' }] });
    await refused(/names a file outside the backup/);
    write({ files: [...manifest.files, { path: 'history/x.db', bytes: 1, sha256: 'x' }] });
    await refused(/incomplete: its file history\/x.db is missing/);
    writeFileSync(join(to, 'manifest.json'), 'x');
    await refused(/not the manifest of a backup/);
    t.match(await dunlin(t, 'restore', box.folder, '--data', box.dataDir), {
      code: 1,
      err: /is not a backup: the file /,
    });
    const nowhere = join(box.folder, 'nowhere');
    t.match(await dunlin(t, 'restore', nowhere, '--data', box.dataDir), {
      code: 1,
      err: /the backup folder .*nowhere does not exist/,
    });
    t.match(await dunlin(t, 'backup', join(box.folder, 'dunlin.yaml'), '--data', box.dataDir), { code: 1 });
  },
);

t.test('backups in a folder are named by their time, and the newest are kept', async (t) => {
  const box = fieldBox(t, '');
  await (await box.spawn()).end();
  const to = join(box.folder, 'backups');
  for (const name of ['dunlin-20200101T000000Z', 'dunlin-20210101T000000Z', 'mine']) {
    mkdirSync(join(to, name), { recursive: true });
  }
  t.equal((await dunlin(t, 'backup', to, '--data', box.dataDir, '--keep', '2')).code, 0);
  const left = readdirSync(to).sort();
  t.match(left, [/^dunlin-2021/, /^dunlin-\d{8}T\d{6}Z$/, 'mine']);
  t.equal((await dunlin(t, 'backup', to, '--data', box.dataDir, '--keep', 'x')).code, 2);
  const within = join(to, left.at(-2) ?? '');
  t.match(await dunlin(t, 'backup', within, '--data', box.dataDir, '--keep', '2'), {
    code: 1,
    err: /is a backup: --keep/,
  });
  t.match(await dunlin(t, 'backup', within, '--data', box.dataDir), { code: 0 }, 'to a place that is a backup');
  t.notOk(readdirSync(within).some((name) => name.startsWith('dunlin-')));
  t.ok(
    readdirSync(to).some((name) => /^dunlin-\d{8}T\d{6}Z-\d{8}T\d{6}Z$/.test(name)),
    'the new one stands beside',
  );
});

t.test('the new backup is kept even if others have later names', async (t) => {
  const box = fieldBox(t, '');
  await (await box.spawn()).end();
  const to = join(box.folder, 'backups');
  const later = ['dunlin-20990101T000000Z', 'dunlin-20990102T000000Z'];
  for (const name of later) mkdirSync(join(to, name), { recursive: true });
  const { code, err } = await dunlin(t, 'backup', to, '--data', box.dataDir, '--keep', '2');
  t.equal(code, 0);
  t.match(err, /warning: dunlin-20990102T000000Z in .* has a later time than the new backup/);
  const left = readdirSync(to).sort();
  t.match(left, [/^dunlin-20[2-8]\d/, later[1]]);
  t.ok(existsSync(join(to, left[0] ?? '', 'manifest.json')));
});

t.test('with --keep the folder of the backups is made, and backups beside it stay', async (t) => {
  const box = fieldBox(t, '');
  await (await box.spawn()).end();
  const beside = join(box.folder, 'dunlin-20200101T000000Z');
  mkdirSync(beside);
  const to = join(box.folder, 'new');
  t.equal((await dunlin(t, 'backup', to, '--data', box.dataDir, '--keep', '1')).code, 0);
  t.match(readdirSync(to), [/^dunlin-\d{8}T\d{6}Z$/]);
  t.ok(existsSync(beside));
});

type Report = { healthy: boolean; findings: { check: string; state: string; text: string; advice: string | null }[] };

async function examine(...args: string[]): Promise<{ code: number | null; report: Report }> {
  const { code, out } = await dunlin(t, 'doctor', '--json', ...args);
  return { code, report: JSON.parse(out) };
}

function of(report: Report, check: string): Report['findings'][number] | undefined {
  return report.findings.find((finding) => finding.check === check);
}

t.test('the doctor finds a good box good, running or not', async (t) => {
  const box = fieldBox(t, '');
  chmodSync(box.dataDir, 0o750);
  const daemon = await box.spawn();
  await declare(daemon, 'a');
  const listen = new URL(daemon.url).host;
  const link = { name: 'made', transport: 'tcp_server', address: '127.0.0.1:0', protocol: 'sbs' };
  t.equal((await daemon.post('/api/links', link)).status, 200);
  const lost = await examine('--config', box.config, '--data', box.dataDir, '--listen', '127.0.0.1:9');
  t.match(of(lost.report, 'http'), { state: 'wrong', advice: /--listen HOST:PORT or --config FILE/ });
  const running = await examine('--config', box.config, '--data', box.dataDir, '--listen', listen);
  t.match(of(running.report, 'link made'), { state: 'ok' }, 'a link that was made at run time');
  t.equal(running.code, 0, JSON.stringify(running.report.findings.filter(({ state }) => state === 'wrong')));
  t.match(of(running.report, 'http'), { state: 'ok', text: /answers/ });
  t.match(of(running.report, 'audit log'), { state: 'ok', text: /2 rows/ });
  t.match(of(running.report, 'addon'), { state: 'ok' });
  await daemon.end();
  const stopped = await examine('--config', box.config, '--data', box.dataDir, '--listen', listen);
  t.match(of(stopped.report, 'http'), { state: 'ok', text: /is free/ });
  const said = await dunlin(t, 'doctor', '--config', box.config, '--data', box.dataDir, '--listen', listen);
  t.match(said, { code: 0, out: /^ok {7}configuration: / });
});

t.test('the doctor sees links of the command line, of a running daemon and its own', async (t) => {
  const box = fieldBox(t, '');
  chmodSync(box.dataDir, 0o750);
  const spec = (name: string) => `name=${name},transport=udp,address=127.0.0.1:0,protocol=mavlink`;
  const daemon = await box.spawn({ args: ['--link', spec('rid')] });
  const listen = new URL(daemon.url).host;
  const named = ['--config', box.config, '--data', box.dataDir, '--listen', listen];
  const running = await examine(...named);
  const text = /^127.0.0.1:0: the running daemon has this link, but the configuration does not; its state is open$/;
  t.match(of(running.report, 'link rid'), { state: 'ok', text });
  t.equal(of(running.report, 'links'), undefined);
  const both = await examine(...named, '--link', spec('rid'), '--link', spec('more'));
  t.equal(both.report.findings.filter(({ check }) => check === 'link rid').length, 1);
  t.match(of(both.report, 'link rid'), {
    state: 'ok',
    text: /^127.0.0.1:0: the running daemon has this link; its state is open$/,
  });
  t.match(of(both.report, 'link more'), { state: 'ok', text: /is free; the running daemon does not have this link$/ });
  const moved = await examine(...named, '--link', spec('rid').replace(':0', ':19999'));
  t.equal(moved.code, 0);
  const places = 'the running daemon has this link on udp 127.0.0.1:0, but here it is on udp 127.0.0.1:19999';
  t.match(of(moved.report, 'link rid'), { state: 'warning', text: places });
  const taken = `127.0.0.1:${await daemon.port('rid')}`;
  const absent = await examine(
    ...[...named, '--link', spec('more').replace('127.0.0.1:0', taken)],
    ...['--link', 'name=gate,transport=serial,address=/dev/serial/by-id/none,protocol=odid_json'],
  );
  t.match(of(absent.report, 'link more'), { state: 'wrong', text: /in use by another program; .* does not have/ });
  t.match(of(absent.report, 'link gate'), { state: 'warning', text: /is not there; .* does not have/ });
  const malformed = await examine(...named, '--link', 'rid');
  t.equal(malformed.code, 1);
  t.match(of(malformed.report, 'command line'), {
    state: 'wrong',
    text: /^--link rid: /,
    advice: /correct the option/,
  });
  t.equal(of(malformed.report, 'configuration'), undefined, 'the file is not at fault');
  await daemon.end();
  const bare = await examine(...named);
  t.match(of(bare.report, 'links'), {
    ...{ state: 'warning', text: 'no link is configured: nothing is received' },
    advice: /--link SPEC/,
  });
  const again = await box.spawn();
  await declare(again, 'mast');
  const fed = await examine('--config', box.config, '--data', box.dataDir, '--listen', new URL(again.url).host);
  t.match(of(fed.report, 'links'), { state: 'ok', text: 'no link is configured: reports come over HTTP alone' });
});

t.test('the doctor says why a running daemon is not healthy', async (t) => {
  const box = fieldBox(t, 'sensors:\n  - {name: mast, modality: radar, heartbeat_s: 1}\n');
  const daemon = await box.spawn();
  await until(async () => (await daemon.request('/api/health')).status === 503, 'it is deaf');
  const listen = new URL(daemon.url).host;
  const { code, report } = await examine('--config', box.config, '--data', box.dataDir, '--listen', listen);
  t.equal(code, 1);
  t.match(of(report, 'http'), { state: 'wrong', text: /not healthy: sensors \(1 of 1 not received: mast silent, / });
});

t.test('the doctor names what is wrong and what to do', async (t) => {
  const box = fieldBox(t, '');
  const daemon = await box.spawn();
  const { host } = new URL(daemon.url);
  const other = fieldBox(
    t,
    `http: {listen: "${host}"}\nlinks:\n  - {name: gone, transport: serial, address: /dev/serial/by-id/none, protocol: mavlink}\n`,
  );
  writeFileSync(join(other.dataDir, 'state.db'), 'x'.repeat(20_000));
  const { code, report } = await examine('--config', other.config, '--data', other.dataDir);
  t.equal(code, 1);
  t.match(of(report, 'http'), { state: 'wrong', text: /in use by another program/, advice: /ss -ltnp/ });
  t.match(of(report, 'database'), { state: 'wrong', advice: /dunlin restore/ });
  t.match(of(report, 'link gone'), { state: 'warning', text: /is not there/, advice: /plug the device in/ });
  const bad = fieldBox(t, 'http: {lisen: 1}');
  t.match(await examine('--config', bad.config), { code: 1, report: { healthy: false } });
  t.equal((await dunlin(t, 'doctor', '--surely')).code, 2);
  for (const command of ['audit', 'backup', 'restore', 'doctor']) {
    t.match(await dunlin(t, command, '--help'), { code: 0, out: /^Usage: dunlin / });
  }
});
