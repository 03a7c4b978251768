import t from 'tap';
import { sampleTrack } from '../../src/http/openapi/samples.ts';
import type { Engagement, EngagementView } from '../../src/model/engagement.ts';
import { planFor } from '../support/engagement/engagement.ts';
import { keyOf, type Person, person, sending } from '../support/http/person.ts';
import { type Answer, ask, askJson, type Rig, startRig } from '../support/http/server.ts';

const about = { track_id: sampleTrack.id };
const said = { reason: 'nobody knows it', operator: 'anna' };

function post(rig: Rig, path: string, body: unknown, who?: Person): Promise<Answer> {
  if (!who) return askJson(`${rig.url}/api/engagement${path}`, 'POST', body);
  return ask(`${rig.url}/v1/engagement${path}`, sending('POST', who.headers, body));
}

async function viewOf(rig: Rig): Promise<EngagementView> {
  return (await ask(`${rig.url}/api/engagement`)).body.data as EngagementView;
}

/** The service has proposed something about the one track. */
async function proposed(rig: Rig): Promise<Engagement> {
  rig.registry.engagements.tick();
  const [engagement] = (await viewOf(rig)).engagements;
  if (!engagement) throw new Error('nothing is proposed');
  return engagement;
}

function approving(engagement: Engagement, response: 'observe' | 'investigate' = 'investigate') {
  const { id: plan_id, hash } = planFor(engagement, response);
  return { ...about, plan_id, hash, seq: 7 };
}

t.test('a plan is proposed, approved on the open surface with a name and a reason, and cancelled', async (t) => {
  const rig = await startRig(t);
  t.match(await viewOf(rig), { posture: 'normal', autonomy: 'advise', autonomy_effective: 'advise', engagements: [] });
  const engagement = await proposed(rig);
  const ask = approving(engagement);
  t.match((await post(rig, '/task', ask)).body, { code: 'invalid_input', error: /'operator'/ });
  t.match((await post(rig, '/task', { ...ask, operator: 'anna' })).body, { code: 'invalid_input', error: /'reason'/ });
  const begun = await post(rig, '/task', { ...ask, ...said });
  t.match(begun.body.data, {
    state: 'executing',
    tasks: [{ verb: 'orbit' }],
    approvals: [{ reason: 'nobody knows it' }],
  });
  const over = await post(rig, `/${engagement.id}/cancel`, {});
  t.match(over.body.data, { state: 'cancelled', tasks: [{ state: 'cancelled' }] });
  t.match((await post(rig, `/${engagement.id}/cancel`, {})).body, { code: 'conflict', error: /is cancelled/ });
});

t.test('two people approve, each signed in as himself', async (t) => {
  const rig = await startRig(t);
  rig.registry.field.policy.engagement.two_person.push('orbit');
  const [anna, ben] = [await person(rig, 'anna', 'operator'), await person(rig, 'ben', 'owner')];
  const plan = approving(await proposed(rig));
  const open = await post(rig, '/task', { ...plan, ...said });
  t.match([open.status, open.body.error], [409, /sign(?:ed)? in/]);
  t.match((await post(rig, '/task', plan, anna)).body.data, { state: 'pending_approval' });
  t.match((await post(rig, '/task', plan, anna)).body, { code: 'conflict', error: /already/ });
  t.match((await post(rig, '/task', plan, ben)).body.data, { state: 'executing' });
});

t.test('viewers and keys decide nothing that begins', async (t) => {
  const rig = await startRig(t);
  const engagement = await proposed(rig);
  const vera = await person(rig, 'vera', 'viewer');
  for (const [path, body] of [
    ['/task', approving(engagement)],
    ['/propose', about],
    [`/${engagement.id}/reject`, {}],
    ['/stop_all', {}],
  ] as const)
    t.match((await post(rig, path, body, vera)).body, { code: 'read_only' }, path);
  const { secret } = keyOf(rig, 'owner');
  const headers = { 'x-api-key': secret };
  const task = await ask(`${rig.url}/v1/engagement/task`, sending('POST', headers, approving(engagement)));
  t.match([task.status, task.body.error], [403, /not of a key/]);
  const confirm = { confirm: 'advise', reason: 'x' };
  const autonomy = await ask(`${rig.url}/v1/engagement/autonomy`, sending('POST', headers, confirm));
  t.equal(autonomy.status, 403);
  t.equal((await post(rig, '/autonomy', confirm)).status, 401, 'nor does the open surface confirm');
  t.same(rig.registry.field.begun, []);
});

t.test('what the box refuses is told by its setting', async (t) => {
  const rig = await startRig(t);
  const { field } = rig.registry;
  const engagement = await proposed(rig);
  field.control.openSurface = 'observe_only';
  t.match((await post(rig, '/task', { ...approving(engagement), ...said })).body, {
    code: 'forbidden',
    error: /control.open_surface is observe_only/,
  });
  t.equal((await post(rig, '/task', { ...approving(engagement, 'observe'), ...said })).status, 200);
  field.control.enabled = false;
  t.equal((await post(rig, '/task', { ...approving(engagement), ...said })).status, 501);
});

t.test('an old picture, another hash and an expired plan are 409 and say which', async (t) => {
  const rig = await startRig(t);
  const { field } = rig.registry;
  const plan = { ...approving(await proposed(rig)), ...said };
  t.match((await post(rig, '/task', { ...plan, hash: 'sha256:0' })).body, { code: 'conflict', error: /hash/ });
  field.seqAgeMs = 10_001;
  t.match((await post(rig, '/task', plan)).body, { code: 'conflict', error: /picture 7/ });
  field.seqAgeMs = 0;
  field.pass(121);
  t.match((await post(rig, '/task', plan)).body, { code: 'conflict', error: /expired at/ });
  rig.registry.engagements.tick();
  t.match((await post(rig, '/task', plan)).body, { code: 'conflict', error: /not among the plans proposed/ });
});

t.test('stopping everything holds every platform, and autonomy is confirmed by whoever signed in', async (t) => {
  const rig = await startRig(t);
  const { field } = rig.registry;
  field.policy.autonomy = 'observe_auto';
  const anna = await person(rig, 'anna', 'operator');
  const confirmed = await post(rig, '/autonomy', { confirm: 'observe_auto', reason: 'the shift begins' }, anna);
  t.match(confirmed.body.data, { autonomy_effective: 'observe_auto' });
  await proposed(rig);
  const stopped = await post(rig, '/stop_all', { reason: 'a helicopter' });
  t.match(stopped.body.data, { engagements: 1, tasks: 1, platforms: [{ held: true }] });
  t.match(await viewOf(rig), { autonomy_effective: 'advise' });
});
