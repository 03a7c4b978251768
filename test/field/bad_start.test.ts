import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { plainNode, runToEnd, sentencesOf } from '../support/daemon/program.ts';

onlyInFull(t);
takeTime(t, 300);

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const notRoot = isRoot ? false : 'only root can become a user who may not write';

/** Runs `serve` and judges how it refused: its exit code, and the last sentence of its log. */
async function refusal(t: Test, args: string[], options: Parameters<typeof runToEnd>[2] = {}) {
  const ended = await runToEnd(t, ['serve', ...args], options);
  return { ...ended, sentence: sentencesOf(ended.out).at(-1) ?? '' };
}

const anyPort = ['--listen', '127.0.0.1:0'];

t.test('a port for HTTP that is taken', async (t) => {
  const { dataDir } = fieldBox(t, '');
  const holder = createServer().listen(0, '127.0.0.1');
  t.teardown(() => holder.close());
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  const { code, sentence, tookMs } = await refusal(t, ['--data', dataDir, '--listen', `127.0.0.1:${port}`]);
  t.equal(code, 1);
  t.equal(
    sentence,
    `cannot listen for HTTP on port ${port} of 127.0.0.1: another program already listens there; choose another port with --listen HOST:PORT`,
  );
  t.comment(`ended after ${tookMs.toFixed(0)} ms`);
});

t.test('addresses for HTTP that are none', async (t) => {
  const { dataDir } = fieldBox(t, '');
  for (const listen of ['127.0.0.1:http', '8077', '127.0.0.1:99999']) {
    const { code, err } = await refusal(t, ['--data', dataDir, '--listen', listen]);
    t.equal(code, 78);
    t.equal(err, `--listen ${listen}: must be HOST:PORT, for example 127.0.0.1:8077\n`);
  }
  const elsewhere = await refusal(t, ['--data', dataDir, '--listen', '192.0.2.1:8077']);
  t.equal(elsewhere.code, 1);
  t.match(elsewhere.sentence, /192\.0\.2\.1: this box has no such address/);
});

t.test('a data folder that is a file', async (t) => {
  const { folder } = fieldBox(t, '');
  const path = join(folder, 'notes.txt');
  writeFileSync(path, 'not a folder');
  const { code, sentence } = await refusal(t, ['--data', path, ...anyPort]);
  t.equal(code, 1);
  t.equal(sentence, `The data folder ${path} cannot be created: a file with this path exists already (EEXIST).`);
});

t.test('a data folder, a database and a history that this user may not write', { skip: notRoot }, async (t) => {
  const box = fieldBox(t, radarConfig);
  for (const one of [dirname(box.folder), box.folder]) chmodSync(one, 0o755);
  const command = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...plainNode];
  const args = ['--data', box.dataDir, ...anyPort];
  const folder = await refusal(t, args, { command });
  t.equal(folder.code, 1);
  t.equal(folder.sentence, `The data folder ${box.dataDir} cannot be written: permission denied (EACCES).`);

  // What a first start as root leaves behind for the daemon's own user.
  await (await box.spawn()).end();
  chownSync(box.dataDir, nobody, nobody);
  const file = await refusal(t, args, { command });
  t.equal(file.code, 1);
  t.match(file.sentence, new RegExp(`^The (file|lock) ${box.dataDir}/\\S+ cannot be .*permission denied`));
});

t.test('a data folder that another daemon uses', async (t) => {
  const box = fieldBox(t, radarConfig);
  const first = await box.spawn();
  const { code, sentence } = await refusal(t, ['--data', box.dataDir, ...anyPort]);
  t.equal(code, 1);
  t.match(sentence, `The data folder ${box.dataDir} is in use by another Dunlin`);
  t.equal((await first.request('/api/health')).status, 200, 'the first is not disturbed');
  await first.end('SIGKILL');
  t.ok(await box.spawn(), 'when it is gone, however it went, the folder is free');
});

