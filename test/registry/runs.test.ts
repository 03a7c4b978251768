import t from 'tap';
import { sampleRun } from '../../src/http/openapi/run_samples.ts';
import { systemActor } from '../../src/model/actor.ts';
import { compareRuns, type Run } from '../../src/model/run.ts';
import { Registry } from '../../src/registry/registry.ts';
import { MOST_RUNS, type NewRun } from '../../src/registry/runs.ts';
import { runRows } from '../../src/store/runs.ts';
import { openRegistry } from '../support/registry/registry.ts';

const { scenario_id, scenario_name, build, policy_version, metrics } = sampleRun;
const begun = (seed: number): NewRun => ({ scenario_id, scenario_name, seed, build, policy_version });
const asked = { sinceMs: null, untilMs: null, limit: 200, cursor: null };

t.test('a run is told of, goes on, ends, and is what it came to from then on', (t) => {
  const { registry, ledger } = openRegistry(t);
  const told: string[] = [];
  registry.runs.changed.add(({ state }) => void told.push(state));
  const { id } = registry.runs.add(begun(7), systemActor);
  registry.runs.update(id, { state: 'running', simulated_s: 12 });
  const ended = registry.runs.update(id, { state: 'completed', metrics, expect: sampleRun.expect });
  t.same(registry.runs.get(id), ended);
  t.match(ended, { seed: 7, simulated_s: 12, metrics, ended_at: /Z$/ });
  t.same(told, ['loading', 'running', 'completed']);
  t.throws(() => registry.runs.update(id, { state: 'running' }), { code: 'conflict' });
  registry.runs.remove(id, systemActor);
  t.throws(() => registry.runs.get(id), { code: 'not_found' });
  t.throws(() => registry.runs.remove(id, systemActor), { code: 'not_found' });
  t.match([...ledger.audit.since(0)].map(({ kind }) => kind).slice(-2), ['run.started', 'run.deleted']);
  t.end();
});

t.test('a run of an earlier version has no refused orders', (t) => {
  const { registry, state, workspaceId } = openRegistry(t);
  const { refused: _refused, ...earlier } = sampleRun;
  runRows(state).put(workspaceId, earlier as Run);
  t.same(registry.runs.get(sampleRun.id).refused, []);
  t.end();
});

t.test('one that goes cannot be taken away; the next start finds that it has failed', (t) => {
  const rig = openRegistry(t);
  const { id } = rig.registry.runs.add(begun(1), systemActor);
  rig.registry.runs.update(id, { state: 'paused' });
  t.throws(() => rig.registry.runs.remove(id, systemActor), { code: 'conflict', message: /has not ended/ });
  const again = new Registry(rig.registry.deps);
  t.equal(again.runs.begin(), 1);
  t.match(again.runs.get(id), { state: 'failed', reason: /stopped during the run/, ended_at: /Z$/ });
  t.equal(again.runs.begin(), 0);
  t.end();
});

t.test('the newest come first, page by page, and none twice', (t) => {
  const { registry } = openRegistry(t);
  const ids = Array.from({ length: 7 }, (_, seed) => registry.runs.add(begun(seed), systemActor).id);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { rows: readonly Run[]; nextCursor: string | null } = registry.runs.list({
      ...asked,
      limit: 3,
      cursor,
    });
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  t.same(seen, [...ids].reverse());
  t.throws(() => registry.runs.list({ ...asked, cursor: 'nonsense' }), { code: 'invalid_input' });
  t.end();
});

t.test('so many are kept; the oldest that ended go, one that goes stays', (t) => {
  const { registry, state, workspaceId } = openRegistry(t);
  const rows = runRows(state);
  const at = (i: number): string => new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString();
  const id = (i: number): string => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
  state.write('runs', () => {
    for (let i = 0; i < MOST_RUNS; i++)
      rows.put(workspaceId, { ...sampleRun, id: id(i), started_at: at(i), state: i === 0 ? 'running' : 'completed' });
  });
  registry.runs.add(begun(1), systemActor);
  t.equal(registry.runs.list({ ...asked, limit: 1_000 }).rows.length, MOST_RUNS);
  t.equal(registry.runs.get(id(0)).state, 'running');
  t.throws(() => registry.runs.get(id(1)), { code: 'not_found' });
  t.equal(registry.runs.get(id(2)).id, id(2));
  t.end();
});

t.test('beside each other each metric says which is better, and nothing where nothing was measured', (t) => {
  const better = { ...sampleRun.metrics, gospa_m: 10, completeness: 0.5, alert_latency_s: null };
  const { metrics, same, expect } = compareRuns(sampleRun, {
    ...sampleRun,
    seed: 2,
    metrics: better as Run['metrics'],
    expect: [],
  });
  const of = (name: string) => metrics.find(({ metric }) => metric === name);
  t.match(of('gospa_m'), { a: 14.2, b: 10, better: 'b' });
  t.match(of('completeness'), { better: 'a' });
  t.match(of('id_switches'), { difference: 0, better: null });
  t.match(of('alert_latency_s'), { a: 1.2, b: null, difference: null, better: null });
  t.same(same, { scenario: true, seed: false, build: true, policy_version: true, log_hash: true });
  t.same(expect, [{ a: sampleRun.expect[0], b: null }]);
  t.end();
});
