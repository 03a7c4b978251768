import { randomUUID } from 'node:crypto';
import t from 'tap';
import { parse, stringify } from 'yaml';
import { sampleScenario, sampleScenarioSpec } from '../../src/http/openapi/scenario_samples.ts';
import { systemActor } from '../../src/model/actor.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { Registry } from '../../src/registry/registry.ts';
import { builtinScenario, builtinScenarios } from '../../src/sim/scenarios/builtins.ts';
import { ScenarioService } from '../../src/sim/scenarios/scenario_service.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { type Answer, ask, askJson, type Rig, startRig } from '../support/http/server.ts';

onlyInFull(t);

const sendYaml = (rig: Rig, path: string, body: string): Promise<Answer> =>
  ask(`${rig.url}/api/scenarios${path}`, { method: 'POST', headers: { 'content-type': 'application/yaml' }, body });
const send = (rig: Rig, path: string, body: unknown): Promise<Answer> =>
  askJson(`${rig.url}/api/scenarios${path}`, 'POST', body);
const dataOf = (answer: Answer): Scenario => {
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data as Scenario;
};
const intruder = builtinScenario('lone_intruder') as Scenario;

t.test(
  'a scenario is made of JSON or YAML, read, changed, told and taken away, and each of it is in the log',
  async (t) => {
    const rig = await startRig(t);
    const made = dataOf(await send(rig, '', sampleScenarioSpec));
    t.match(made, { ...sampleScenarioSpec, builtin: false, version: 1, seed: 1, zones: [] });
    const twin = dataOf(await sendYaml(rig, '', stringify({ ...sampleScenarioSpec, name: 'Its twin' })));
    t.same({ ...twin, id: made.id, name: made.name, created_at: made.created_at, updated_at: made.updated_at }, made);
    const changed = dataOf(await send(rig, `/${made.id}`, { seed: 7, version: 1 }));
    t.same(changed, { ...made, seed: 7, version: 2, updated_at: changed.updated_at });
    const windy = dataOf(await sendYaml(rig, `/${made.id}`, 'wind: {speed_mps: 5, from_deg: 90}'));
    t.same(windy.wind, { speed_mps: 5, from_deg: 90, gusts_mps: 0 });
    t.match(dataOf(await send(rig, `/${made.id}`, { wind: null })).wind, { speed_mps: 0, gusts_mps: 0 });
    const listed = (await ask(`${rig.url}/api/scenarios`)).body.data as Scenario[];
    t.same(listed.map(({ name }) => name).slice(-2), ['Its twin', 'Night visitor']);
    t.equal(listed.filter(({ builtin }) => builtin).length, builtinScenarios().length);
    t.same((await ask(`${rig.url}/api/scenarios/${made.id}`, { method: 'DELETE' })).body.data, { deleted: true });
    t.equal((await ask(`${rig.url}/api/scenarios/${made.id}`)).status, 404);
    const said = rig.registry.told.filter(({ kind }) => kind === 'config_change').map(({ row }) => row);
    t.match(
      said,
      [1, 1, 2, 3, 4, null].map((version) => ({ what: 'scenario', version, by: /^open:/ })),
    );
    const deeds = rig.registry.state.db
      .prepare("SELECT kind FROM audit WHERE kind LIKE 'scenario.%' ORDER BY rowid")
      .pluck()
      .all();
    t.same(
      deeds,
      ['created', 'created', 'changed', 'changed', 'changed', 'deleted'].map((what) => `scenario.${what}`),
    );
  },
);

