import t from 'tap';
import { sampleRun } from '../../src/http/openapi/run_samples.ts';
import { systemActor } from '../../src/model/actor.ts';
import type { Run, RunComparison } from '../../src/model/run.ts';
import { ask, startRig } from '../support/http/server.ts';

const { scenario_id, scenario_name, build, policy_version, metrics } = sampleRun;

t.test('runs are listed, read, set side by side and taken away', async (t) => {
  const { url, registry: rig } = await startRig(t);
  const { runs } = rig.registry;
  const begin = (seed: number): Run =>
    runs.add({ scenario_id, scenario_name, seed, build, policy_version }, systemActor);
  const [one, two, going] = [begin(1), begin(2), begin(3)];
  for (const { id } of [one, two]) runs.update(id, { state: 'completed', metrics, log_hash: sampleRun.log_hash });
  const at = (path: string): string => `${url}/api/simulation/runs${path}`;

  const first = await ask(at('?limit=2'));
  t.same(
    (first.body.data as Run[]).map(({ id }) => id),
    [going.id, two.id],
  );
  const next = await ask(at(`?limit=2&cursor=${first.headers.get('x-next-cursor')}`));
  t.same(
    (next.body.data as Run[]).map(({ id }) => id),
    [one.id],
  );
  t.equal(next.headers.get('x-next-cursor'), null);
  t.match((await ask(at(`/${one.id}`))).body.data, { seed: 1, state: 'completed', metrics });

  const beside = (await ask(at(`/compare?a=${one.id}&b=${two.id}`))).body.data as RunComparison;
  t.match(beside, { a: { id: one.id }, b: { id: two.id }, same: { seed: false, log_hash: true, scenario: true } });
  t.match(await ask(at(`/compare?a=${one.id}`)), { status: 400, body: { code: 'invalid_input', error: /'b'/ } });
  const unknown = '11111111-2222-4333-8444-555555555555';
  t.match(await ask(at(`/compare?a=${one.id}&b=${unknown}`)), { status: 404, body: { code: 'not_found' } });

  t.match(await ask(at(`/${going.id}`), { method: 'DELETE' }), { status: 409, body: { code: 'conflict' } });
  t.match(await ask(at(`/${one.id}`), { method: 'DELETE' }), { status: 200, body: { data: { deleted: true } } });
  t.equal((await ask(at(`/${one.id}`))).status, 404);
});
