import t from 'tap';
import { sampleRegionSpec, sampleZoneSpec } from '../../src/http/openapi/settings_samples.ts';
import { systemActor } from '../../src/model/actor.ts';
import type { Region } from '../../src/model/region.ts';
import type { Zone } from '../../src/model/zone.ts';
import { Zones } from '../../src/registry/zones.ts';
import { ask, askJson, startRig } from '../support/http/server.ts';

const circle = { type: 'Point', coordinates: [16.37, 48.2], radius_m: 500 };

t.test('a zone is made, read, changed and taken away, and each is told and answered for', async (t) => {
  const rig = await startRig(t);
  const url = `${rig.url}/api/zones`;
  const made = (await askJson(url, 'POST', sampleZoneSpec)).body.data as Zone;
  t.match(made, {
    name: 'apron',
    kind: 'protected',
    floor_m: null,
    ceiling_m: 120,
    datum: 'agl',
    priority: 5,
    enabled: true,
    version: 1,
  });
  t.same((await ask(`${url}/${made.id}`)).body.data, made);
  t.match(rig.registry.told.at(-1), { kind: 'zones', id: made.id });
  const changed = (await askJson(`${url}/${made.id}`, 'POST', { floor_m: 10, schedule: null, version: 1 })).body.data;
  t.match(changed, { id: made.id, floor_m: 10, ceiling_m: 120, schedule: null, version: 2 });
  t.same((changed as Zone).geometry, made.geometry, 'what is absent stays');
  t.equal((await askJson(`${url}/${made.id}`, 'POST', { name: 'x', version: 1 })).body.code, 'conflict');
  const other = (await askJson(url, 'POST', { ...sampleZoneSpec, name: 'gate' })).body.data as Zone;
  t.match((await askJson(url, 'POST', sampleZoneSpec)).body, {
    code: 'conflict',
    error: /already a zone called apron/,
  });
  t.match((await askJson(`${url}/${other.id}`, 'POST', { name: 'apron' })).body, { code: 'conflict', error: /apron/ });
  t.same(
    ((await ask(url)).body.data as Zone[]).map(({ name }) => name),
    ['apron', 'gate'],
  );
  t.same((await ask(`${url}/${made.id}`, { method: 'DELETE' })).body, { ok: true, data: { deleted: true } });
  t.match(rig.registry.told.at(-1), { kind: 'zones removed', id: made.id });
  t.equal((await ask(`${url}/${made.id}`)).status, 404);
  t.equal((await askJson(`${url}/${made.id}`, 'POST', {})).status, 404);
  const kinds = rig.registry.state.db.prepare('SELECT kind FROM audit ORDER BY seq').pluck().all();
  t.same(kinds, ['zone.created', 'zone.changed', 'zone.created', 'zone.deleted']);
});

t.test('what cannot be a zone is refused by field, ring and position', async (t) => {
  const rig = await startRig(t);
  const refused = async (part: object, error: RegExp): Promise<void> => {
    const { body } = await askJson(`${rig.url}/api/zones`, 'POST', { ...sampleZoneSpec, ...part });
    t.match(body, { code: 'invalid_input', error });
  };
  const ring = sampleZoneSpec.geometry.coordinates[0];
  const polygon = (...coordinates: unknown[]) => ({ geometry: { type: 'Polygon', coordinates } });
  await refused(
    polygon(ring.slice(0, -1)),
    /'geometry\.coordinates\[0\]' is a ring that is not closed: its last position/,
  );
  await refused(polygon(ring.slice(0, 3)), /'geometry\.coordinates\[0\]' must have at least 4 entries/);
  await refused(
    polygon([
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ]),
    /'geometry\.coordinates\[0\]' is a ring that crosses or touches itself: the edges from positions 0 and 2 meet/,
  );
  await refused(
    polygon([
      [0, 0],
      [1, 91],
      [1, 0],
      [0, 0],
    ]),
    /'geometry\.coordinates\[0\]\[1\]\[1\]' must be at most 90/,
  );
  await refused(
    polygon([
      [0, 0],
      [181, 1],
      [1, 0],
      [0, 0],
    ]),
    /'geometry\.coordinates\[0\]\[1\]\[0\]' must be at most 180/,
  );
  await refused(
    polygon(ring, [
      [17, 48],
      [17.1, 48],
      [17.1, 48.1],
      [17, 48],
    ]),
    /'geometry\.coordinates\[1\]' is a hole that does not lie inside/,
  );
  await refused(
    { geometry: { type: 'Circle' } },
    /'geometry\.type' must be one of Polygon, MultiPolygon, Point, LineString/,
  );
  await refused({ geometry: { type: 'Point', coordinates: [8, 47] } }, /'geometry\.radius_m' is missing/);
  await refused(
    {
      geometry: {
        type: 'LineString',
        coordinates: [
          [8, 47],
          [9, 47],
        ],
        width_m: 0,
      },
    },
    /'geometry\.width_m' must be greater than 0/,
  );
  await refused({ floor_m: 120 }, /'ceiling_m' must be greater than floor_m, which is 120/);
  await refused(
    { schedule: { from: '08:00', to: '17:00', days: ['mon'], tz: 'Europe/Atlantis' } },
    /'schedule\.tz'.*time zone/,
  );
  await refused({ schedule: { from: '08:00', to: '17:00', days: ['mon'], tz: '+01:00' } }, /'schedule\.tz'/);
  await refused(
    { schedule: { from: '8:00', to: '17:00', days: ['mon'], tz: 'UTC' } },
    /'schedule\.from' must be a time of day/,
  );
  await refused({ schedule: { from: '08:00', to: '17:00', days: [], tz: 'UTC' } }, /'schedule\.days'/);
  await refused({ priority: 11 }, /'priority' must be at most 10/);
  t.same((await ask(`${rig.url}/api/zones`)).body.data, []);
});