t.test('a scenario as YAML is taken again as the same, a built-in one with its comments', async (t) => {
  const rig = await startRig(t);
  const made = dataOf(await send(rig, '', sampleScenarioSpec));
  for (const { id, name } of [made, ...builtinScenarios()]) {
    const answer = await ask(`${rig.url}/api/scenarios/${id}?format=yaml`);
    t.equal(answer.status, 200);
    t.match(answer.headers.get('content-type'), /^application\/yaml/);
    t.equal((parse(answer.text) as { name: string }).name, name);
    t.same((await sendYaml(rig, '/check', answer.text)).body.data, { ok: true, faults: [] }, name);
  }
  const accepted = await ask(`${rig.url}/api/scenarios/${intruder.id}`, { headers: { accept: 'application/yaml' } });
  t.match(accepted.text, /^# One dark quadcopter/);
  const told = await ask(`${rig.url}/api/scenarios/${intruder.id}`, { headers: { accept: 'text/html, */*' } });
  t.same(told.body.data, { ...intruder });
  const copy = accepted.text.replace('Lone intruder', 'My intruder');
  t.match(dataOf(await sendYaml(rig, '', copy)), { name: 'My intruder', builtin: false, actors: intruder.actors });
});

t.test('what is built in is not changed and not deleted, and its name is not taken', async (t) => {
  const rig = await startRig(t);
  const said = /Lone intruder is built in and cannot be (changed|deleted); make a copy of it under another name/;
  t.match((await send(rig, `/${intruder.id}`, { seed: 2 })).body, { ok: false, code: 'conflict', error: said });
  const gone = await ask(`${rig.url}/api/scenarios/${intruder.id}`, { method: 'DELETE' });
  t.match(gone.body, { ok: false, code: 'conflict', error: said });
  t.equal((await send(rig, '', { ...sampleScenarioSpec, name: 'Lone intruder' })).status, 409);
});

t.test('a name that is taken, and a version that is not the newest, are conflicts', async (t) => {
  const rig = await startRig(t);
  const { id } = dataOf(await send(rig, '', sampleScenarioSpec));
  t.equal((await send(rig, '', sampleScenarioSpec)).status, 409);
  dataOf(await send(rig, `/${id}`, { seed: 2 }));
  t.match((await send(rig, `/${id}`, { seed: 3, version: 1 })).body, {
    code: 'conflict',
    error: /is at version 2, not 1/,
  });
});

t.test(
  'a document that is none is 400 with every fault by line, column and path, also of what it changes',
  async (t) => {
    const rig = await startRig(t);
    const text = stringify(sampleScenarioSpec).replace(
      'max_range_m: 3000',
      'max_range_m: 3000\n      min_range_m: 4000',
    );
    const bad = text
      .replace('speed_mps: 12', 'speed_mps: 120')
      .replace('kind: drone', 'kind: drone\n    leaves_s: 500');
    const answer = await sendYaml(rig, '', bad);
    t.match(answer.body, { ok: false, code: 'invalid_input' });
    t.match(answer.body.error, /line \d+, column \d+: 'actors\[0\].leaves_s' must be at most duration_s, which is 120/);
    t.match(
      answer.body.error,
      /'actors\[0\].route\[0\].speed_mps' must be at most 80: no drone is faster; received 120/,
    );
    t.match(answer.body.error, /'sensors\[0\].placement.max_range_m' must be more than min_range_m, which is 4000/);
    const checked = (await sendYaml(rig, '/check', bad)).body.data as { ok: boolean; faults: { line: number }[] };
    t.match(checked, { ok: false, faults: [{ path: 'actors[0].leaves_s' }, {}, {}] });
    for (const { line } of checked.faults) t.ok(line > 5);
    const { id } = dataOf(await send(rig, '', sampleScenarioSpec));
    const patch = await send(rig, `/${id}`, {
      duration_s: 60,
      orders: [{ do: 'approve_plan', at_s: 70, about: 'nobody' }],
    });
    t.match(
      patch.body.error,
      /line 1, column \d+: 'orders\[0\].at_s' is not within .*'orders\[0\].about' names the actor 'nobody'/,
    );
    const type = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: text };
    t.equal((await ask(`${rig.url}/api/scenarios`, type)).status, 415);
    t.equal((await sendYaml(rig, '', `${text}# ${'x'.repeat(1_100_000)}`)).status, 413);
  },
);

