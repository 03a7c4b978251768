import t from 'tap';
import type { RuleTrialService } from '../../src/app/rule_trial.ts';
import { sampleRuleSpec } from '../../src/http/openapi/rule_samples.ts';
import { sampleZoneSpec } from '../../src/http/openapi/settings_samples.ts';
import { ruleRoutes } from '../../src/http/routes/rules.ts';
import { builtinRuleIds } from '../../src/model/builtin_rules.ts';
import type { Doctrine } from '../../src/model/doctrine.ts';
import type { Firing } from '../../src/model/firing.ts';
import type { Rule } from '../../src/model/rule.ts';
import { dryRunSchema, type RuleDryRun } from '../../src/model/rule_dry_run.ts';
import type { RuleValue } from '../../src/model/rule_value.ts';
import { Rules } from '../../src/registry/rules/rules.ts';
import { type Answer, ask, askJson, type Rig, startRig } from '../support/http/server.ts';

const post = (rig: Rig, path: string, body: unknown): Promise<Answer> =>
  askJson(`${rig.url}/api/rules${path}`, 'POST', body);
const get = async (rig: Rig, id: string): Promise<Rule> => (await ask(`${rig.url}/api/rules/${id}`)).body.data as Rule;
const doctrine = async (rig: Rig): Promise<Doctrine> => (await ask(`${rig.url}/api/doctrine`)).body.data as Doctrine;
const kinds = (rig: Rig): unknown[] =>
  rig.registry.state.db.prepare('SELECT kind FROM audit ORDER BY seq').pluck().all();

t.test('the built-in rules stand first, as the doctrine has them', async (t) => {
  const rig = await startRig(t);
  const rules = (await ask(`${rig.url}/api/rules`)).body.data as Rule[];
  t.same(
    rules.map(({ id }) => id),
    builtinRuleIds,
  );
  t.ok(rules.every(({ builtin, enabled, when, version }) => builtin && enabled && when === null && version === 1));
  for (const { id, name } of rules) t.match(name, /^[A-Z][A-Za-z ]+$/, `${id} has a name for people`);
  t.match(
    rules.find(({ id }) => id === 'swarm'),
    { severity: 'critical', parameters: { n: 5, within_m: 600 } },
  );
});

t.test('a rule is made, read, changed and taken away, and each is told and answered for', async (t) => {
  const rig = await startRig(t);
  const made = (await post(rig, '', sampleRuleSpec)).body.data as Rule;
  t.match(made, {
    enabled: true,
    builtin: false,
    cooldown_s: 60,
    version: 1,
    counts: { fired: 0, suppressed: 0, last_at: null },
  });
  t.same(made.then, [{ do: 'alert' }, { do: 'log' }, { do: 'notify' }]);
  t.same(await get(rig, made.id), made);
  t.same(rig.registry.told.at(-1), {
    kind: 'config_change',
    row: { what: 'rule', id: made.id, version: 1, by: 'open:127.0.0.1' },
  });
  const changed = (await post(rig, `/${made.id}`, { for_s: 9, version: 1 })).body.data as Rule;
  t.match(changed, { for_s: 9, version: 2, when: made.when });
  t.equal((await post(rig, `/${made.id}`, { for_s: 1, version: 1 })).status, 409);
  t.match((await post(rig, '', sampleRuleSpec)).body, { code: 'conflict', error: /already a rule called/ });
  t.same((await ask(`${rig.url}/api/rules/${made.id}`, { method: 'DELETE' })).body, {
    ok: true,
    data: { deleted: true },
  });
  t.match(rig.registry.told.at(-1), { row: { what: 'rule', id: made.id, version: null } });
  t.equal((await ask(`${rig.url}/api/rules/${made.id}`)).status, 404);
  t.same(kinds(rig), ['rule.created', 'rule.changed', 'rule.deleted']);
});

