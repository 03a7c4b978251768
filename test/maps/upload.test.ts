import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { BaseMap } from '../../src/model/base_map.ts';
import type { LogEvent } from '../../src/model/event.ts';
import { folderOf } from '../support/basics/folder.ts';
import { onlyInFull, until } from '../support/basics/patience.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { spawnDaemon } from '../support/daemon/daemon_process.ts';
import { firstOwner, type Headers, type Member } from '../support/daemon/signed_in.ts';
import { type Answer, ask, startRig } from '../support/http/server.ts';
import { writeMbtiles } from '../support/maps/mbtiles.ts';
import { pmtilesOf } from '../support/maps/pmtiles.ts';
import { worldMap } from '../support/maps/service.ts';

onlyInFull(t);

/** A map of one tile of so many bytes. */
const mapOf = (bytes: number): Buffer =>
  pmtilesOf({ tiles: [{ z: 0, x: 0, y: 0, bytes: Buffer.alloc(bytes, 'x') }], tileCompression: 1 });

const config = join(folderOf(t), 'dunlin.yaml');
writeFileSync(config, 'data: { maps: { all_bytes: 1048576, min_free_bytes: 0 } }\n');
const daemon = await spawnDaemon(t, { env: { DUNLIN_CONFIG: config } });
const anna = await firstOwner(t, daemon);
const folder = join(daemon.dataDir, 'maps');

function put(name: string, body: Buffer, headers: Headers = anna.headers(), at: Daemon = daemon): Promise<Answer> {
  return ask(`${at.url}/v1/maps/${name}`, { method: 'PUT', headers, body });
}
const drop = (name: string, who: Member = anna): Promise<Answer> => who.ask('DELETE', `/v1/maps/${name}`);
const listed = (): Promise<BaseMap[]> => daemon.get<BaseMap[]>('/api/maps');
const kinds = async (): Promise<LogEvent[]> =>
  (await anna.get<LogEvent[]>('GET', '/v1/events?limit=200')).filter(({ kind }) => kind.startsWith('map.'));

t.test('an owner puts a map, replaces it and deletes it, and the log has each deed', async (t) => {
  const made = await put('site.pmtiles', worldMap);
  t.equal(made.status, 200, made.text);
  t.match(made.body.data, { id: 'site', name: 'World', state: 'ready', bytes: worldMap.length });
  t.same(readFileSync(join(folder, 'site.pmtiles')), worldMap);
  const { version } = made.body.data as BaseMap;
  const other = pmtilesOf({ tiles: [{ z: 3, x: 1, y: 2, bytes: gzipSync('other') }], metadata: { name: 'Other' } });
  const replaced = await put('site.pmtiles', other);
  t.match(replaced.body.data, { id: 'site', name: 'Other', min_zoom: 3 });
  t.not((replaced.body.data as BaseMap).version, version);
  t.equal((await fetch(`${daemon.url}/api/maps/site/0/0/0`)).status, 204);
  t.equal(await (await fetch(`${daemon.url}/api/maps/site/3/1/2`)).text(), 'other');
  t.match((await drop('site')).body, { ok: true, data: { deleted: true } });
  t.same(await listed(), []);
  t.equal((await fetch(`${daemon.url}/api/maps/site/3/1/2`)).status, 404);
  t.same(readdirSync(folder), []);
  t.match(await kinds(), [
    { kind: 'map.deleted', actor: { name: 'anna' }, subject: { type: 'map', id: 'site.pmtiles' } },
    { kind: 'map.uploaded', before: { bytes: worldMap.length } },
    { kind: 'map.uploaded', text: 'user:anna uploaded the map site.pmtiles', before: null },
  ]);
});