t.test('a check says of any text what it is, and keeps nothing', async (t) => {
  const rig = await startRig(t);
  for (const text of ['[]', 'null', '"x"', '{"name": ', 'a: *b', '\u0001', '# nothing']) {
    const answer = await sendYaml(rig, '/check', text);
    t.match(answer.body.data, { ok: false, faults: [{ line: 1, column: Number, path: '', text: String }] }, text);
  }
  t.match((await send(rig, '/check', sampleScenarioSpec)).body.data, { ok: true });
  t.equal(rig.registry.registry.scenarios.list().length, 0);
});

t.test('a catalog entry of the workspace is a platform that a scenario may name', async (t) => {
  const rig = await startRig(t);
  const [actor] = sampleScenarioSpec.actors;
  const of = { ...sampleScenarioSpec, actors: [{ ...actor, catalog: 'Night Owl' }] };
  t.match((await send(rig, '', of)).body.error, /'actors\[0\].catalog' names 'Night Owl', which is not in the catalog/);
  const owl = { name: 'Night Owl', kind: 'platform', spec: { performance: { max_speed_mps: 10 } } };
  t.equal((await askJson(`${rig.url}/api/catalog/entries`, 'POST', owl)).status, 200);
  t.match(
    (await send(rig, '', of)).body.error,
    /speed_mps' must be at most 10: the aircraft cannot fly faster; received 12/,
  );
});

t.test('a viewer reads and checks, and writes nothing', async (t) => {
  const rig = await startRig(t, { access: { openRole: 'viewer' } });
  t.equal((await ask(`${rig.url}/api/scenarios`)).status, 200);
  t.match((await send(rig, '/check', sampleScenarioSpec)).body.data, { ok: true });
  t.equal((await send(rig, '', sampleScenarioSpec)).status, 403);
});

t.test('scenarios outlive a restart', async (t) => {
  const rig = await startRig(t);
  const made = dataOf(await send(rig, '', sampleScenarioSpec));
  const again = new ScenarioService(new Registry(rig.registry.registry.deps));
  t.same(again.get(made.id), made);
  t.same(again.list(), (await ask(`${rig.url}/api/scenarios`)).body.data);
});

t.test('a workspace holds 500 of its own and 8 MiB of them at most', async (t) => {
  const rig = await startRig(t);
  const [actor] = sampleScenarioSpec.actors;
  const route = Array.from({ length: 500 }, (_, i) => ({ east_m: i, north_m: -i, height_m: 60.5, speed_mps: 12 }));
  const actors = Array.from({ length: 15 }, (_, i) => ({ ...actor, id: `a${i}`, route }));
  let refused: Answer | null = null;
  for (let n = 0; n < 30 && refused === null; n++) {
    const answer = await send(rig, '', { ...sampleScenarioSpec, name: `n ${n}`, actors });
    if (answer.status !== 200) refused = answer;
  }
  t.match(refused?.body, { code: 'conflict', error: /would have more than 8 MiB together/ });
  const { state, registry, workspaceId } = rig.registry;
  const insert = state.db.prepare(
    `INSERT INTO scenarios (id, workspace_id, name, document, version, created_at, updated_at)
     VALUES (?, ?, ?, ?, 1, ?, ?)`,
  );
  const { created_at: at, ...spec } = sampleScenario();
  state.db.prepare('DELETE FROM scenarios').run();
  for (let n = 0; n < 499; n++) insert.run(randomUUID(), workspaceId, `n ${n}`, JSON.stringify(spec), at, at);
  const service = new ScenarioService(new Registry(registry.deps));
  service.create(JSON.stringify({ ...sampleScenarioSpec, name: 'the last' }), systemActor);
  t.throws(() => service.create(JSON.stringify({ ...sampleScenarioSpec, name: 'one more' }), systemActor), {
    code: 'conflict',
    message: /the workspace already has 500 scenarios/,
  });
});
