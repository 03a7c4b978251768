import t from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import type { Asset, ResolvedAsset } from '../../src/model/asset.ts';
import { ask, askJson, type Rig, startRig } from '../support/http/server.ts';

const nobody = '11111111-2222-4333-8444-555555555555';
const serial = '1581F5FKD2294A000042';

const post = (rig: Rig, path: string, body: unknown) => askJson(`${rig.url}/api/assets${path}`, 'POST', body);

async function made(rig: Rig, spec: object = {}, more: object = {}): Promise<Asset> {
  const { status, body } = await post(rig, '', { name: 'Heron', spec, ...more });
  if (status !== 200) throw new Error(`${status} ${body.error}`);
  return body.data as Asset;
}

/** Each refusal by its status, its code, and a word of the sentence. */
type Refusal = { name: string; path: string; body: unknown; status: number; error: RegExp };

async function refused(t: { test: typeof import('tap').default.test }, rig: Rig, cases: readonly Refusal[]) {
  for (const { name, path, body, status, error } of cases) {
    await t.test(name, async (t) => {
      const answer = await post(rig, path, body);
      t.equal(answer.status, status, answer.text);
      t.match(answer.body.error, error);
    });
  }
}

t.test('an asset is registered, read with what it inherits, changed and taken away', async (t) => {
  const rig = await startRig(t);
  const asset = await made(rig, { model: 'matrice30', remote_id_serial: serial, colour: { any: ['thing'] } });
  t.match(asset, {
    name: 'Heron',
    kind: 'platform',
    domain: 'air',
    provenance: 'live',
    environment: 'live',
    affiliation: 'friend',
    paired: true,
    connection: 'never',
    spec: { model: 'DJI Matrice 30', remote_id_serial: serial, colour: { any: ['thing'] } },
    payloads: null,
    version: 1,
  });
  const read = (await ask(`${rig.url}/api/assets/${asset.id}`)).body.data as ResolvedAsset;
  t.match(read.resolved.performance, { from: 'model', value: { max_speed_mps: 23 } });
  t.equal(read.resolved.payloads.from, 'model');
  const change = { spec: asset.spec, name: 'Heron two', performance: { max_speed_mps: 15 }, version: 1 };
  const changed = (await post(rig, `/${asset.id}`, change)).body.data as Asset;
  t.match(changed, { id: asset.id, name: 'Heron two', performance: { max_speed_mps: 15 }, version: 2 });
  const again = (await ask(`${rig.url}/api/assets/${asset.id}`)).body.data as ResolvedAsset;
  t.match(again.resolved.performance, { from: 'own', value: { max_speed_mps: 15, mass_kg: 3.77 } });
  const cleared = (await post(rig, `/${asset.id}`, { spec: {}, performance: {} })).body.data as Asset;
  t.match(cleared, { performance: null, paired: false, domain: null, spec: {} });
  const gone = await ask(`${rig.url}/api/assets/${asset.id}`, { method: 'DELETE' });
  t.same(gone.body, { ok: true, data: { deleted: true } });
  t.equal((await ask(`${rig.url}/api/assets/${asset.id}`)).status, 404);
  t.same((await ask(`${rig.url}/api/assets`)).body, { ok: true, data: [] });
});

