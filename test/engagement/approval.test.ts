import t from 'tap';
import { beginField } from '../support/engagement/begun_field.ts';
import { approvalOf, onOpenSurface, planFor, proposalOf, somebody } from '../support/engagement/engagement.ts';

const anna = somebody('anna');
const ben = somebody('ben');

function begin(...of: Parameters<typeof beginField>) {
  const begun = beginField(...of);
  begun.engagements.tick();
  const kinds = (): string[] => begun.rig.ledger.audit.since(0).map(({ kind }) => kind);
  return { ...begun, kinds };
}

t.test('what is proposed is approved, flown and completed, and every step is told', async (t) => {
  const { field, track, engagements, kinds } = begin(t);
  const proposal = proposalOf(engagements, track.id);
  t.same(
    proposal.candidates.map(({ response }) => response),
    ['observe', 'investigate', 'notify'],
  );
  t.ok(proposal.candidates.every(({ feasible }) => feasible));
  const plan = planFor(proposal, 'investigate');
  t.match(plan.legs, [
    { verb: 'orbit', params: { kind: 'track', track_id: track.id, standoff_m: 100, radius_m: 150 } },
  ]);
  const begun = await engagements.approve(approvalOf(proposal, plan), anna);
  t.equal(begun.state, 'executing');
  t.match(begun.approvals, [{ by: 'user:anna', user_id: 'anna', decision: 'approved', reason: 'a test' }]);
  t.equal(field.begun.length, 1);
  field.change(begun.tasks[0]?.id ?? '', { state: 'done', phase: 'over' });
  t.equal(engagements.get(begun.id).state, 'completed');
  t.same(engagements.open(), []);
  t.same(kinds(), ['plan.approved', 'engagement.completed']);
  t.same([...new Set(field.told.map(({ state }) => state))], ['proposed', 'approved', 'executing', 'completed']);
});

t.test('nobody answers: it expires and nothing is sent', (t) => {
  const { field, track, engagements, kinds } = begin(t);
  const proposal = proposalOf(engagements, track.id);
  field.pass(121);
  engagements.tick();
  t.equal(engagements.get(proposal.id).state, 'expired');
  t.not(proposalOf(engagements, track.id).id, proposal.id, 'it matters still: it is proposed anew');
  t.same(kinds(), ['plan.expired']);
  t.same(field.begun, []);
  t.end();
});

t.test('what is rejected is not proposed again until it matters more', (t) => {
  const { field, track, engagements, kinds } = begin(t);
  const { id } = proposalOf(engagements, track.id);
  t.match(engagements.reject(id, { reason: 'known' }, anna), { state: 'rejected', reason: 'known' });
  field.pass(600);
  engagements.tick();
  t.same(engagements.open(), []);
  field.threats.set(track.id, { ...(field.threats.get(track.id) as never as object), level: 'critical' } as never);
  engagements.tick();
  t.ok(proposalOf(engagements, track.id));
  t.same(kinds(), ['plan.rejected']);
  t.end();
});

t.test('what is cancelled while it matters more than when it was proposed is not proposed again at once', async (t) => {
  const { field, track, engagements } = begin(t);
  const proposal = proposalOf(engagements, track.id);
  const { id } = await engagements.approve(approvalOf(proposal, planFor(proposal, 'investigate')), anna);
  field.threats.set(track.id, { ...(field.threats.get(track.id) as never as object), level: 'critical' } as never);
  engagements.cancel(id, { reason: 'enough' }, anna);
  engagements.tick();
  t.same(engagements.open(), []);
});

t.test('a plan that is not what it was is refused, and the refusal says which', async (t) => {
  const cases: [string, (of: ReturnType<typeof begin>) => unknown, RegExp][] = [
    ['expired', ({ field }) => field.pass(121), /expired at/],
    ['stale track', ({ field }) => (field.nowMs += 6_000), /last received 6 s ago/],
    ['gone track', ({ field, track }) => field.seen.delete(track.id), /has ended/],
    ['lost track', ({ field, track }) => field.seen.set(track.id, { ...track, state: 'lost' }), /is lost/],
    [
      'affiliation',
      ({ field, track }) => field.seen.set(track.id, { ...track, affiliation: 'neutral' }),
      /and is neutral now/,
    ],
    ['config', ({ field }) => field.policyVersion++, /decision config/],
    ['doctrine', ({ field }) => field.doctrineVersion++, /another version of the doctrine/],
    ['picture', ({ field }) => (field.seqAgeMs = 10_001), /picture 1 is older/],
    ['unknown picture', ({ field }) => (field.seqAgeMs = null), /picture 1 is not one that was shown recently/],
    [
      'verb',
      ({ field }) =>
        [...field.vehicles.values()].map((v) => field.withhold(v, 'orbit', 'link_down', 'its link is down')),
      /its link is down/,
    ],
    [
      'path',
      ({ field }) =>
        [...field.vehicles.keys()].map((id) =>
          field.refused.set(id, { reason: 'keep_out', text: 'the path crosses Tower' }),
        ),
      /crosses Tower/,
    ],
    [
      'provenance',
      ({ field, track }) => field.seen.set(track.id, { ...track, provenance: 'simulated' }),
      /in different worlds/,
    ],
    [
      'energy',
      ({ field }) => [...field.vehicles.values()].map(({ row }) => Object.assign(row, { energy_pct: 20 })),
      /too little energy/,
    ],
    ['fleet', ({ field }) => field.vehicles.clear(), /not in the fleet/],
  ];
  for (const [name, spoil, why] of cases)
    await t.test(name, async (t) => {
      const of = begin(t);
      const proposal = proposalOf(of.engagements, of.track.id);
      const ask = approvalOf(proposal, planFor(proposal, 'investigate'));
      spoil(of);
      await t.rejects(of.engagements.approve(ask, anna), { code: 'conflict', message: why });
      t.same(of.field.begun, []);
      t.same(of.kinds(), ['plan.refused']);
    });
});