t.test('an MBTiles file is taken as well, under either name for its deletion', async (t) => {
  const file = join(folderOf(t), 'chart.mbtiles');
  writeMbtiles(file, { tiles: [{ z: 1, x: 1, y: 0, bytes: gzipSync('north east') }], metadata: { format: 'pbf' } });
  t.match((await put('chart.mbtiles', readFileSync(file))).body.data, { id: 'chart', format: 'mbtiles' });
  t.equal(await (await fetch(`${daemon.url}/api/maps/chart/1/1/0`)).text(), 'north east');
  t.match((await put('chart.pmtiles', worldMap)).body, { code: 'conflict', error: /already exists as chart\.mbtiles/ });
  t.equal((await drop('chart.mbtiles')).status, 200);
  t.equal((await drop('chart.mbtiles')).status, 404);
});

t.test('a file that is no map is refused, and the one before it stays', async (t) => {
  await put('kept.pmtiles', worldMap);
  const refused: Record<string, [Buffer, RegExp]> = {
    'cut off': [worldMap.subarray(0, worldMap.length - 1), /copied in part, or cut off/],
    'other bytes': [Buffer.from('<html>not found</html>'.repeat(20)), /is no PMTiles file/],
    empty: [Buffer.alloc(0), /too short/],
  };
  for (const [what, [body, error]] of Object.entries(refused))
    t.match((await put('kept.pmtiles', body)).body, { code: 'invalid_input', error }, what);
  t.match((await put('kept.mbtiles', worldMap)).body, { code: 'conflict' });
  t.match((await put('new.mbtiles', worldMap)).body, { code: 'invalid_input', error: /is no SQLite database/ });
  t.match(await listed(), [{ id: 'kept', state: 'ready' }]);
  t.same(readdirSync(folder), ['kept.pmtiles'], 'nothing is left of them');
});

t.test('a name with a path, another end or odd characters is refused', async (t) => {
  const names = [
    '..%2fup.pmtiles',
    '%2e%2e%2fup.pmtiles',
    '.hidden.pmtiles',
    'map.zip',
    'map',
    'a%20b.pmtiles',
    'a%00.pmtiles',
    `${'x'.repeat(90)}.pmtiles`,
    'a.mbtiles.pmtiles',
    'UP.PMTILES',
  ];
  for (const name of names)
    t.match(
      (await put(name, worldMap)).body,
      { code: 'invalid_input', faults: [{ path: 'name', text: /^'name' must be 1 to 80 letters/ }] },
      name,
    );
  t.notOk(existsSync(join(daemon.dataDir, 'up.pmtiles')));
  for (const name of ['..%2fstate.db', '%2e%2e%2fstate.db', '.', 'nothing'])
    t.equal((await drop(name)).status, 404, name);
  t.ok(existsSync(join(daemon.dataDir, 'state.db')));
});

t.test('viewers and operators read maps, and put and delete none', async (t) => {
  for (const role of ['viewer', 'operator'] as const) {
    const who = await anna.member(`some.${role}`, role);
    t.equal((await put('theirs.pmtiles', worldMap, who.headers())).status, 403, role);
    t.equal((await drop('kept', who)).status, 403, role);
    t.match(await who.get('GET', '/v1/maps'), [{ id: 'kept' }]);
    t.equal((await who.ask('GET', '/v1/maps/kept/0/0/0')).status, 200);
  }
  t.equal((await put('theirs.pmtiles', worldMap, {})).status, 401);
  t.equal((await ask(`${daemon.url}/v1/maps/kept/0/0/0`)).status, 401);
});

t.test('owners of another workspace read the maps of the box and its log of them, and change none', async (t) => {
  const { id } = await anna.workspace('second');
  const carla = await anna.member('carla', 'owner', id);
  t.match(await carla.get('GET', '/v1/maps'), [{ id: 'kept' }]);
  const refused = { code: 'forbidden', error: /maps belong to the whole box: only an owner of its first workspace/ };
  t.match((await put('hers.pmtiles', worldMap, carla.headers())).body, refused);
  t.match((await drop('kept', carla)).body, refused);
  const seen = await carla.get<LogEvent[]>('GET', '/v1/events?kind=map.uploaded');
  t.ok(seen.length > 0);
});