t.test('what cannot be registered is refused as the interface says', async (t) => {
  const rig = await startRig(t);
  const { catalog } = rig.registry.registry;
  for (const name of ['North Kite', 'South Kite']) {
    catalog.create({ name, kind: 'platform', spec: { aliases: ['kite'] } }, systemActor);
  }
  await made(rig, { remote_id_serial: serial });
  await refused(t, rig, [
    { name: 'no spec', path: '', body: { name: 'x' }, status: 400, error: /'spec'/ },
    { name: 'a spec that is no object', path: '', body: { name: 'x', spec: [] }, status: 400, error: /'spec'/ },
    {
      name: 'a spec that does not parse',
      path: '',
      body: { name: 'x', spec: { payloads: [{ kind: 'cannon' }] } },
      status: 400,
      error: /'spec.payloads\[0\].kind'/,
    },
    {
      name: 'a spec that is too large',
      path: '',
      body: { name: 'x', spec: { more: 'x'.repeat(70_000) } },
      status: 400,
      error: /64 KiB/,
    },
    {
      name: 'an affiliation, which has no field',
      path: '',
      body: { name: 'x', spec: {}, affiliation: 'friend' },
      status: 400,
      error: /'affiliation'/,
    },
    { name: 'an unknown kind', path: '', body: { name: 'x', spec: {}, kind: 'tank' }, status: 400, error: /'kind'/ },
    {
      name: 'a model that nobody knows',
      path: '',
      body: { name: 'x', spec: { model: 'Flying carpet' } },
      status: 400,
      error: /Flying carpet/,
    },
    {
      name: 'a name of two models',
      path: '',
      body: { name: 'x', spec: { model: 'KITE' } },
      status: 409,
      error: /North Kite, South Kite/,
    },
    {
      name: 'a serial that is carried, in another case',
      path: '',
      body: { name: 'x', spec: { remote_id_serial: serial.toLowerCase() } },
      status: 409,
      error: /Heron/,
    },
    {
      name: 'a domain that is not the model’s',
      path: '',
      body: { name: 'x', spec: { model: 'Matrice 30', domain: 'land' } },
      status: 409,
      error: /domain/,
    },
    {
      name: 'another provenance than the environment’s',
      path: '',
      body: { name: 'x', spec: { provenance: 'simulated' } },
      status: 409,
      error: /provenance/,
    },
    {
      name: 'from the catalog: a platform that it has not',
      path: '/from-catalog',
      body: { name: 'x', catalog: 'Flying carpet' },
      status: 404,
      error: /Flying carpet/,
    },
    {
      name: 'from the catalog: another domain',
      path: '/from-catalog',
      body: { name: 'x', catalog: 'DJI Matrice 30', domain: 'sea_surface' },
      status: 409,
      error: /sea_surface/,
    },
    {
      name: 'from the catalog: a serial that is carried',
      path: '/from-catalog',
      body: { name: 'x', catalog: 'DJI Matrice 30', remote_id_serial: serial },
      status: 409,
      error: /Heron/,
    },
    {
      name: 'from the catalog: another provenance',
      path: '/from-catalog',
      body: { name: 'x', catalog: 'DJI Matrice 30', provenance: 'replayed' },
      status: 409,
      error: /provenance/,
    },
    {
      name: 'from the catalog: an unknown domain',
      path: '/from-catalog',
      body: { name: 'x', catalog: 'DJI Matrice 30', domain: 'space' },
      status: 400,
      error: /'domain'/,
    },
  ]);
  t.equal(rig.registry.registry.assets.list().length, 1, 'and nothing of it was kept');
});

t.test('what cannot be changed is refused as the interface says, and changes nothing', async (t) => {
  const rig = await startRig(t);
  const other = await made(rig, { remote_id_serial: serial });
  const { id } = await made(rig, { model: 'Matrice 30' }, { kind: 'sensor' });
  const carried = (await post(rig, `/${id}`, { spec: {}, placement: { carried_by: other.id } })).body.data as Asset;
  t.match(carried.placement, { carried_by: other.id });
  const place = { lat: 47, lon: 8 };
  await refused(t, rig, [
    {
      name: 'no spec',
      path: `/${id}`,
      body: { name: 'x' },
      status: 400,
      error: /^'spec' is missing: it must be an object$/,
    },
    { name: 'a spec that is a text', path: `/${id}`, body: { spec: 'x' }, status: 409, error: /spec/ },
    { name: 'a spec that is a list', path: `/${id}`, body: { spec: [] }, status: 409, error: /spec/ },
    { name: 'a spec that is null', path: `/${id}`, body: { spec: null }, status: 409, error: /spec/ },
    {
      name: 'a spec that does not parse',
      path: `/${id}`,
      body: { spec: { tags: 'x' } },
      status: 400,
      error: /'spec.tags'/,
    },
    { name: 'a model that nobody knows', path: `/${id}`, body: { spec: {}, model: 'x' }, status: 409, error: /'x'/ },
    { name: 'the same in the spec', path: `/${id}`, body: { spec: { model: 'x' } }, status: 409, error: /'x'/ },
    {
      name: 'a latitude that the earth has not',
      path: `/${id}`,
      body: { spec: {}, placement: { lat: 91, lon: 8 } },
      status: 400,
      error: /'placement.lat'/,
    },
    {
      name: 'a longitude that the earth has not',
      path: `/${id}`,
      body: { spec: {}, placement: { lat: 1, lon: -181 } },
      status: 400,
      error: /'placement.lon'/,
    },
    {
      name: 'a placement that is no point',
      path: `/${other.id}`,
      body: { spec: {}, placement: { lat: 1 } },
      status: 400,
      error: /'placement.lon'/,
    },
    {
      name: 'a place for what is carried',
      path: `/${id}`,
      body: { spec: {}, placement: place },
      status: 409,
      error: /carried/,
    },
    {
      name: 'a place beside a carrier',
      path: `/${other.id}`,
      body: { spec: {}, placement: { ...place, carried_by: id } },
      status: 409,
      error: /carried/,
    },
    {
      name: 'a carrier that there is not',
      path: `/${other.id}`,
      body: { spec: {}, placement: { carried_by: nobody } },
      status: 409,
      error: /no asset has this id/,
    },
    {
      name: 'a serial of another',
      path: `/${id}`,
      body: { spec: { remote_id_serial: serial } },
      status: 409,
      error: /already belongs to the asset/,
    },
    { name: 'an old version', path: `/${id}`, body: { spec: {}, version: 1 }, status: 409, error: /version 2, not 1/ },
    { name: 'an asset that there is not', path: `/${nobody}`, body: { spec: {} }, status: 404, error: /no asset/ },
    { name: 'bind: none', path: `/${nobody}/bind`, body: { key: 'x' }, status: 404, error: /no asset/ },
    { name: 'bind: an empty key', path: `/${id}/bind`, body: { key: ' ' }, status: 400, error: /'key'/ },
    { name: 'bind: a key of another', path: `/${id}/bind`, body: { key: serial }, status: 409, error: /Heron/ },
    {
      name: 'bind: paired already',
      path: `/${other.id}/bind`,
      body: { key: 'new' },
      status: 409,
      error: /already bound/,
    },
    { name: 'payloads: none', path: `/${nobody}/payloads`, body: { payloads: [] }, status: 404, error: /no asset/ },
    {
      name: 'payloads: no list',
      path: `/${id}/payloads`,
      body: { payloads: {} },
      status: 400,
      error: /'payloads'/,
    },
    {
      name: 'payloads: two in one slot',
      path: `/${id}/payloads`,
      body: {
        payloads: [{ kind: 'camera_eo', slot: 'nose' }, { kind: 'radar' }, { kind: 'radar', slot: 'Nose' }],
      },
      status: 400,
      error: /^'payloads\[2\].slot' must differ from the slot of payload 0: the slot Nose is taken$/,
    },
  ]);
  t.equal((await ask(`${rig.url}/api/assets/${id}`)).status, 200);
  t.match((await ask(`${rig.url}/api/assets/${id}`)).body.data, { version: 2, placement: { carried_by: other.id } });
});