t.test('a hash, a plan or an engagement that is another is refused', async (t) => {
  const { field, track, engagements } = begin(t);
  const proposal = proposalOf(engagements, track.id);
  const ask = approvalOf(proposal, planFor(proposal, 'investigate'));
  const other = planFor(proposal, 'observe');
  await t.rejects(engagements.approve({ ...ask, hash: other.hash }, anna), { code: 'conflict', message: /hash/ });
  await t.rejects(engagements.approve({ ...ask, plan_id: proposal.id }, anna), {
    code: 'conflict',
    message: /not among the plans/,
  });
  await t.rejects(engagements.approve({ ...ask, engagement_id: track.id }, anna), { code: 'not_found' });
  engagements.reject(proposal.id, {}, anna);
  await t.rejects(engagements.approve(ask, anna), { code: 'conflict', message: /is rejected/ });
  t.same(field.begun, []);
});

t.test('two approvals are of two people, neither the one who asked', async (t) => {
  const { field, track, engagements, kinds } = begin(t, (field) => field.policy.engagement.two_person.push('orbit'));
  const proposal = engagements.propose(track.id, null, somebody('carl'));
  const ask = approvalOf(proposal, planFor(proposal, 'investigate'));
  t.equal(planFor(proposal, 'investigate').required_approvals, 2);
  await t.rejects(engagements.approve({ ...ask, operator: 'anna' }, onOpenSurface), {
    code: 'conflict',
    message: /sign(?:ed)? in/,
  });
  await t.rejects(engagements.approve(ask, somebody('carl')), { code: 'conflict', message: /you requested it/ });
  t.match(await engagements.approve(ask, anna), { state: 'pending_approval' });
  t.same(field.begun, []);
  await t.rejects(engagements.approve(ask, anna), { code: 'conflict', message: /already/ });
  const other = approvalOf(proposal, planFor(proposal, 'observe'));
  await t.rejects(engagements.approve(other, ben), { code: 'conflict', message: /another plan/ });
  t.match(await engagements.approve(ask, ben), { state: 'executing' });
  t.equal(field.begun.length, 1);
  t.equal(kinds().filter((kind) => kind === 'plan.approved').length, 2);
});

t.test('what is between two approvals is not replaced, and ends where it is not what was agreed to', async (t) => {
  const { field, track, engagements } = begin(t, (field) => field.policy.engagement.two_person.push('orbit'));
  const proposal = proposalOf(engagements, track.id);
  const ask = approvalOf(proposal, planFor(proposal, 'investigate'));
  await engagements.approve(ask, anna);
  for (const [, vehicle] of field.vehicles) field.withhold(vehicle, 'orbit', 'link_down', 'its link is down');
  field.pass(10);
  engagements.tick();
  t.equal(engagements.get(proposal.id).state, 'pending_approval');
  await t.rejects(engagements.approve(ask, ben), { code: 'conflict', message: /link is down/ });
  field.policyVersion++;
  engagements.tick();
  t.equal(engagements.get(proposal.id).state, 'superseded');
  t.same(field.begun, []);
});

t.test('keys never approve, viewers cannot, and the open surface says who and why', async (t) => {
  const { field, track, engagements } = begin(t);
  const proposal = proposalOf(engagements, track.id);
  const { reason: _reason, ...ask } = approvalOf(proposal, planFor(proposal, 'investigate'));
  const key = { ...somebody('feed', 'owner'), userId: null, isKey: true };
  await t.rejects(engagements.approve({ ...ask, operator: 'anna', reason: 'x' }, key), { code: 'forbidden' });
  await t.rejects(engagements.approve(ask, somebody('vera', 'viewer')), {
    code: 'forbidden',
    message: /role operator/,
  });
  await t.rejects(engagements.approve({ ...ask, reason: 'x' }, onOpenSurface), {
    code: 'invalid_input',
    message: /operator/,
  });
  await t.rejects(engagements.approve({ ...ask, operator: 'x' }, onOpenSurface), {
    code: 'invalid_input',
    message: /reason/,
  });
  field.control.openSurface = 'observe_only';
  await t.rejects(engagements.approve({ ...ask, operator: 'a', reason: 'x' }, onOpenSurface), {
    code: 'forbidden',
    message: /control.open_surface is observe_only/,
  });
  t.same(field.begun, []);
  const looking = approvalOf(proposal, planFor(proposal, 'observe'));
  const done = await engagements.approve({ ...looking, operator: 'anna' }, onOpenSurface);
  t.match(done, { state: 'executing', approvals: [{ by: 'open:10.0.0.7 (anna)', user_id: null }] });
});

