import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import type { Membership, SignedIn } from '../../../src/model/access.ts';
import { CHAIN_BEGIN, hashOf } from '../../../src/store/audit.ts';
import { folderOf } from '../../support/basics/folder.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import type { Daemon } from '../../support/daemon/daemon.ts';
import { spawnDaemon } from '../../support/daemon/daemon_process.ts';
import { dunlinWith } from '../../support/daemon/dunlin.ts';
import { runToEnd } from '../../support/daemon/program.ts';
import { openStream } from '../../support/http/stream_reader.ts';

onlyInFull(t);
takeTime(t, 240);

const PASSWORD = 'a long enough password';

const run = (t: Test, dataDir: string, args: string[], input = '') =>
  dunlinWith(t, { input }, ...args, '--data', dataDir);

async function done(t: Test, dataDir: string, args: string[], input = ''): Promise<string> {
  const { code, out, err } = await run(t, dataDir, args, input);
  if (code !== 0) throw new Error(`dunlin ${args.join(' ')}: ${code} ${err}`);
  return out.trim();
}

const daemonOf = (t: Test, dataDir: string): Promise<Daemon> => spawnDaemon(t, { dataDir });

async function signIn(daemon: Daemon, username: string, password = PASSWORD): Promise<SignedIn | null> {
  const { body } = await daemon.post('/v1/auth/sign-in', { username, password });
  return body.ok ? (body.data as SignedIn) : null;
}

type Row = { seq: number; kind: string; text: string; prev_hash: string; hash: string };

/** The audit rows of a folder, after the chain was found whole. */
function chainOf(dataDir: string): Row[] {
  const db = new Database(join(dataDir, 'state.db'), { readonly: true });
  const rows = db.prepare('SELECT * FROM audit ORDER BY seq').all() as Row[];
  db.close();
  let prev = CHAIN_BEGIN;
  for (const row of rows) {
    if (row.prev_hash !== prev || row.hash !== hashOf(row as never, prev)) throw new Error(`broken at ${row.seq}`);
    prev = row.hash;
  }
  return rows;
}

t.test('who is added before the first start signs in after it', async (t) => {
  const dataDir = folderOf(t);
  t.match(await done(t, dataDir, ['user', 'add', 'anna', '--role', 'owner'], `${PASSWORD}\n`), /anna.*owner/);
  const secret = await done(t, dataDir, ['key', 'add', 'feed', '--role', 'viewer']);
  const daemon = await daemonOf(t, dataDir);
  t.match(await signIn(daemon, 'Anna'), {
    user: { username: 'anna' },
    workspaces: [{ name: 'default', role: 'owner' }],
  });
  t.equal((await daemon.request('/v1/tracks', { headers: { 'x-api-key': secret } })).status, 200);
  t.equal(await daemon.end(), 0);
});