t.test('whether a built-in rule holds and how loud it is, is one thing with the doctrine', async (t) => {
  const rig = await startRig(t);
  t.match((await post(rig, '/zone_entry', { severity: 'critical' })).body.data, {
    id: 'zone_entry',
    severity: 'critical',
    version: 2,
  });
  t.match(await doctrine(rig), { version: 1 });
  t.equal((await doctrine(rig)).rules.find(({ id }) => id === 'zone_entry')?.severity, 'critical');
  const text = (await ask(`${rig.url}/api/doctrine/export`)).text.replace(
    /(id: loitering\n\s+severity: notice\n\s+enabled:) true/,
    '$1 false',
  );
  const imported = await ask(`${rig.url}/api/doctrine/import?force=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/yaml' },
    body: text,
  });
  t.equal(imported.status, 200, imported.body.error ?? '');
  t.match(await get(rig, 'loitering'), { enabled: false, version: 3 });
  t.match(await get(rig, 'zone_entry'), { severity: 'critical', version: 3 });
  t.match((await post(rig, '/zone_entry', { enabled: false, version: 2 })).body, {
    code: 'conflict',
    error: /at version 3, not 2/,
  });
  t.same(kinds(rig), ['doctrine.changed', 'rule.changed', 'doctrine.imported']);
});

t.test('the numbers of a built-in rule are its own, and outlive the doctrine and a restart', async (t) => {
  const rig = await startRig(t);
  t.match((await post(rig, '/swarm', { for_s: 2, parameters: { n: 8 } })).body.data, {
    for_s: 2,
    parameters: { n: 8, within_m: 600 },
    version: 2,
  });
  t.equal((await doctrine(rig)).version, 0);
  t.match((await post(rig, '/swarm', { parameters: { within_m: 300 } })).body.data, {
    for_s: 2,
    parameters: { n: 8, within_m: 300 },
    version: 3,
  });
  const { deps, doctrine: held, find } = rig.registry.registry;
  t.match(new Rules(deps, held, find).get('swarm'), { for_s: 2, parameters: { n: 8, within_m: 300 }, version: 3 });
});

t.test('of a built-in rule nothing else is changed, and none is taken away', async (t) => {
  const rig = await startRig(t);
  t.match((await post(rig, '/swarm', { name: 'x' })).body, {
    code: 'conflict',
    error: /the name of the built-in rule swarm/,
  });
  t.match((await post(rig, '/swarm', { message: 'x' })).body, { code: 'conflict' });
  t.match((await post(rig, '/swarm', { parameters: { m: 1 } })).body, {
    code: 'invalid_input',
    error: /'parameters\.m' is not a parameter of the rule swarm: this rule has n, within_m, distance_m/,
  });
  t.match((await post(rig, '/swarm', { parameters: { n: 2 } })).body, {
    code: 'invalid_input',
    error: /'parameters\.n' must be from 3 to 100/,
  });
  t.match((await post(rig, '/swarm', { parameters: { constructor: 2 } })).body, { code: 'invalid_input' });
  const gone = await ask(`${rig.url}/api/rules/swarm`, { method: 'DELETE' });
  t.match(gone.body, { code: 'conflict', error: /the rule swarm is built in and cannot be deleted; to turn it off/ });
  t.equal((await ask(`${rig.url}/api/rules/not_there`)).status, 404);
  t.equal((await post(rig, '/__proto__', {})).status, 404);
  t.same(kinds(rig), []);
});

t.test('what cannot be a rule is refused by its path, with what fits', async (t) => {
  const rig = await startRig(t);
  const refused = async (part: object, error: RegExp): Promise<void> => {
    const { status, body } = await post(rig, '', { ...sampleRuleSpec, ...part });
    t.match(body, { code: 'invalid_input', error }, `${status} ${body.error}`);
  };
  const all = (...conditions: unknown[]) => ({ when: { all: conditions }, message: 'x' });
  const doing = (...actions: unknown[]): object => Object.fromEntries([['then', actions]]);
  const score = { field: 'track.score', op: 'gt', value: 50 };
  await refused(
    all({ field: 'track.colour', op: 'eq', value: 'red' }),
    /'when\.all\[0\]\.field' must be one of track\.score/,
  );
  await refused(
    all({ field: 'track.score', op: 'inside', value: 1 }),
    /'when\.all\[0\]\.op' must be one of eq, ne, gt, gte, lt, lte, the operators of track\.score/,
  );
  await refused(
    all(score, { field: 'track.score', op: 'gt', value: '5' }),
    /'when\.all\[1\]\.value' must be a number from 0 to 100 for the field track\.score/,
  );
  await refused(
    all({ field: 'track.score', op: 'gt', value: 101 }),
    /'when\.all\[0\]\.value' must be a number from 0 to 100/,
  );
  await refused(
    all({ field: 'track.level', op: 'gt', value: 'huge' }),
    /'when\.all\[0\]\.value' must be one of none, low/,
  );
  await refused(
    all({ field: 'track.affiliation', op: 'in', value: 'friend' }),
    /'when\.all\[0\]\.value' must be a list of 1 to 50/,
  );
  await refused(
    all({ field: 'track.affiliation', op: 'in', value: ['friend', 'foe'] }),
    /'when\.all\[0\]\.value\[1\]' must be one of friend/,
  );
  await refused(all({ field: 'track.identity', op: 'eq', value: '*' }), /'when\.all\[0\]\.value' must be a text/);
  await refused(all({ field: 'track.crewed', op: 'eq', value: 'yes' }), /must be true or false/);
  await refused(
    all({ field: 'track.zone', op: 'inside', value: 'castle' }),
    /must be the id of a zone or one of protected/,
  );
  await refused(
    all({ field: 'track.zone', op: 'inside', value: '5e0f6a52-0d3c-8a11-9c55-0000000000ff' }),
    /'when\.all\[0\]\.value' must be the id of a zone of this workspace/,
  );
  await refused(
    all({ field: 'track.position', op: 'within_m', value: { lat: 91, lon: 0, m: 5 } }),
    /'when\.all\[0\]\.value\.lat'/,
  );
  await refused(
    all({ field: 'track.position', op: 'within_m', value: { asset_id: '5e0f6a52-0d3c-8a11-9c55-0000000000ff', m: 5 } }),
    /'when\.all\[0\]\.value\.asset_id' must be the id of an asset/,
  );
  await refused(
    all({ field: 'track.affiliation', op: 'changed', value: 'friend' }),
    /'when\.all\[0\]\.value' must be absent/,
  );
  await refused({ ...all({ field: 'track.affiliation', op: 'changed' }), for_s: 1 }, /'for_s' must be 0/);
  await refused(all({ field: 'track.speed_mps', op: 'changed' }), /'when\.all\[0\]\.op'/);
  await refused(
    all(score, { field: 'sensor.state', op: 'eq', value: 'silent' }),
    /'when\.all\[1\]\.field' must be of the same kind/,
  );
  await refused({ when: {} }, /'when' must have either all or any/);
  await refused({ when: { all: [score], any: [score] } }, /'when' must have either all or any/);
  await refused({ when: { all: [{ all: [score] }] } }, /when\.all\[0\]/);
  await refused(all(), /'when\.all' must have at least 1 entry/);
  await refused(all(...Array.from({ length: 21 }, () => score)), /'when\.all' must have at most 20 entries/);
  await refused({ message: '{track.secret}' }, /'message' contains \{track\.secret\}, which is not a field of a rule/);
  await refused(
    { ...all(score), message: '{zone.name}' },
    /'message' contains \{zone\.name\}, which is not a field of a rule whose 'all' has no condition with the operator 'inside'/,
  );
  await refused({ message: '{track.label' }, /'message' has a brace that is not closed/);
  await refused(
    {
      ...all({ field: 'sensor.state', op: 'eq', value: 'silent' }),
      ...doing({ do: 'log' }, { do: 'propose_plan' }),
    },
    /'then\[1\]\.do' must not be propose_plan: a sensor is no threat/,
  );
  await refused(
    doing({ do: 'command', verb: 'goto' }),
    /'then\[0\]\.do' must be one of alert, log, notify, raise_level, propose_plan/,
  );
  await refused(doing({ do: 'raise_level' }), /'then\[0\]\.level'/);
  await refused(doing({ do: 'log' }, { do: 'log' }), /'then\[1\]\.do' must not be listed twice/);
  await refused(
    { ...all({ field: 'track.level', op: 'lt', value: 'high' }), ...doing({ do: 'raise_level', level: 'high' }) },
    /'then\[0\]\.do' must not be raise_level if a condition tests track\.level/,
  );
  await refused(doing(), /'then' must have at least 1 entry/);
  await refused({ parameters: { n: 1 } }, /'parameters' is not a known field/);
  await refused({ cooldown_s: -1 }, /'cooldown_s' must be at least 0/);
  t.equal(((await ask(`${rig.url}/api/rules`)).body.data as Rule[]).length, builtinRuleIds.length);
});

t.test('a rule may do all that there is to do, and says so', async (t) => {
  const rig = await startRig(t);
  const then = [
    { do: 'alert' },
    { do: 'log' },
    { do: 'notify' },
    { do: 'raise_level', level: 'high' },
    { do: 'propose_plan' },
  ];
  const made = (await post(rig, '', { ...sampleRuleSpec, ...Object.fromEntries([['then', then]]) })).body.data as Rule;
  t.same(made.then, then);
  t.match(rig.registry.registry.rules.value(made.id), { does: { alert: true, propose: true }, raiseLevel: 'high' });
  t.notOk(rig.registry.registry.rules.value('swarm').does.propose);
});

t.test('a change is judged by what holds after it', async (t) => {
  const rig = await startRig(t);
  const { id } = (await post(rig, '', sampleRuleSpec)).body.data as Rule;
  t.match((await post(rig, `/${id}`, { when: { all: [{ field: 'track.score', op: 'gt', value: 5 }] } })).body, {
    error: /'message' contains \{zone\.name\}/,
  });
  t.match((await post(rig, `/${id}`, { parameters: { n: 1 } })).body, {
    code: 'invalid_input',
    error: /'parameters' are only for built-in rules/,
  });
});

t.test('two hundred rules at most', async (t) => {
  const rig = await startRig(t);
  const { rules } = rig.registry.registry;
  const first = (await post(rig, '', sampleRuleSpec)).body.data as Rule;
  const by = { type: 'system', id: 'x', name: 'x', address: null } as const;
  const { enabled, for_s, cooldown_s, then, severity, message, when } = first;
  if (!when) throw new Error('the rule asks nothing');
  for (let n = 1; n < 200; n++)
    rules.create({ name: `n${n}`, enabled, for_s, cooldown_s, then, severity, message, when }, by);
  t.match((await post(rig, '', { ...sampleRuleSpec, name: 'more' })).body, {
    code: 'conflict',
    error: /already has 200 rules/,
  });
});

t.test('the core is told of those that hold, after each change of either kind', async (t) => {
  const rig = await startRig(t);
  const { rules } = rig.registry.registry;
  const told: (readonly RuleValue[])[] = [];
  rules.onChange((values) => void told.push(values));
  const zone = (await askJson(`${rig.url}/api/zones`, 'POST', sampleZoneSpec)).body.data as { id: string };
  const when = { all: [{ field: 'track.zone', op: 'inside', value: zone.id }] };
  const { id } = (
    await post(rig, '', {
      ...sampleRuleSpec,
      when,
      ...Object.fromEntries([['then', [{ do: 'raise_level', level: 'high' }]]]),
    })
  ).body.data as Rule;
  t.match(told.at(-1)?.at(-1), {
    id,
    raiseLevel: 'high',
    does: { alert: false, log: false, notify: false, propose: false },
  });
  await post(rig, '/swarm', { enabled: false });
  t.notOk(told.at(-1)?.some((value) => value.id === 'swarm'));
  await post(rig, `/${id}`, { enabled: false });
  t.notOk(told.at(-1)?.some((value) => value.id === id));
  t.equal(rules.value(id).id, id, 'one that does not hold may be tried');
});

t.test('what fired is counted, shown by rules and doctrine, and outlives a restart', async (t) => {
  const rig = await startRig(t);
  const { rules, deps, doctrine: held, find } = rig.registry.registry;
  const track = '5e0f6a52-0d3c-8a11-9c55-000000000001';
  const news = { ruleId: 'swarm', fired: 2, suppressed: 1, lastMs: 1_000, lastTrackId: track };
  rules.count([news, { ...news, ruleId: 'not there' }], (ms) => Date.parse('2025-06-01T12:00:00Z') + ms);
  rules.count([{ ...news, fired: 0, suppressed: 4, lastMs: null, lastTrackId: null }], (ms) => ms);
  const last_at = '2025-06-01T12:00:01.000Z';
  t.same((await get(rig, 'swarm')).counts, { fired: 2, suppressed: 5, last_at });
  t.same((await doctrine(rig)).firing.swarm, { count: 2, suppressed: 5, last_at, last_track_id: track });
  const fresh = () => new Rules(deps, held, find).get('swarm').counts.fired;
  rules.saveCounts(0);
  t.equal(fresh(), 2);
  rules.count([news], (ms) => ms);
  rules.saveCounts(30_000);
  t.equal(fresh(), 2, 'written once a minute');
  rules.saveCounts(61_000);
  t.equal(fresh(), 4);
  t.same(kinds(rig), [], 'nobody answers for counts');
});

t.test('a dry run asks the service for what was, and tells its answer in documents', async (t) => {
  const route = ruleRoutes.find(({ path }) => path.endsWith('/dry-run'));
  const rig = await startRig(t);
  const asked: unknown[] = [];
  const firing: Firing = {
    key: 'k',
    ruleId: 'swarm',
    ruleVersion: 1,
    change: 'raised',
    severity: 'critical',
    subject: { type: 'site', id: 'site', label: '5 aircraft' },
    text: 'five',
    trackIds: ['a'],
    zoneId: null,
    count: 5,
    atMs: Date.parse('2025-06-01T10:00:00Z'),
    does: { alert: true, log: true, notify: true, propose: false },
  };
  const dryRun: RuleTrialService['dryRun'] = async (rule, sinceMs, untilMs) => {
    asked.push([rule.id, untilMs - sinceMs]);
    return { firings: [firing, { ...firing, ruleId: 'zone_entry' }], byRule: { swarm: { fired: 1, suppressed: 2 } } };
  };
  const run = async (id: string, since: string, until: string): Promise<unknown> =>
    route?.handler(
      { params: { id }, body: { since, until } } as never,
      { registry: rig.registry.registry, workspace: { ruleTrials: { dryRun } } } as never,
    );
  const [since, until] = ['2025-06-01T06:00:00.000Z', '2025-06-01T12:00:00.000Z'];
  const answer = await run('swarm', since, until);
  t.match(dryRunSchema.parse(answer), {
    rule_id: 'swarm',
    since,
    until,
    fired: 1,
    suppressed: 2,
    firings: [{ at: '2025-06-01T10:00:00.000Z', text: 'five' }],
  });
  t.equal((answer as RuleDryRun).firings.length, 1);
  t.same(asked, [['swarm', 6 * 3_600_000]]);
  await t.rejects(run('swarm', until, since), { code: 'invalid_input' });
  await t.rejects(run('swarm', since, '2025-06-02T12:00:00Z'), { code: 'invalid_input', message: /at most 24 h/ });
  await t.rejects(run('none', since, until), { code: 'not_found' });
});
