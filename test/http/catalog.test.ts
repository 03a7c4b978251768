import t from 'tap';
import type { CatalogEntry } from '../../src/model/catalog.ts';
import { builtinSchema } from '../../src/model/catalog.ts';
import { ask, askJson, startRig } from '../support/http/server.ts';

t.test('there are thirty built-in platforms and more, each as its schema says, none stored', async (t) => {
  const rig = await startRig(t);
  const { body } = await ask(`${rig.url}/api/catalog/builtins`);
  const builtins = body.data as unknown[];
  t.ok(builtins.length >= 30, `${builtins.length}`);
  for (const builtin of builtins) t.ok(builtinSchema.safeParse(builtin).success);
  t.same((await ask(`${rig.url}/api/catalog/entries`)).body.data, []);
});

t.test('the built-in platforms are copied once, and what is missing of them again', async (t) => {
  const rig = await startRig(t);
  const seed = async () => (await askJson(`${rig.url}/api/catalog/seed-builtins`, 'POST', undefined)).body.data;
  const all = ((await ask(`${rig.url}/api/catalog/builtins`)).body.data as unknown[]).length;
  t.same(await seed(), { inserted: all });
  t.same(await seed(), { inserted: 0 });
  const entries = (await ask(`${rig.url}/api/catalog/entries`)).body.data as CatalogEntry[];
  t.equal(entries.length, all);
  t.ok(entries.every(({ builtin }) => builtin));
  await ask(`${rig.url}/api/catalog/entries/${entries[3]?.id}`, { method: 'DELETE' });
  t.same(await seed(), { inserted: 1 });
});

t.test('an entry is made, read, changed and taken out; a name that folds to another’s is taken', async (t) => {
  const rig = await startRig(t);
  const url = `${rig.url}/api/catalog/entries`;
  const spec = { maker: 'Workshop', performance: { max_speed_mps: 9 } };
  const made = (await askJson(url, 'POST', { kind: 'platform', name: 'Work-shop Quad', spec })).body
    .data as CatalogEntry;
  t.match(made, { kind: 'platform', name: 'Work-shop Quad', spec, builtin: false, version: 1 });
  t.same((await ask(`${url}/${made.id}`)).body.data, made);
  const taken = await askJson(url, 'POST', { kind: 'dock', name: 'workshopQUAD', spec: {} });
  t.match(taken, { status: 409, body: { code: 'conflict', error: /Work-shop Quad/ } });
  const changed = await askJson(`${url}/${made.id}`, 'POST', { spec: {}, name: null, kind: null, version: 1 });
  t.match(changed.body.data, { name: 'Work-shop Quad', kind: 'platform', spec: {}, version: 2 });
  t.equal((await askJson(`${url}/${made.id}`, 'POST', { spec: {}, version: 1 })).status, 409);
  t.equal((await askJson(`${url}/${made.id}`, 'POST', { spec: { wings: 2 } })).status, 400);
  t.equal((await askJson(`${url}/${made.id}`, 'POST', { name: 'x' })).status, 400);
  t.equal((await askJson(url, 'POST', { kind: 'saucer', name: 'x', spec: {} })).status, 400);
  t.same((await ask(`${url}/${made.id}`, { method: 'DELETE' })).body.data, { deleted: true });
  t.equal((await ask(`${url}/${made.id}`)).status, 404);
  t.equal((await askJson(`${url}/${made.id}`, 'POST', { spec: {} })).status, 404);
});

t.test('an asset keeps the name of a model that was taken out, and may be renamed', async (t) => {
  const rig = await startRig(t);
  const entry = (
    await askJson(`${rig.url}/api/catalog/entries`, 'POST', { kind: 'platform', name: 'Kite 7', spec: {} })
  ).body.data as CatalogEntry;
  const asset = (await askJson(`${rig.url}/api/assets/from-catalog`, 'POST', { name: 'a', catalog: 'kite-7' })).body
    .data as { id: string; spec: object };
  t.match(asset.spec, { model: 'Kite 7' });
  await ask(`${rig.url}/api/catalog/entries/${entry.id}`, { method: 'DELETE' });
  const renamed = await askJson(`${rig.url}/api/assets/${asset.id}`, 'POST', { spec: asset.spec, name: 'b' });
  t.match(renamed, { status: 200, body: { data: { name: 'b', spec: { model: 'Kite 7' } } } });
});