t.test('what is done beside a running daemon holds at once, and ends the streams it concerns', async (t) => {
  const dataDir = folderOf(t);
  const daemon = await daemonOf(t, dataDir);
  await done(t, dataDir, ['user', 'add', 'anna', '--role', 'owner'], PASSWORD);
  await done(t, dataDir, ['user', 'add', 'ben', '--role', 'viewer'], PASSWORD);
  const [anna, ben] = [await signIn(daemon, 'anna'), await signIn(daemon, 'ben')];
  const secret = await done(t, dataDir, ['key', 'add', 'feed']);
  const list = await done(t, dataDir, ['key', 'list']);
  t.notOk(list.includes(secret));
  const id = list.split(/\s+/).at(-1) ?? '';
  const workspace = anna?.workspaces[0]?.id ?? '';
  const of = (who: SignedIn | null) => ({ authorization: `Bearer ${who?.token}`, 'x-workspace-id': workspace });

  const ticketFor = async (headers: Record<string, string>): Promise<string> => {
    const { body } = await daemon.request('/v1/auth/stream-ticket', { method: 'POST', headers });
    return (body.data as { ticket: string }).ticket;
  };
  const open = (ticket: string) => openStream(t, `${daemon.url}/v1/stream?ticket=${ticket}`);
  const streams = {
    keyed: await open(await ticketFor({ 'x-api-key': secret })),
    anna: await open(await ticketFor(of(anna))),
    ben: await open(await ticketFor(of(ben))),
  };
  for (const stream of Object.values(streams)) await stream.when('the picture', () => stream.events.length > 0);

  const endsWithin = async (name: keyof typeof streams, args: string[]): Promise<void> => {
    await done(t, dataDir, args);
    const began = performance.now();
    await until(async () => streams[name].hasEnded, `the stream of ${name} ended`);
    t.ok(performance.now() - began < 5_000, `${name}: ${(performance.now() - began).toFixed(0)} ms`);
  };
  await endsWithin('keyed', ['key', 'revoke', id]);
  t.equal((await daemon.request('/v1/tracks', { headers: { 'x-api-key': secret } })).status, 401);
  await endsWithin('ben', ['user', 'role', 'ben', 'operator']);
  t.match(await daemon.request('/v1/me', { headers: of(ben) }), {
    body: { data: { workspaces: [{ role: 'operator' }] } },
  });
  await done(t, dataDir, ['user', 'passwd', 'ben'], 'another long password');
  t.equal((await daemon.request('/v1/me', { headers: of(ben) })).status, 401);
  t.ok(await signIn(daemon, 'ben', 'another long password'));
  await done(t, dataDir, ['user', 'remove', 'ben']);
  t.equal(await signIn(daemon, 'ben', 'another long password'), null);
  t.notOk(streams.anna.hasEnded);
  t.match(await run(t, dataDir, ['user', 'remove', 'anna']), { code: 1, err: /last owner/ });
  t.equal(await daemon.end(), 0);

  const stored = ['state.db', 'state.db-wal'].map((name) => {
    try {
      return readFileSync(join(dataDir, name), 'latin1');
    } catch {
      return '';
    }
  });
  const said = stored.join('') + JSON.stringify(daemon.lines);
  for (const hidden of [PASSWORD, 'another long password', secret, anna?.token ?? '?']) t.notOk(said.includes(hidden));
  const kinds = chainOf(dataDir).map(({ kind }) => kind);
  for (const kind of ['user.created', 'user.changed', 'user.removed', 'key.created', 'key.revoked']) {
    t.ok(kinds.includes(kind), kind);
  }
});

t.test('the command line and the daemon write at the same time, and the chain is one', async (t) => {
  const dataDir = folderOf(t);
  await done(t, dataDir, ['user', 'add', 'anna', '--role', 'owner'], PASSWORD);
  const daemon = await daemonOf(t, dataDir);
  const anna = await signIn(daemon, 'anna');
  const headers = {
    authorization: `Bearer ${anna?.token}`,
    'x-workspace-id': anna?.workspaces[0]?.id ?? '',
    'content-type': 'application/json',
  };
  const commands = 10;
  let running = true;
  let posted = 0;
  const posting = (async () => {
    // A workspace has 500 keys at most; a fast daemon makes them before the command line is done.
    while (running && posted < 400) {
      const body = JSON.stringify({ name: `over http ${posted}` });
      const { status } = await daemon.request('/v1/keys', { method: 'POST', headers, body });
      if (status !== 200) throw new Error(`answered ${status}`);
      posted++;
      // Sensors come and go as well, so that events are numbered between the rows.
      await daemon.post('/api/ingest/obs', { obs: [] });
    }
  })();
  for (let i = 0; i < commands; i += 2) {
    // Processes of their own: three writers, each with its own connection to the database.
    const byHand = [i, i + 1].map((n) => runToEnd(t, ['key', 'add', `by hand ${n}`, '--data', dataDir]));
    for (const { code, err } of await Promise.all(byHand)) t.equal(code, 0, err);
  }
  running = false;
  await posting;
  t.equal(await daemon.end(), 0);
  const rows = chainOf(dataDir).filter(({ kind }) => kind === 'key.created');
  t.equal(rows.filter(({ text }) => text.includes('by hand')).length, commands);
  t.equal(rows.filter(({ text }) => text.includes('over http')).length, posted);
  t.ok(posted > 10, `${posted} requests meanwhile`);
});

