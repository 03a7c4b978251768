import t from 'tap';
import { parse } from 'yaml';
import { systemActor } from '../../src/model/actor.ts';
import type { Doctrine, DoctrineVersion } from '../../src/model/doctrine.ts';
import { type Answer, ask, type Rig, startRig } from '../support/http/server.ts';

const get = async (rig: Rig, query = ''): Promise<Doctrine> =>
  (await ask(`${rig.url}/api/doctrine${query}`)).body.data as Doctrine;
const send = (rig: Rig, doctrine: object): Promise<Answer> =>
  ask(`${rig.url}/api/doctrine/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(doctrine),
  });

t.test('an equal doctrine has an equal hash, whatever was counted and set beside it', async (t) => {
  const [here, there] = [await startRig(t), await startRig(t)];
  const { decision } = there.registry.registry;
  const { version: _version, updated_at: _at, updated_by: _by, ...policy } = decision.get();
  decision.save({ ...policy, tracking: { ...policy.tracking, coast_s: 4 } }, systemActor);
  const [a, b] = [await get(here), await get(there)];
  t.notSame(a.settings, b.settings);
  t.equal(a.hash, b.hash);
  t.equal(parse((await ask(`${here.url}/api/doctrine/export`)).text).hash, a.hash, 'the export carries it');
  const release_table = a.release_table.map((row) => ({ ...row, expires_s: 77 }));
  const changed = await ask(`${here.url}/api/doctrine/import?force=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...a, release_table }),
  });
  t.equal(changed.status, 200, changed.text);
  t.not((await get(here)).hash, a.hash, 'another doctrine has another');
});

t.test('JSON is imported as it was answered, and refused where it was changed by hand', async (t) => {
  const rig = await startRig(t);
  const doctrine = await get(rig);
  const taken = await send(rig, { ...doctrine, postures: doctrine.postures.toReversed() });
  t.equal(taken.status, 200, taken.text);
  t.match(taken.body.data, { version: 1, hash: doctrine.hash });
  const rules = doctrine.rules.map((rule) => ({ ...rule, enabled: false }));
  t.match((await send(rig, { ...doctrine, rules })).body, { code: 'invalid_input', faults: [{ path: 'hash' }] });
  const faulty = await send(rig, { ...doctrine, postures: 1, surely: 2 });
  t.same(faulty.body.faults?.map(({ path }) => path).toSorted(), ['postures', 'surely']);
});

t.test('every version is listed with its hash, and is answered as it was saved', async (t) => {
  const rig = await startRig(t);
  const defaults = await get(rig);
  const { rules } = rig.registry.registry;
  const [first] = defaults.rules;
  for (const enabled of [false, true]) rules.update(first?.id ?? '', { enabled }, systemActor);
  const { body } = await ask(`${rig.url}/api/doctrine/versions`);
  const versions = body.data as DoctrineVersion[];
  t.same(
    versions.map(({ version }) => version),
    [2, 1],
  );
  t.equal(versions[0]?.hash, defaults.hash, 'two changes back are none');
  t.not(versions[1]?.hash, defaults.hash);
  t.equal((await get(rig, '?version=1')).rules.find(({ id }) => id === first?.id)?.enabled, false);
  t.same((await get(rig, '?version=0')).rules, defaults.rules);
  t.equal((await ask(`${rig.url}/api/doctrine?version=9`)).status, 404);
  const older = (await ask(`${rig.url}/api/doctrine/versions?before=2&limit=5`)).body.data;
  t.match(older, [{ version: 1 }]);
});
