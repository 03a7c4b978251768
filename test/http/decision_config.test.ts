import t from 'tap';
import { type DecisionConfig, decisionPolicySchema } from '../../src/model/decision_config.ts';
import { defaultPolicy } from '../../src/model/decision_defaults.ts';
import { settingFacts, valueAt } from '../../src/model/setting_walk.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { ask, askJson, type Rig, startRig } from '../support/http/server.ts';

onlyInFull(t);

const put = (rig: Rig, body: unknown) => askJson(`${rig.url}/api/decision-config`, 'PUT', body);

/** The policy with another value at a path; undefined takes the field away. */
function changed(path: readonly string[], value: unknown): Record<string, unknown> {
  const policy = structuredClone(defaultPolicy) as unknown as Record<string, unknown>;
  const around = valueAt(policy, path.slice(0, -1)) as Record<string, unknown>;
  around[path.at(-1) ?? ''] = value;
  return policy;
}

t.test('a workspace that never saved one has the defaults, and each that is saved is a version more', async (t) => {
  const rig = await startRig(t);
  const first = (await ask(`${rig.url}/api/decision-config`)).body.data as DecisionConfig;
  t.same(first, { version: 0, updated_at: null, updated_by: null, ...defaultPolicy });
  const body = { ...first, posture: 'elevated', version: 99, updated_at: 'yesterday', updated_by: { not: 'me' } };
  const saved = (await put(rig, body)).body.data as DecisionConfig;
  t.match(saved, { version: 1, posture: 'elevated', updated_by: 'open:127.0.0.1' });
  t.same((await ask(`${rig.url}/api/decision-config`)).body.data, saved);
  t.match((await put(rig, { ...saved, posture: 'severe' })).body.data, { version: 2 });
  t.same(rig.registry.registry.decision.version(1), saved, 'the one before can still be read');
  t.match(rig.registry.told.at(-1), { kind: 'config_change', row: { what: 'decision_config', version: 2 } });
});

t.test('a number below its least, above its most, missing or none at all is refused by its path', async (t) => {
  const rig = await startRig(t);
  let numbers = 0;
  for (const { path, min, max } of settingFacts(decisionPolicySchema)) {
    const wrong: unknown[] = [undefined, { not: 'this' }];
    if (min !== null && max !== null) {
      numbers++;
      wrong.push(min - 1, max + 1, null, 'x');
    }
    for (const value of wrong) {
      const { status, body } = await put(rig, changed(path, value));
      t.equal(status, 400, `${path.join('.')} = ${value}`);
      t.ok(body.error?.includes(`'${path.join('.')}`), body.error ?? '');
    }
  }
  t.ok(numbers > 50, `${numbers} numbers have a range`);
  t.equal((await put(rig, { ...defaultPolicy, more: 1 })).status, 400);
  const nan = JSON.stringify(defaultPolicy).replace('"standoff_m":100', '"standoff_m":NaN');
  const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: nan };
  t.match((await ask(`${rig.url}/api/decision-config`, init)).body, { code: 'invalid_input', error: /not JSON/ });
  t.equal(rig.registry.registry.decision.get().version, 0, 'nothing of all that was saved');
});

t.test('what must rise rises, and nothing that moves is automatic', async (t) => {
  const rig = await startRig(t);
  const refused: [string, object][] = [
    ['levels.medium', { levels: { ...defaultPolicy.levels, medium: defaultPolicy.levels.low } }],
    ['levels.critical', { levels: { ...defaultPolicy.levels, high: 90 } }],
    ['tracking.lost_s', { tracking: { ...defaultPolicy.tracking, lost_s: 5 } }],
    ['tracking.close_s', { tracking: { ...defaultPolicy.tracking, close_s: 22 } }],
    ['curves.proximity_far_m', { curves: { ...defaultPolicy.curves, proximity_far_m: 300 } }],
    ['engagement.automatic[1]', { engagement: { ...defaultPolicy.engagement, automatic: ['zoom', 'goto'] } }],
    ['engagement.automatic[0]', { engagement: { ...defaultPolicy.engagement, automatic: ['hold'] } }],
    ['engagement.two_person[0]', { engagement: { ...defaultPolicy.engagement, two_person: ['fly'] } }],
    [
      'alerts.quiet_hours.tz',
      {
        alerts: {
          ...defaultPolicy.alerts,
          quiet_hours: { from: '22:00', to: '06:00', tz: 'Mars', at_least: 'critical' },
        },
      },
    ],
  ];
  for (const [path, part] of refused) {
    const { status, body } = await put(rig, { ...defaultPolicy, autonomy: 'observe_auto', ...part });
    t.equal(status, 400, path);
    t.ok(body.error?.includes(`'${path}'`), `${path}: ${body.error}`);
  }
  const quiet = { from: '22:00', to: '06:00', tz: 'Europe/Vienna', at_least: 'critical' };
  const good = { ...defaultPolicy, autonomy: 'observe_auto', alerts: { ...defaultPolicy.alerts, quiet_hours: quiet } };
  t.equal((await put(rig, good)).status, 200);
});
