import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { strFromU8, unzipSync } from 'fflate';
import t, { type Test } from 'tap';
import { runCommand } from '../../src/cli/commands.ts';
import { folderOf } from '../support/basics/folder.ts';
import { dunlinWith } from '../support/daemon/dunlin.ts';
import { type FieldBox, fieldBox } from '../support/daemon/field_box.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { PASSWORD } from '../support/http/person.ts';

/** A secret that stands out, and looks as one of its place does. */
const canary = (what: string): string => `cAnarY-${what}-${randomBytes(9).toString('base64url')}`;

const all = [
  'box.json',
  'configuration.yaml',
  'contents.txt',
  'databases.json',
  'doctor.txt',
  'files.txt',
  'health.json',
  'log.txt',
  'metrics.txt',
  'problems.txt',
  'versions.json',
];

function unpack(path: string): Record<string, string> {
  const files = unzipSync(readFileSync(path));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name.replace('dunlin-support/', ''), strFromU8(bytes)]),
  );
}

function leaksIn(files: Record<string, string>, secrets: readonly string[]): string[] {
  return Object.entries(files).flatMap(([name, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${name}`),
  );
}

/** Values of every column with secrets of the state database. */
function storedSecrets(dataDir: string): string[] {
  const db = new Database(join(dataDir, 'state.db'), { readonly: true });
  const tables = ['users', 'sessions', 'api_keys', 'sealed_secrets', 'webhooks'];
  const rows = tables.flatMap((table) => db.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]);
  db.close();
  return rows.flatMap((row) =>
    Object.entries(row).flatMap(([column, value]) => {
      if (Buffer.isBuffer(value)) return [value.toString('hex'), value.toString('base64')];
      return typeof value === 'string' && value.length >= 20 && /hash|secret|password|document/.test(column)
        ? [value]
        : [];
    }),
  );
}

type Secrets = { values: string[]; log: string; env: Record<string, string> };

/** A box with a secret in each place that can have one, and a log that tells of all of them. */
function plant(t: Test, box: FieldBox): Secrets {
  const folder = folderOf(t);
  const tls = join(folder, 'tls.key');
  const body = randomBytes(48).toString('base64');
  writeFileSync(tls, `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`);
  const outletBody = randomBytes(48).toString('base64url');
  const outletKey = join(folder, 'outlet.key');
  writeFileSync(outletKey, `-----BEGIN PRIVATE KEY-----\n${outletBody}\n-----END PRIVATE KEY-----\n`);
  const outlet = `{name: tak, kind: cot, transport: tls_client, address: "127.0.0.1:2", cert_file: ${outletKey}, key_file: ${outletKey}}`;
  const comment = canary('comment');
  writeFileSync(
    box.config,
    `# the password of the switch is ${comment}\nhttp: {listen: "127.0.0.1:1", tls: {cert_file: ${tls}, key_file: ${tls}}}\noutlets: [${outlet}]\n`,
  );
  const secretKey = randomBytes(32);
  writeFileSync(join(folder, 'secret.key'), secretKey, { mode: 0o400 });
  const token = `dst_${canary('token')}`;
  const [env, url, password, signing, bearer] = ['env', 'url', 'password', 'signing', 'bearer'].map(canary) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const hex = randomBytes(32).toString('hex');
  const lines = [
    `{"level":30,"msg":"sign in","password":"${password}","token":"${token}"}`,
    `{"level":30,"msg":"key","signing_key":"${signing}"}`,
    `the MAVLink key is ${hex}`,
    `POST https://hooks.example.com/${url}?token=${url}`,
    `connecting to mqtt://user:${url}@broker`,
    `Authorization: Bearer ${bearer}`,
    `api_key=${password} passphrase: ${signing}`,
    `the variable is ${env}`,
    readFileSync(tls, 'utf8'),
    `the outlet uses ${outletBody}`,
    `sealed with ${secretKey.toString('hex')}`,
    '{"msg":"pilot","pilot":{"operator_lat":47.3769321,"operator_lon":8.5417123}}',
    'the pilot of T-0001 stands at 47.37693, 8.54171',
    'link gps is open',
  ];
  const log = join(folder, 'dunlin.log');
  writeFileSync(log, `${lines.join('\n')}\n`);
  return {
    values: [
      comment,
      env,
      url,
      password,
      signing,
      bearer,
      token,
      body,
      outletBody,
      hex,
      secretKey.toString('hex'),
      secretKey.toString('base64'),
      '47.3769',
      '8.5417',
    ],
    log,
    env: { DUNLIN_SECRET_KEY_FILE: join(folder, 'secret.key'), SOME_SERVICE_TOKEN: env },
  };
}

t.test(
  'a bundle has what helps and no secret, beside a running daemon, a stopped one and a broken state',
  async (t) => {
    const box = fieldBox(t, '');
    const daemon = await box.start();
    const anna = await firstOwner(t, daemon);
    const key = await anna.key('operator');
    const hook = canary('hook');
    const webhook = { name: 'shift', url: `https://hooks.example.org/${hook}`, events: ['alert'] };
    await daemon.post('/api/webhooks', webhook);
    const { values, log, env } = plant(t, box);
    const audit = readFileSync(join(box.dataDir, 'audit.key'));
    writeFileSync(log, `${readFileSync(log, 'utf8')}${webhook.url} and ${audit.toString('hex')} and ${key.secret}\n`);
    const secrets = [
      ...values,
      hook,
      key.secret,
      anna.token,
      PASSWORD,
      audit.toString('hex'),
      ...storedSecrets(box.dataDir),
    ];
    const make = async (name: string): Promise<Record<string, string>> => {
      const out = join(box.folder, `${name}.zip`);
      const args = [
        '--config',
        box.config,
        '--data',
        box.dataDir,
        '--log',
        log,
        '--url',
        daemon.url,
        '--out',
        out,
        '--yes',
      ];
      const made = await dunlinWith(t, { env }, 'support-bundle', ...args);
      t.match(made, { code: 0, out: /log\.txt +\d+ bytes +the last 5000 lines.*\nok: \d+ bytes in /s }, name);
      t.equal(statSync(out).mode & 0o777, 0o600);
      const files = unpack(out);
      t.same(Object.keys(files).sort(), all);
      t.same(leaksIn({ ...files, 'the list': made.out }, secrets), [], `no secret: ${name}`);
      return files;
    };

    const running = await make('running');
    t.match(running['metrics.txt'], /dunlin_clock_trust\{trust="rtc"\} /);
    t.match(running['health.json'], /"name":"clock"/);
    t.match(running['log.txt'], /link gps is open/);
    t.match(running['doctor.txt'], /database: .* is whole/);
    t.match(running['configuration.yaml'], /key_file: .*tls\.key/);
    t.match(JSON.parse(running['versions.json'] ?? ''), {
      dunlin: /^\d/,
      node: process.versions.node,
      sqlite: /^3\./,
      addon: /^loads/,
    });
    const [state] = JSON.parse(running['databases.json'] ?? '') as {
      file: string;
      quick_check: string[];
      rows: Record<string, number>;
    }[];
    t.match(state, { file: 'state.db', quick_check: ['ok'], rows: { users: 1, api_keys: 1 } });
    t.match(running['files.txt'], /\d{4} \d+:\d+ +\d+ .*Z {2}state\.db\n/);

    await daemon.end();
    const stopped = await make('stopped');
    t.match(stopped['health.json'], /nothing listens there/);
    t.match(stopped['databases.json'], /"quick_check"/);

    writeFileSync(join(box.dataDir, 'state.db'), randomBytes(20_000));
    const broken = await make('broken');
    t.match(broken['databases.json'], /"fault": "it is not a SQLite database/);
    t.match(broken['doctor.txt'], /WRONG {4}database: .*state\.db/);
  },
);

t.test('a configuration that cannot be used is named without its values', async (t) => {
  const box = fieldBox(t, '');
  const secret = canary('value');
  writeFileSync(
    box.config,
    `http: {listen: ${secret}}\nlinks:\n  - {name: a, transport: udp, password: ${secret}, address: "${secret}"}\n`,
  );
  const out = join(box.folder, 'bundle.zip');
  const made = await dunlinWith(t, {}, 'support-bundle', '--config', box.config, '--out', out, '--yes');
  t.equal(made.code, 0);
  const files = unpack(out);
  t.match(files['problems.txt'], /http\.listen/);
  t.same(leaksIn(files, [secret]), []);
  writeFileSync(box.config, `http:\n  listen: "${secret}\n bad: [`);
  await dunlinWith(t, {}, 'support-bundle', '--config', box.config, '--out', `${out}.2`, '--yes');
  t.same(leaksIn(unpack(`${out}.2`), [secret]), [], 'nor where it is no YAML');
});

t.test('without a terminal it needs --yes; on one it asks; a file that is there is kept', async (t) => {
  const folder = folderOf(t);
  mkdirSync(join(folder, 'data'));
  const out = join(folder, 'bundle.zip');
  const args = ['support-bundle', '--config', '/dev/null', '--data', join(folder, 'data'), '--out', out];
  const refused = await dunlinWith(t, {}, ...args);
  t.match(refused, { code: 2, out: /versions\.json/, err: /needs --yes/ });
  t.notOk(existsSync(out));
  const onTerminal = async (answer: string): Promise<number | null> =>
    runCommand(args, {
      ...{ out: () => {}, err: () => {}, isTty: true },
      input: (async function* () {
        yield Buffer.from(answer);
      })(),
    });
  t.equal(await onTerminal('n\n'), 1);
  t.notOk(existsSync(out));
  t.equal(await onTerminal('y\n'), 0);
  t.ok(existsSync(out));
  const again = await dunlinWith(t, {}, ...args, '--yes');
  t.match(again, { code: 1, err: /EEXIST/ });
});