t.test('a key that was ever heard or never: any that is not empty binds', async (t) => {
  const rig = await startRig(t);
  const { id } = await made(rig);
  const key = 'mavlink:5e0f6a52-0d3c-8a11-9c55-0000000000a1:12:1';
  const bound = await post(rig, `/${id}/bind`, { key });
  t.match(bound.body.data, { id, paired: true, spec: { remote_id_serial: key }, version: 2 });
  t.match((await post(rig, '', { name: 'x', spec: { remote_id_serial: key } })).status, 409);
});

t.test('payloads are written by their own route alone: nothing, everything, or what the model carries', async (t) => {
  const rig = await startRig(t);
  const { id } = await made(rig, { model: 'Matrice 30', tags: ['a'] });
  const fit = [{ kind: 'radar', range_m: 800 }];
  const fitted = await post(rig, `/${id}/payloads`, { payloads: fit });
  t.match(fitted.body.data, { payloads: fit, spec: { payloads: fit, tags: ['a'] } });
  const kept = await post(rig, `/${id}`, { spec: { payloads: [] } });
  t.match(kept.body.data, { payloads: fit, spec: { payloads: fit } });
  t.notOk((kept.body.data as Asset).spec.tags, 'the rest of the spec was replaced');
  const read = (await ask(`${rig.url}/api/assets/${id}`)).body.data as ResolvedAsset;
  t.match(read.resolved.payloads, { from: 'own', value: fit });
  t.match(read.resolved.capability, { from: 'own', value: { detects: [{ modality: 'radar', range_m: 800 }] } });
  t.same(((await post(rig, `/${id}/payloads`, { payloads: [] })).body.data as Asset).payloads, []);
  t.equal(((await post(rig, `/${id}/payloads`, { payloads: null })).body.data as Asset).payloads, null);
});

t.test('what is not a force asset cannot be deleted, and ids that are none are not found', async (t) => {
  const rig = await startRig(t);
  const emitter = await made(rig, { remote_id_serial: serial }, { kind: 'emitter' });
  t.equal(emitter.affiliation, 'unknown');
  for (const id of [emitter.id, nobody, 'x']) {
    const answer = await ask(`${rig.url}/api/assets/${id}`, { method: 'DELETE' });
    t.match(answer, { status: 404, body: { code: 'not_found' } }, id);
  }
  t.equal(rig.registry.registry.assets.list().length, 1);
});

t.test('a limit gives the first rows, by name', async (t) => {
  const rig = await startRig(t);
  for (const name of ['c', 'a', 'b']) await made(rig, {}, { name });
  const names = async (query: string) =>
    ((await ask(`${rig.url}/api/assets${query}`)).body.data as Asset[]).map(({ name }) => name);
  t.same(await names(''), ['a', 'b', 'c']);
  t.same(await names('?limit=2'), ['a', 'b']);
});
