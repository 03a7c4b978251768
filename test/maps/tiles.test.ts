import { copyFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { BaseMap } from '../../src/model/base_map.ts';
import { until } from '../support/basics/patience.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { ask } from '../support/http/server.ts';
import { writeMbtiles } from '../support/maps/mbtiles.ts';
import { type MadeTile, pmtilesOf } from '../support/maps/pmtiles.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

/** Every tile of the zoom levels up to `most`, each with bytes of its own. */
function allTiles(most: number, pack = gzipSync): MadeTile[] {
  const tiles: MadeTile[] = [];
  for (let z = 0; z <= most; z++)
    for (let x = 0; x < 2 ** z; x++)
      for (let y = 0; y < 2 ** z; y++) tiles.push({ z, x, y, bytes: pack(Buffer.from(`tile ${z}/${x}/${y}`)) });
  return tiles;
}

const daemon = await startDaemon(t);
const folder = join(daemon.dataDir, 'maps');
const place = (file: string): string => join(folder, file);
const listed = async (id: string): Promise<BaseMap | undefined> =>
  (await daemon.get<BaseMap[]>('/api/maps')).find((map) => map.id === id);
const tile = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${daemon.url}/api/maps/${path}`, { headers });

t.test('there is a folder for maps, and no map at first', async (t) => {
  t.same(await daemon.get('/api/maps'), []);
});

t.test(
  'a PMTiles file that is copied in is listed with what it says of itself, and gone when it is removed',
  async (t) => {
    const metadata = { name: 'Zürich', attribution: '<a href="https://osm.org">&copy; OpenStreetMap</a>' };
    const bytes = pmtilesOf({ tiles: allTiles(2), metadata });
    writeFileSync(place('zurich.pmtiles'), bytes);
    const map = await listed('zurich');
    t.match(map, {
      ...{ file: 'zurich.pmtiles', name: 'Zürich', format: 'pmtiles', kind: 'vector', tile_type: 'mvt' },
      ...{ min_zoom: 0, max_zoom: 2, bounds: [8.4, 47.3, 8.7, 47.5], attribution: '© OpenStreetMap' },
      ...{ bytes: bytes.length, state: 'ready', error: null },
    });
    t.match(await tile('zurich/2/3/1'), { status: 200 });
    rmSync(place('zurich.pmtiles'));
    await until(async () => (await tile('zurich/2/3/1')).status === 404, 'its tiles are gone');
    t.equal(await listed('zurich'), undefined);
  },
);

t.test('each tile of a PMTiles file is answered, from the root and from leaf directories', async (t) => {
  writeFileSync(place('root.pmtiles'), pmtilesOf({ tiles: allTiles(3) }));
  writeFileSync(place('leaves.pmtiles'), pmtilesOf({ tiles: allTiles(3), leafEntries: 10, internalCompression: 1 }));
  for (const id of ['root', 'leaves'])
    for (const { z, x, y } of allTiles(3)) {
      const answer = await tile(`${id}/${z}/${x}/${y}`);
      t.equal(await answer.text(), `tile ${z}/${x}/${y}`);
      t.equal(answer.headers.get('content-type'), 'application/vnd.mapbox-vector-tile');
      t.equal(answer.headers.get('content-encoding'), 'gzip');
    }
});

t.test('each tile of an MBTiles file is answered, its row counted from the north', async (t) => {
  const metadata = { name: 'Sheet 1091', format: 'pbf', bounds: '8.4,47.3,8.7,47.5', attribution: '© swisstopo' };
  writeMbtiles(place('sheet.mbtiles'), { tiles: allTiles(3), metadata });
  t.match(await listed('sheet'), {
    ...{ name: 'Sheet 1091', format: 'mbtiles', kind: 'vector', tile_type: 'mvt', state: 'ready' },
    ...{ min_zoom: 0, max_zoom: 3, bounds: [8.4, 47.3, 8.7, 47.5], attribution: '© swisstopo' },
  });
  for (const { z, x, y } of allTiles(3)) {
    const answer = await tile(`sheet/${z}/${x}/${y}`);
    t.equal(await answer.text(), `tile ${z}/${x}/${y}`);
    t.equal(answer.headers.get('content-encoding'), 'gzip');
  }
});

t.test('an MBTiles file may keep each image once, behind a view', async (t) => {
  const sql = `CREATE TABLE metadata (name TEXT, value TEXT);
    CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
    CREATE TABLE images (tile_data BLOB, tile_id TEXT);
    CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
    CREATE UNIQUE INDEX images_id ON images (tile_id);
    CREATE VIEW tiles AS SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data
      FROM map JOIN images ON images.tile_id = map.tile_id;
    CREATE TRIGGER put INSTEAD OF INSERT ON tiles BEGIN
      INSERT OR IGNORE INTO images VALUES (new.tile_data, hex(new.tile_data));
      INSERT INTO map VALUES (new.zoom_level, new.tile_column, new.tile_row, hex(new.tile_data));
    END;`;
  const tiles = [0, 1].map((x) => ({ z: 1, x, y: 0, bytes: png }));
  writeMbtiles(place('deep.mbtiles'), { tiles, metadata: { format: 'png' }, sql });
  t.match(await listed('deep'), { state: 'ready', kind: 'raster', min_zoom: 1, max_zoom: 1 });
  t.same(Buffer.from(await (await tile('deep/1/1/0')).arrayBuffer()), png);
  t.match(await tile('deep/1/1/1'), { status: 204 });
});

t.test('an image has the type of its bytes, whatever the file says', async (t) => {
  const tiles = [{ z: 0, x: 0, y: 0, bytes: png }];
  writeMbtiles(place('chart.mbtiles'), { tiles, metadata: { format: 'jpg' } });
  writeFileSync(place('aerial.pmtiles'), pmtilesOf({ tiles, tileType: 2, tileCompression: 1 }));
  for (const id of ['chart', 'aerial']) {
    t.match(await listed(id), { kind: 'raster', tile_type: 'png', max_zoom: 0 });
    const answer = await tile(`${id}/0/0/0`);
    t.same(Buffer.from(await answer.arrayBuffer()), png);
    t.equal(answer.headers.get('content-type'), 'image/png');
    t.equal(answer.headers.get('content-encoding'), null);
  }
});

t.test('a client that takes no gzip gets the tile without it', async (t) => {
  const answer = await tile('root/1/0/1', { 'accept-encoding': 'identity' });
  t.equal(await answer.text(), 'tile 1/0/1');
  t.equal(answer.headers.get('content-encoding'), null);
  t.match(answer.headers.get('vary'), /Accept-Encoding/);
});

t.test('a tile with the version of its map is kept for ever, and one without is asked for again', async (t) => {
  const version = (await listed('root'))?.version ?? '';
  const pinned = await tile(`root/1/1/1?v=${version}`);
  t.equal(pinned.headers.get('cache-control'), 'private, max-age=31536000, immutable');
  for (const query of ['', '?v=other']) {
    const answer = await tile(`root/1/1/1${query}`);
    t.equal(answer.headers.get('cache-control'), 'private, no-cache');
    const etag = answer.headers.get('etag') ?? '';
    const again = await tile(`root/1/1/1${query}`, { 'if-none-match': etag });
    t.match(again, { status: 304 });
    t.equal(await again.text(), '');
  }
  writeFileSync(place('root.pmtiles'), pmtilesOf({ tiles: allTiles(2) }));
  t.not((await listed('root'))?.version, version);
  const etag = pinned.headers.get('etag') ?? '';
  t.match(await tile('root/1/1/1', { 'if-none-match': etag }), { status: 200 }, 'another file has another version');
});

t.test('a tile that is not there is 204, an unknown map 404, and a place that cannot be 400', async (t) => {
  const empty = await tile('root/9/4/4');
  t.match(empty, { status: 204 });
  t.equal(await empty.text(), '');
  t.match(await tile('sheet/9/4/4'), { status: 204 });
  t.match(await tile('nothing/0/0/0'), { status: 404 });
  for (const wrong of [
    'root/27/0/0',
    'root/1/2/0',
    'root/1/0/2',
    'root/-1/0/0',
    'root/a/0/0',
    'root/1.5/0/0',
    'root/1/0/0.png',
    'root/1e0/0/0',
  ])
    t.match(await tile(wrong), { status: 400 }, wrong);
  const { body } = await ask(`${daemon.url}/api/maps/root/1/2/5`);
  t.same(
    body.faults?.map(({ path }) => path),
    ['x', 'y'],
  );
});

t.test('a path out of the folder names no map', async (t) => {
  writeFileSync(join(daemon.dataDir, 'secret.pmtiles'), pmtilesOf({ tiles: allTiles(0) }));
  for (const id of [
    '..%2fsecret',
    '%2e%2e%2fsecret',
    '..',
    '%2e%2e',
    'secret',
    'root.pmtiles',
    'root%00',
    '%2fetc%2fpasswd',
  ])
    t.match(await tile(`${id}/0/0/0`), { status: 404 }, id);
});

t.test('a symbolic link, a folder and a name that cannot be an id are listed, and not served', async (t) => {
  symlinkSync(join(daemon.dataDir, 'secret.pmtiles'), place('link.pmtiles'));
  symlinkSync(place('root.pmtiles'), place('inside.pmtiles'));
  copyFileSync(place('root.pmtiles'), place('My site (2).pmtiles'));
  copyFileSync(place('root.pmtiles'), place('root.mbtiles.pmtiles'));
  t.match(await listed('link'), { state: 'unreadable', error: /link\.pmtiles is a symbolic link/ });
  t.match(await listed('inside'), { state: 'unreadable', error: /symbolic link/ });
  t.match(await listed('My site (2).pmtiles'), {
    state: 'unreadable',
    error: /must be renamed: a name has 1 to 80 letters/,
  });
  t.match(await listed('root.mbtiles.pmtiles'), { state: 'unreadable', error: /must be renamed/ });
  for (const id of ['link', 'inside', 'My%20site%20(2).pmtiles', 'root.mbtiles.pmtiles'])
    t.match(await tile(`${id}/0/0/0`), { status: 503 }, id);
});

t.test('of two files with one name the PMTiles file is served, and the other is listed with the reason', async (t) => {
  writeMbtiles(place('root.mbtiles'), { tiles: allTiles(0), metadata: { format: 'pbf' } });
  t.match(await listed('root'), { state: 'ready', format: 'pmtiles' });
  t.match(await listed('root.mbtiles'), { state: 'unreadable', error: /the name of another map/ });
});

const whole = pmtilesOf({ tiles: allTiles(2), metadata: { name: 'whole' } });
const changed = (at: number, value: number): Buffer => {
  const bytes = Buffer.from(whole);
  bytes[at] = value;
  return bytes;
};
const noDirectory = Buffer.from(whole);
noDirectory.fill(0xff, 127, 160);
const damagedPmtiles: Record<string, [Buffer, RegExp]> = {
  empty: [Buffer.alloc(0), /too short/],
  'a header alone': [whole.subarray(0, 127), /has 127 of its \d+ bytes: it is copied in part/],
  'half of it': [whole.subarray(0, whole.length / 2), /copied in part/],
  'something else': [Buffer.from('a picture of a cat '.repeat(20)), /is no PMTiles file/],
  'version 2': [changed(7, 2), /version 2: only version 3 is supported/],
  'brotli tiles': [changed(98, 3), /has tiles in a compression that is not supported: use gzip/],
  'zstd directories': [changed(97, 4), /has directories in a compression that is not supported: use gzip/],
  'tiles of MapLibre': [changed(99, 6), /unknown type 6/],
  'zooms from 9 to 2': [changed(100, 9), /impossible zoom levels: 9 to 2/],
  'no directory': [noDirectory, /damaged/],
  zeros: [Buffer.alloc(4_096), /is no PMTiles file/],
};

t.test('a damaged PMTiles file is listed with the reason, and served once it is whole', async (t) => {
  for (const [what, [bytes, error]] of Object.entries(damagedPmtiles)) {
    writeFileSync(place('damaged.pmtiles'), bytes);
    t.match(
      await listed('damaged'),
      { state: 'unreadable', kind: null, bounds: null, bytes: bytes.length, error },
      what,
    );
    const answer = await ask(`${daemon.url}/api/maps/damaged/0/0/0`);
    t.match(answer, { status: 503, body: { code: 'unavailable', error } }, what);
  }
  writeFileSync(place('damaged.pmtiles'), whole);
  t.match(await listed('damaged'), { state: 'ready', name: 'whole' });
});

t.test('random damage of a PMTiles file is answered with a tile, none, or a sentence', async (t) => {
  for (let at = 0; at < 300; at += 3) {
    writeFileSync(place('damaged.pmtiles'), changed(at, (at * 89 + 7) % 256));
    await listed('damaged');
    for (const { z, x, y } of allTiles(1)) {
      const answer = await tile(`damaged/${z}/${x}/${y}`, { 'accept-encoding': 'identity' });
      t.ok([200, 204, 503].includes(answer.status), `byte ${at}: ${answer.status}`);
      await answer.arrayBuffer();
    }
  }
});

t.test('a damaged MBTiles file is listed with the reason', async (t) => {
  const file = place('broken.mbtiles');
  const made = { tiles: allTiles(3), metadata: { format: 'pbf' } };
  const noIndex = `CREATE TABLE metadata (name TEXT, value TEXT);
    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);`;
  // Each would hold up the service for ever.
  const endless = `CREATE VIEW metadata AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n)
      SELECT x AS name, x AS value FROM n;
    CREATE VIEW tiles AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n)
      SELECT x AS zoom_level, x AS tile_column, x AS tile_row, x AS tile_data FROM n;
    CREATE TRIGGER put INSTEAD OF INSERT ON tiles BEGIN SELECT 1; END;`;
  const endlessMetadata = `CREATE VIEW metadata AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n)
      SELECT x AS name, x AS value FROM n;
    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);`;
  const cases: Record<string, [() => void, RegExp]> = {
    'no database': [() => writeFileSync(file, 'no database at all'.repeat(10)), /no SQLite database/],
    'nothing in it': [() => writeFileSync(file, ''), /too short/],
    'half of it': [
      () => {
        writeMbtiles(file, made);
        truncateSync(file, 8_192);
      },
      /has 8192 of its \d+ bytes: it is copied in part/,
    ],
    'no index': [() => writeMbtiles(file, { ...made, sql: noIndex }), /has no index of its tiles/],
    'endless views': [() => writeMbtiles(file, { tiles: [], sql: endless }), /has no index of its tiles/],
    'endless metadata': [() => writeMbtiles(file, { tiles: allTiles(0), sql: endlessMetadata }), /needs a 'format'/],
    'no tiles': [() => writeMbtiles(file, { ...made, tiles: [] }), /has no tiles/],
    'no format': [() => writeMbtiles(file, { ...made, metadata: {} }), /needs a 'format'/],
    'write-ahead log': [
      () => writeMbtiles(file, { ...made, sql: `PRAGMA journal_mode = WAL; ${noIndex}` }),
      /in SQLite's WAL mode/,
    ],
  };
  for (const [what, [make, error]] of Object.entries(cases)) {
    rmSync(file, { force: true });
    make();
    t.match(await listed('broken'), { state: 'unreadable', error }, what);
  }
});

t.test('maps are the same for a viewer, and while a simulation is shown', async (t) => {
  const before = await daemon.get('/api/maps');
  const scenarios = await daemon.get<{ id: string }[]>('/api/scenarios');
  const started = await daemon.post('/api/sim/start', { scenario_id: scenarios[0]?.id });
  t.equal(started.status, 200, JSON.stringify(started.body));
  t.same(await daemon.get('/api/maps'), before);
  t.match(await tile('sheet/0/0/0'), { status: 200 });
});