t.test('all maps together stay within the limit, announced or not, and a replaced one makes room', async (t) => {
  const sentence =
    /all maps together may take 2 MB on this box \(data\.maps\.all_bytes\), and \d+ MB are taken: there is no room for/;
  t.equal((await put('half.pmtiles', mapOf(600_000))).status, 200);
  t.match(await put('more.pmtiles', mapOf(600_000)), { status: 413, body: { code: 'too_large', error: sentence } });
  t.match(await putInPieces('more.pmtiles', mapOf(600_000)), { status: 413, text: sentence });
  t.equal((await put('half.pmtiles', mapOf(700_000))).status, 200, 'in place of the one before');
  // By hand it comes in all the same, and counts.
  writeFileSync(join(folder, 'copied.pmtiles'), mapOf(800_000));
  t.match(await put('small.pmtiles', worldMap), { status: 413, body: { error: sentence } });
  await drop('copied');
  t.equal((await put('small.pmtiles', worldMap)).status, 200);
});

/** Sends a body without its length. */
function putInPieces(name: string, body: Buffer): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { ...anna.headers(), 'transfer-encoding': 'chunked' };
    const sent = request(`${daemon.url}/v1/maps/${name}`, { method: 'PUT', headers }, (answer) => {
      let text = '';
      answer.on('data', (piece) => {
        text += piece;
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

t.test('an upload that breaks off leaves nothing, and meanwhile no other begins', async (t) => {
  await drop('half');
  const headers = { ...anna.headers(), 'content-length': '1000' };
  const begun = request(`${daemon.url}/v1/maps/broken.pmtiles`, { method: 'PUT', headers }).on('error', () => {});
  begun.write(worldMap.subarray(0, 100));
  await until(async () => readdirSync(folder).some((name) => name.startsWith('.upload-')), 'it began');
  t.match((await put('other.pmtiles', worldMap)).body, { code: 'conflict', error: /only one upload runs at a time/ });
  t.notOk((await listed()).some(({ id }) => id === 'broken' || id.startsWith('.')));
  begun.destroy();
  await until(async () => !readdirSync(folder).some((name) => name.startsWith('.')), 'it is gone');
  t.equal((await put('other.pmtiles', worldMap)).status, 200);
  t.notOk(existsSync(join(folder, 'broken.pmtiles')));
});

t.test('a map may take longer to arrive than other requests', async (t) => {
  const rig = await startRig(t, { limits: { headersMs: 100, requestMs: 100 } });
  const headers = { 'content-length': String(worldMap.length) };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${rig.url}/api/maps/slow.pmtiles`, { method: 'PUT', headers }, (answer) =>
      resolve(answer.statusCode),
    );
    sent.once('error', reject);
    let at = 0;
    const timer = setInterval(() => {
      sent.write(worldMap.subarray(at, at + 50));
      at += 50;
      if (at < worldMap.length) return;
      clearInterval(timer);
      sent.end();
    }, 60);
  });
  t.equal(status, 200);
});

t.test('an upload leaves room on the disk', async (t) => {
  const full = join(folderOf(t), 'full.yaml');
  writeFileSync(full, 'data: { maps: { min_free_bytes: 900TB } }\n');
  const other = await spawnDaemon(t, { env: { DUNLIN_CONFIG: full } });
  const { status, body } = await ask(`${other.url}/api/maps/site.pmtiles`, { method: 'PUT', body: worldMap });
  t.match(
    { status, body },
    { status: 503, body: { code: 'unavailable', error: /the disk is nearly full: .*data\.maps\.min_free_bytes/ } },
  );
});

t.test('maps, and nothing that an upload left, are there after kill -9', async (t) => {
  const before = (await listed()).map(({ id, version }) => ({ id, version }));
  t.ok(before.length > 1);
  writeFileSync(join(folder, '.upload-0b8c5f0e-6f0f-4d4c-8d3a-3f1f6f3c2a10.part'), 'a part');
  await daemon.end('SIGKILL');
  const again = await spawnDaemon(t, { dataDir: daemon.dataDir });
  const after = (await again.get<BaseMap[]>('/api/maps')).map(({ id, version }) => ({ id, version }));
  t.same(after, before);
  t.notOk(readdirSync(folder).some((name) => name.startsWith('.')));
});