t.test('on observe_only nobody calls vehicles home without signing in, and stops take a name', async (t) => {
  const { field, track, engagements } = begin(t, (field) => {
    field.policy.posture = 'severe';
    field.control.openSurface = 'observe_only';
  });
  const proposal = proposalOf(engagements, track.id);
  const home = planFor(proposal, 'return');
  t.ok(home.legs.every(({ verb }) => verb === 'return_home'));
  const ask = { ...approvalOf(proposal, home), operator: 'anna' };
  await t.rejects(engagements.approve(ask, onOpenSurface), { code: 'forbidden', message: /observe_only/ });
  t.match(await engagements.approve(ask, anna), { state: 'executing' });
  const { id } = proposal;
  t.throws(() => engagements.cancel(id, {}, onOpenSurface), { code: 'invalid_input', message: /'operator'/ });
  await t.rejects(engagements.stopAll({}, onOpenSurface), { code: 'invalid_input', message: /'operator'/ });
  field.control.openSurface = 'deny';
  await t.rejects(engagements.stopAll({ operator: 'anna' }, onOpenSurface), { code: 'forbidden' });
  t.equal(field.held, 0);
  field.control.openSurface = 'observe_only';
  t.match(await engagements.stopAll({ operator: 'anna' }, onOpenSurface), { engagements: 1 });
});

t.test('what one sender asks too often keeps no other from stopping everything', async (t) => {
  const { field, engagements } = begin(t);
  const key = { ...somebody('feed'), userId: null, isKey: true, actor: { ...anna.actor, type: 'key' as const } };
  const codes = await Promise.all(
    Array.from({ length: 20 }, () => engagements.stopAll({}, key).then(String, ({ code }) => code)),
  );
  t.equal(codes.filter((code) => code === 'rate_limited').length, 15);
  await engagements.stopAll({}, anna);
  t.equal(field.held, 6);
});

t.test('a box without control refuses', async (t) => {
  const { field, engagements, track } = begin(t, (field) => (field.control.enabled = false));
  t.same(engagements.open(), [], 'and proposes nothing');
  await t.rejects(engagements.approve({ track_id: track.id, plan_id: track.id, hash: 'x', seq: 1 }, anna), {
    code: 'not_built',
  });
  t.throws(() => engagements.propose(track.id, null, anna), { code: 'not_built' });
  await t.rejects(engagements.stopAll({}, anna), { code: 'not_built' });
  t.same(field.begun, []);
});

t.test('what cannot be sent fails the engagement, and what was sent of it is taken back', async (t) => {
  const { field, track, engagements } = begin(t, (field) => field.addVehicle('South 1', {}, 180));
  const proposal = proposalOf(engagements, track.id);
  const plan = planFor(proposal, 'investigate');
  t.equal(plan.legs.length, 2);
  let starts = 0;
  field.beforeStart = async () => {
    if (++starts === 2) throw new Error('its link is down');
  };
  await t.rejects(engagements.approve(approvalOf(proposal, plan), anna), {
    code: 'unavailable',
    message: /link is down/,
  });
  t.match(engagements.get(proposal.id), { state: 'failed', reason: 'its link is down' });
  t.same(field.cancelled, [field.begun[0]?.task.id]);
});

t.test('stopping everything takes back what runs and what is just being sent', async (t) => {
  const { field, track, engagements, kinds } = begin(t);
  const proposal = proposalOf(engagements, track.id);
  let stopped: Promise<unknown> | null = null;
  field.beforeStart = async () => {
    stopped ??= engagements.stopAll({ reason: 'a helicopter' }, anna);
    await stopped;
  };
  await t.rejects(engagements.approve(approvalOf(proposal, planFor(proposal, 'investigate')), ben), {
    code: 'conflict',
    message: /is already cancelled/,
  });
  t.match(await stopped, { engagements: 1, platforms: [{ held: true }] });
  t.match(engagements.get(proposal.id), { state: 'cancelled', reason: 'a helicopter' });
  t.equal(field.held, 1);
  t.same(
    field.cancelled,
    field.begun.map(({ task }) => task.id),
  );
  t.ok(kinds().includes('engagement.stop_all'));
});

t.test('a vehicle that would meet another of the same plan is not in it, and the plan can be flown', async (t) => {
  const refusal = { reason: 'policy_denied', text: 'the path comes within 18 m of our own vehicle South 2' } as const;
  const { field, track, engagements } = begin(t, (field) => {
    field.addVehicle('South 1', {}, 180);
    field.refusedSecond = refusal;
  });
  const proposal = proposalOf(engagements, track.id);
  const plan = planFor(proposal, 'investigate');
  t.equal(plan.legs.length, 1);
  t.match(plan.infeasible_reasons, [refusal]);
  t.match(await engagements.approve(approvalOf(proposal, plan), anna), { state: 'executing' });
  t.equal(field.begun.length, 1);
});