t.test('a database of a newer version, and one of another program', async (t) => {
  const box = fieldBox(t, radarConfig);
  await (await box.spawn()).end();
  const path = join(box.dataDir, 'state.db');
  const newer = new Database(path);
  const version = Number(newer.pragma('user_version', { simple: true }));
  newer.pragma(`user_version = ${version + 1}`);
  newer.close();
  const args = ['--data', box.dataDir, ...anyPort];
  const refused = await refusal(t, args);
  t.equal(refused.code, 65, 'a code of its own, after which a rollback restores a backup');
  t.match(refused.sentence, `The database ${path} was written by a newer Dunlin (schema ${version + 1}`);

  writeFileSync(path, '');
  const foreign = new Database(path);
  foreign.exec('CREATE TABLE cats (name TEXT)');
  foreign.close();
  const other = await refusal(t, args);
  t.equal(other.code, 1);
  t.match(other.sentence, `The file ${path} is a database of another program`);
});

t.test('a history folder that is a file', async (t) => {
  const box = fieldBox(t, radarConfig);
  writeFileSync(join(box.dataDir, 'history'), 'a file stands here');
  const { code, sentence } = await refusal(t, ['--config', box.config, '--data', box.dataDir, ...anyPort]);
  t.equal(code, 1);
  t.equal(sentence, 'The history cannot be read: a part of its path is not a folder (ENOTDIR).');
});

t.test('configurations that are wrong', async (t) => {
  const box = fieldBox(t, '');
  const withText = (text: string) => {
    writeFileSync(box.config, text);
    return refusal(t, ['--config', box.config, '--data', box.dataDir, ...anyPort]);
  };
  const three = await withText('stream: {tick_ms: fast}\nfeeds:\n  max_age_s: -1\nhtpp: {}\n');
  t.equal(three.code, 78);
  const lines = three.err.trim().split('\n');
  t.equal(lines.length, 3, 'all that is wrong is said at once');
  t.match(lines[0], `${box.config}:1:19: stream.tick_ms: `);
  t.match(lines[1], `${box.config}:3:14: feeds.max_age_s: `);
  t.match(lines[2], `${box.config}:4:1: htpp: `);

  const broken = await withText('links:\n  - {name: rid, transport: udp\nhttp: {}\n');
  t.equal(broken.code, 78);
  t.match(broken.err, /dunlin\.yaml:\d+:\d+: /, 'a file that is no YAML');

  const missing = await refusal(t, ['--config', join(box.folder, 'none.yaml'), '--data', box.dataDir, ...anyPort]);
  t.equal(missing.code, 78);
  t.match(missing.err, /none\.yaml cannot be read: there is no such file/);
  const folder = await refusal(t, ['--config', box.folder, '--data', box.dataDir, ...anyPort]);
  t.equal(folder.code, 78);
  t.match(folder.err, /cannot be read: it is a folder/);
});

t.test('a configuration that this user may not read', { skip: notRoot }, async (t) => {
  const box = fieldBox(t, '');
  chmodSync(box.folder, 0o755);
  chmodSync(box.config, 0o600);
  mkdirSync(join(box.folder, 'theirs'));
  chownSync(join(box.folder, 'theirs'), nobody, nobody);
  const command = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...plainNode];
  const args = ['--config', box.config, '--data', join(box.folder, 'theirs'), ...anyPort];
  const { code, err } = await refusal(t, args, { command });
  t.equal(code, 78);
  t.match(err, /dunlin\.yaml cannot be read: permission denied/);
});

t.test('command lines that are wrong', async (t) => {
  const { dataDir } = fieldBox(t, '');
  const unknown = await refusal(t, ['--listne', '127.0.0.1:0']);
  t.equal(unknown.code, 2);
  t.match(unknown.err, /Unknown option '--listne'/);
  t.match(unknown.err, /Usage: dunlin serve/, 'with the help');
  const command = await runToEnd(t, ['sevre']);
  t.equal(command.code, 2);
  t.match(command.err, /there is no command 'sevre'/);

  const specs: [string, RegExp][] = [
    ['name=rid', /transport: .*; .*address: .*; .*protocol: /],
    ['name=rid,transport=udp,address=14550,protocol=mavlink', /address: must be HOST:PORT/],
    ['name=rid,transport=pigeon,address=x,protocol=mavlink', /transport: .*pigeon/],
    ['name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink,bauds=9600', /bauds/],
    ['rid', /"rid" is not key=value/],
  ];
  for (const [spec, rule] of specs) {
    const { code, err } = await refusal(t, ['--data', dataDir, ...anyPort, '--link', spec]);
    t.equal(code, 78);
    t.match(err, rule, err.trim());
  }
});
