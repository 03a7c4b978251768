import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import t from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime } from '../support/basics/patience.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { dunlin, dunlinWith, refusedServe } from '../support/daemon/dunlin.ts';
import { fieldBox } from '../support/daemon/field_box.ts';

takeTime(t, 180);

const PASSWORD = 'a long enough password\n';
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const page = readFileSync('docs/use/lan.md', 'utf8');

/** The first block of a language in a section of the page, without its indentation. */
function blockOf(title: string, language: 'sh' | 'yaml'): string {
  const section = page.split(new RegExp(`\\n##+ ${title}\\n`))[1];
  const block = section?.match(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``))?.[1];
  if (block === undefined) throw new Error(`the page has no section '${title}' with ${language}`);
  return block.replaceAll(/^ {3}/gm, '');
}

/** Runs the first shell commands of a section of the page in a folder. */
function follow(title: string, cwd: string): void {
  const block = blockOf(title, 'sh');
  const { status, stderr } = spawnSync('bash', ['-e', '-c', block], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

t.test('user add on a box that never started makes the data folder, and the daemon takes it', async (t) => {
  const dataDir = join(folderOf(t), 'below', 'data');
  const short = await dunlinWith(t, { input: 'short\n' }, 'user', 'add', 'anna', '--role', 'owner', '--data', dataDir);
  t.equal(short.code, 1);
  t.notOk(existsSync(dataDir), 'a refused password makes nothing');
  const added = await dunlinWith(t, { input: PASSWORD }, 'user', 'add', 'anna', '--role', 'owner', '--data', dataDir);
  t.match(added, { code: 0, out: /anna may sign in as owner in .*data/, err: /is a new data folder/ });
  t.equal(statSync(dataDir).mode & 0o777, 0o750);
  const daemon = await startDaemon(t, { dataDir });
  const { status } = await daemon.post('/v1/auth/sign-in', { username: 'anna', password: PASSWORD.trim() });
  t.equal(status, 200);
});

t.test('a missing, unreadable or foreign certificate is found before the start', async (t) => {
  const box = fieldBox(t, '');
  const config = (cert: string, key: string): void =>
    writeFileSync(box.config, `http: {tls: {cert_file: "${cert}", key_file: "${key}"}}\n`);
  const none = join(box.folder, 'none.pem');
  const junk = join(box.folder, 'junk.pem');
  writeFileSync(junk, 'junk');
  const folder = join(box.folder, 'folder.pem');
  mkdirSync(folder);
  for (const [cert, key, said] of [
    [none, none, /http\.tls\.cert_file: .*none\.pem cannot be read/],
    [junk, none, /http\.tls\.key_file: .*none\.pem cannot be read/],
    [folder, junk, /http\.tls\.cert_file: .*folder\.pem cannot be read/],
    [junk, junk, /are not a certificate and its private key/],
  ] as const) {
    config(cert, key);
    t.match(await dunlin(t, 'check-config', box.config), { code: 78, err: said, out: '' });
    const args = ['--config', box.config, '--data', box.dataDir, '--listen', '127.0.0.1:0'];
    const served = cert === none ? await dunlin(t, 'serve', ...args) : await refusedServe(...args);
    t.match(served, { code: 78, err: said });
    const { code, out } = await dunlin(t, 'doctor', ...args);
    t.equal(code, 1);
    t.match(out, said);
    t.match(out, /docs\/use\/lan\.md/, 'with the way to one');
  }
});

t.test(
  'the page of the network makes certificates that serve, by both ways',
  {
    skip: hasOpenssl ? false : 'needs openssl',
  },
  async (t) => {
    for (const [title, trusted] of [
      ['1. Certificate', 'cert.pem'],
      ['An own authority', 'ca.pem'],
    ] as const) {
      const box = fieldBox(t, '');
      follow(title, box.folder);
      writeFileSync(box.config, blockOf('2. Configuration', 'yaml').replaceAll('tls/', `${box.folder}/tls/`));
      const checked = await dunlin(t, 'check-config', box.config);
      t.match(checked, { code: 0, out: /serves https:\/\/0\.0\.0\.0:8077/, err: '' });
      const daemon = await box.start();
      const ca = readFileSync(join(box.folder, 'tls', trusted));
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const asked = request(`${daemon.url}/api/health`, { ca, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.once('error', reject).end();
      });
      t.ok(status, `${title}: the console trusts it`);
      const { out } = await dunlin(t, 'doctor', '--config', box.config, '--listen', new URL(daemon.url).host);
      t.match(out, /ok {7}tls: .*cert\.pem is valid until 20/);
      await daemon.end();
    }
  },
);

t.test('a certificate near its end is a warning, and one that ended is wrong', { skip: !hasOpenssl }, async (t) => {
  const box = fieldBox(t, '');
  const make = (...days: string[]): void => {
    const args = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-noenc',
      '-subj',
      '/CN=x',
      '-keyout',
      'k.pem',
      '-out',
      'c.pem',
    ];
    spawnSync('openssl', [...args, ...days], { cwd: box.folder });
  };
  writeFileSync(box.config, `http: {tls: {cert_file: ${box.folder}/c.pem, key_file: ${box.folder}/k.pem}}\n`);
  make('-days', '10');
  t.match(await dunlin(t, 'doctor', '--config', box.config), {
    out: /warning {2}tls: .* valid until .*, (9|10) days\n/,
  });
});

t.test('listening beyond the box without TLS is a warning with the way to a certificate', async (t) => {
  const box = fieldBox(t, 'http: {listen: "0.0.0.0:8077"}\n');
  const checked = await dunlin(t, 'check-config', box.config);
  t.match(checked, { code: 0, err: /^warning: http\.listen 0\.0\.0\.0:8077: .*without TLS.*docs\/use\/lan\.md/ });
  const { out } = await dunlin(t, 'doctor', '--config', box.config, '--data', box.dataDir, '--listen', '[::]:0');
  t.match(out, /warning {2}tls: \[::\]:0 serves other machines without TLS.*\n +do: docs\/use\/lan\.md/);
  for (const listen of ['127.0.0.1:8077', '"[::1]:8077"', 'localhost:8077', '127.9.9.9:1']) {
    writeFileSync(box.config, `http: {listen: ${listen}}\n`);
    t.match(await dunlin(t, 'check-config', box.config), { code: 0, err: '' }, listen);
  }
});

t.test('check-config takes the file as a word', async (t) => {
  const box = fieldBox(t, 'log: {level: loud}\n');
  t.match(await dunlin(t, 'check-config', box.config), { code: 78, err: /log\.level/ });
  t.match(await dunlin(t, 'check-config', box.config, 'more'), { code: 2, err: /'more' is the second one/ });
  t.match(await dunlin(t, 'check-config', box.config, '--config', 'x'), { code: 2, err: /are two files/ });
});

t.test('an option or command that is not there is answered with the one that is meant', async (t) => {
  for (const [args, said] of [
    [['serve', '--port', '9000'], "Unknown option '--port'; did you mean --listen 127.0.0.1:9000?"],
    [['serve', '--port=9000'], "Unknown option '--port'; did you mean --listen 127.0.0.1:9000?"],
    [['serve', '-p', '9000'], "Unknown option '-p'; did you mean --listen 127.0.0.1:9000?"],
    [['serve', '--port'], "Unknown option '--port'; did you mean --listen?"],
    [['serve', '--host', '0.0.0.0'], "Unknown option '--host'; did you mean --listen 0.0.0.0:8077?"],
    [['serve', '--listne', '127.0.0.1:1'], "Unknown option '--listne'; did you mean --listen?"],
    [['doctor', '--jsn'], "Unknown option '--jsn'; did you mean --json?"],
    [['backup', 'x', '--data-dir', '/srv/x'], "Unknown option '--data-dir'; did you mean --data /srv/x?"],
    [['user', 'list', '--work-space', 'x'], "Unknown option '--work-space'; did you mean --workspace?"],
    [['replay', 'x', '--speed', '4'], "Unknown option '--speed'; did you mean --rate 4?"],
    [['check-config', '--port', '1'], "Unknown option '--port'"],
    [['serve', '--port', '\x1b[2J'], "Unknown option '--port'; did you mean --listen?"],
  ] as const) {
    const [command, ...options] = args;
    const { code, err } = command === 'serve' ? await refusedServe(...options) : await dunlin(t, ...args);
    t.equal(code, 2, args.join(' '));
    t.equal(err.split('\n')[0], `dunlin ${args[0]}: ${said}`);
  }
  t.match(await dunlin(t, 'doctr'), { code: 2, err: /there is no command 'doctr'. Did you mean 'doctor'\?/ });
});

t.test('no link, no sensor and no zone are findings with what to do, running or not', async (t) => {
  const box = fieldBox(t, '');
  const lacks = [
    /warning {2}links: no link is configured.*\n +do: .*--link SPEC/,
    /warning {2}sensors: no sensor is known.*\n +do: .*POST \/api\/sensors/,
    /warning {2}zones: no zone is drawn.*\n +do: .*POST \/api\/zones/,
  ];
  const named = ['--config', box.config, '--data', box.dataDir];
  const before = await dunlin(t, 'doctor', ...named);
  for (const lack of lacks) t.match(before.out, lack);
  const daemon = await box.spawn();
  const listen = new URL(daemon.url).host;
  const empty = await dunlin(t, 'doctor', ...named, '--listen', listen);
  for (const lack of lacks) t.match(empty.out, lack);
  await daemon.post('/api/links', { name: 'rid', transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink' });
  await daemon.post('/api/zones', {
    name: 'apron',
    kind: 'protected',
    geometry: { type: 'Point', coordinates: [8.73, 47.19], radius_m: 400 },
  });
  const furnished = await dunlin(t, 'doctor', ...named, '--listen', listen);
  t.match(furnished.out, /ok {7}link rid: 127\.0\.0\.1:0: the running daemon has this link.*; its state is open/);
  t.match(furnished.out, /sensors: 1 of 1 sensors are silent, have a fault or are in the state unknown: rid/);
  t.match(furnished.out, /ok {7}zones: 1 zone\n/);
  await daemon.end();
  t.match((await dunlin(t, 'doctor', ...named, '--listen', listen)).out, /ok {7}zones: 1 zone\n/);
});