t.test('a change is judged by what holds after it', async (t) => {
  const rig = await startRig(t);
  const url = `${rig.url}/api/zones`;
  const { id } = (await askJson(url, 'POST', sampleZoneSpec)).body.data as Zone;
  t.match(
    (await askJson(`${url}/${id}`, 'POST', { floor_m: 200 })).body.error,
    /'ceiling_m' must be greater than floor_m/,
  );
  t.match((await askJson(`${url}/${id}`, 'POST', { floor_m: 200, ceiling_m: null })).body.data, {
    ceiling_m: null,
    version: 2,
  });
});

t.test('zones across the antimeridian and round a pole are taken as they are', async (t) => {
  const rig = await startRig(t);
  const across = [
    [
      [178, -18],
      [-178, -18],
      [-178, -16],
      [178, -16],
      [178, -18],
    ],
  ];
  const round = [
    [
      [0, 85],
      [120, 85],
      [-120, 85],
      [0, 85],
    ],
  ];
  for (const coordinates of [across, round]) {
    const body = {
      ...sampleZoneSpec,
      name: `zone ${coordinates}`.slice(0, 60),
      geometry: { type: 'Polygon', coordinates },
    };
    const { status, body: answer } = await askJson(`${rig.url}/api/zones`, 'POST', body);
    t.equal(status, 200, answer.error ?? '');
    t.same((answer.data as Zone).geometry, body.geometry);
  }
});

t.test('regions say their ground, clock, posture and first view', async (t) => {
  const rig = await startRig(t);
  const url = `${rig.url}/api/regions`;
  const made = (await askJson(url, 'POST', { ...sampleRegionSpec, posture: 'high' })).body.data as Region;
  t.match(made, { ground_alt_hae_m: 226, tz: 'Europe/Vienna', posture: 'high', default_view: null, version: 1 });
  const view = { lat: 48, lon: 16, zoom: 12 };
  t.match((await askJson(`${url}/${made.id}`, 'POST', { default_view: view, posture: null })).body.data, {
    posture: null,
    default_view: { ...view, bearing_deg: 0, pitch_deg: 0 },
  });
  const line = {
    type: 'LineString',
    coordinates: [
      [8, 47],
      [9, 47],
    ],
    width_m: 5,
  };
  t.match((await askJson(url, 'POST', { name: 'road', geometry: line })).body.error, /'geometry\.type' must be one of/);
  t.match((await askJson(url, 'POST', { name: 'moon', geometry: circle, posture: 'calm' })).body.error, /'posture'/);
});

t.test('only so many zones and positions are held', async (t) => {
  const rig = await startRig(t);
  const { zones } = rig.registry.registry;
  const many = Array.from({ length: 9_997 }, (_, i): [number, number] => [8 + i * 1e-5, i % 2 ? 47.5 : 47.4]);
  const comb = { type: 'Polygon', coordinates: [[[8, 47], ...many, [8.1, 47], [8, 47]]] };
  for (let n = 0; n < 9; n++) {
    const { status, body } = await askJson(`${rig.url}/api/zones`, 'POST', {
      ...sampleZoneSpec,
      name: `comb ${n}`,
      geometry: comb,
    });
    t.equal(status, 200, body.error ?? '');
  }
  const more = await askJson(`${rig.url}/api/zones`, 'POST', { ...sampleZoneSpec, geometry: comb });
  t.match(more.body, { code: 'conflict', error: /more than 99800 positions/ });
  t.equal(zones.list().length, 9);
});

t.test('a write is judged beside all zones without reading them again, and memory follows the disk', async (t) => {
  const rig = await startRig(t);
  const { zones, deps } = rig.registry.registry;
  const make = (name: string) => askJson(`${rig.url}/api/zones`, 'POST', { ...sampleZoneSpec, name, geometry: circle });
  for (let n = 0; n < 20; n++) await make(`zone ${n}`);
  const parsed = t.capture(JSON, 'parse', JSON.parse);
  const read = (): number => parsed().filter(({ args }) => String(args[0]).includes('Point')).length;
  const [like] = zones.list();
  if (!like) throw new Error('there is no zone');
  const { id: _id, version: _version, created_at: _made, updated_at: _changed, ...spec } = like;
  zones.create({ ...spec, name: 'one more' }, systemActor);
  t.ok(read() <= 1, 'what the log says of it alone');
  parsed.restore();
  rig.registry.state.db.exec("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'no room'); END");
  const first = like.id;
  t.throws(() => zones.update(first, { name: 'renamed' }, systemActor));
  t.throws(() => zones.remove(first, systemActor));
  t.equal(zones.list().length, 21);
  rig.registry.state.db.exec('DROP TRIGGER full');
  zones.update(first, { name: 'zz' }, systemActor);
  t.same(zones.list(), new Zones(deps).list());
  t.equal(zones.list().at(-1)?.name, 'zz');
});