t.test('a workspace that is made works at once, apart from the first, and after a restart', async (t) => {
  const dataDir = folderOf(t);
  await done(t, dataDir, ['user', 'add', 'anna', '--role', 'owner'], PASSWORD);
  const daemon = await daemonOf(t, dataDir);
  const anna = await signIn(daemon, 'anna');
  const authorization = `Bearer ${anna?.token}`;
  const made = await daemon.request('/v1/workspaces', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'north' }),
  });
  t.equal(made.status, 200, JSON.stringify(made.body));
  const { id } = made.body.data as Membership;
  const headers = { authorization, 'x-workspace-id': id, 'content-type': 'application/json' };
  const sensor = JSON.stringify({ name: 'mast', modality: 'adsb' });
  t.equal((await daemon.request('/v1/sensors', { method: 'POST', headers, body: sensor })).status, 200);
  const row = {
    sensor_id: 'mast',
    report: 'position',
    position: { lat: 48, lon: 16, alt_hae_m: 300 },
    sigma: { h_m: 5 },
    identity: [{ type: 'serial', value: '1596F3510000000000AB', transport: 'bt5' }],
  };
  const body = JSON.stringify({ obs: [row, row] });
  t.match((await daemon.request('/v1/ingest/obs', { method: 'POST', headers, body })).body.data, { accepted: 2 });
  await until(
    async () => ((await daemon.request('/v1/tracks', { headers })).body.data as unknown[]).length === 1,
    'the aircraft is tracked in the new workspace',
  );
  t.same(await daemon.get('/api/tracks'), [], 'and in no other');
  t.match((await daemon.request('/v1/picture', { headers })).body.data, { workspace_id: id });
  t.match(await done(t, dataDir, ['user', 'list', '--workspace', 'north']), /anna +owner/);
  t.equal(await daemon.end(), 0);

  const again = await daemonOf(t, dataDir);
  t.match((await again.request('/v1/tracks', { headers })).body.data, [{ state: 'lost' }]);
  t.equal(await again.end(), 0);
});

t.test('wrong use says what is right, and changes nothing', async (t) => {
  const dataDir = folderOf(t);
  await done(t, dataDir, ['key', 'add', 'first']);
  for (const [args, code, said] of [
    [['user'], 2, /Usage: dunlin user/],
    [['user', 'add', 'anna'], 2, /--role/],
    [['user', 'add', 'anna', '--role', 'king'], 2, /no role 'king'/],
    [['user', 'promote', 'anna'], 2, /no verb 'promote'/],
    [['user', 'list', '--loud'], 2, /--loud/],
    [['user', 'add', 'anna', '--role', 'owner'], 1, /'password' must have at least 12/],
    [['user', 'role', 'nobody', 'owner'], 1, /no user called nobody/],
    [['user', 'list', '--workspace', 'nowhere'], 1, /no workspace nowhere/],
    [['key', 'revoke', 'x'], 1, /'x' is not the id/],
    [['key', 'revoke', '11111111-2222-4333-8444-555555555555'], 1, /no key with the id/],
  ] as const) {
    const ended = await run(t, dataDir, [...args], 'too short\n');
    t.equal(ended.code, code, args.join(' '));
    t.match(ended.err, said);
  }
  t.equal((await run(t, dataDir, ['key', '--help'])).code, 0);
  t.equal(chainOf(dataDir).length, 1);
});

t.test('a folder that is no box of ours is named, and nothing is made in it', async (t) => {
  const folder = folderOf(t, { empty: {} });
  const [empty, missing] = [join(folder, 'empty'), join(folder, 'missing')];
  const nowhere = /there is no state.db in .*: name the data folder with --data, or its configuration with --config/;
  for (const args of [
    ['user', 'list'],
    ['user', 'passwd', 'anna'],
    ['key', 'list'],
    ['key', 'revoke', '11111111-2222-4333-8444-555555555555'],
    ['audit', 'verify'],
  ]) {
    const ended = await run(t, empty, args, `${PASSWORD}\n`);
    t.equal(ended.code, 1, args.join(' '));
    t.match(ended.err, nowhere);
    t.ok(ended.err.includes(empty));
  }
  for (const args of [
    ['user', 'list'],
    ['user', 'add', 'anna', '--role', 'owner', '--workspace', 'north'],
  ]) {
    t.match(await run(t, missing, args, PASSWORD), { code: 1, err: nowhere });
  }
  t.match(await run(t, empty, ['user', 'add', 'anna', '--role', 'owner'], 'short'), { code: 1, err: /at least 12/ });
  t.match(await run(t, empty, ['key', 'add', 'feed', '--workspace', 'north']), { code: 1, err: nowhere });
  const unnamed = await runToEnd(t, ['key', 'add', 'feed'], { cwd: empty, withinMs: 60_000 });
  t.match(unnamed, { code: 1, err: nowhere });
  t.same(readdirSync(folder), ['empty']);
  t.same(readdirSync(empty), []);
  t.match(await done(t, empty, ['user', 'add', 'anna', '--role', 'owner'], PASSWORD), empty);
});
