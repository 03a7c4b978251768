import t, { type Test } from 'tap';
import { beginField } from '../support/engagement/begun_field.ts';
import { approvalOf, planFor, proposalOf, somebody } from '../support/engagement/engagement.ts';

const anna = somebody('anna');
const ben = somebody('ben');
const carl = somebody('carl');

/** An engagement whose plan takes two people, and its approval. */
function beginTwo(t: Test) {
  const begun = beginField(t, (field) => field.policy.engagement.two_person.push('orbit'));
  const { engagements, track, rig } = begun;
  engagements.tick();
  const proposal = proposalOf(engagements, track.id);
  const ask = approvalOf(proposal, planFor(proposal, 'investigate'));
  const kinds = (): string[] => rig.ledger.audit.since(0).map(({ kind }) => kind);
  return { ...begun, proposal, ask, kinds };
}

const losses = [
  { name: 'was removed', role: null, why: /user:anna does not count: this user was removed/ },
  { name: 'lost the role', role: 'viewer', why: /user:anna does not count: this user has the role viewer now/ },
] as const;

for (const { name, role, why } of losses) {
  t.test(`the approval of a person who ${name} does not count when the last one is given`, async (t) => {
    const { field, engagements, ask, kinds } = beginTwo(t);
    await engagements.approve(ask, anna);
    field.roles.set('anna', role);
    const waiting = await engagements.approve(ask, ben);
    t.match(waiting, {
      state: 'pending_approval',
      approvals: [
        { user_id: 'anna', decision: 'lapsed', reason: why },
        { user_id: 'ben', decision: 'approved' },
      ],
    });
    t.same(field.begun, [], 'nothing was sent');
    t.same(kinds(), ['plan.approved', 'plan.approval_lapsed', 'plan.approved']);
    await t.rejects(engagements.approve(ask, ben), { code: 'conflict', message: /already/ });
    t.match(await engagements.approve(ask, carl), { state: 'executing' });
  });

  t.test(`an engagement that only a person who ${name} had approved is proposed again`, async (t) => {
    const { field, engagements, proposal, ask } = beginTwo(t);
    await engagements.approve(ask, anna);
    field.roles.set('anna', role);
    engagements.tick();
    t.match(engagements.get(proposal.id), { state: 'proposed', chosen_plan_id: null, approvals: [{ reason: why }] });
  });

  t.test(`no leg is sent once a person who approved the plan ${name}`, async (t) => {
    const { field, engagements, proposal, ask } = beginTwo(t);
    field.addVehicle('South 1', {}, 180);
    field.policyVersion++;
    engagements.tick();
    engagements.tick();
    const wider = engagements.open().find(({ state }) => state === 'proposed') ?? proposal;
    const plan = planFor(wider, 'investigate');
    t.equal(plan.legs.length, 2);
    const again = { ...ask, ...approvalOf(wider, plan) };
    await engagements.approve(again, anna);
    field.beforeStart = async () => void field.roles.set('anna', role);
    await t.rejects(engagements.approve(again, ben), { code: 'conflict', message: why });
    t.match(engagements.get(wider.id), { state: 'failed', reason: why });
    t.equal(field.begun.length, 1);
    t.same(field.cancelled, [field.begun[0]?.task.id], 'what was sent before is taken back');
  });

  t.test(`a vehicle that is up comes home where a person who approved its plan ${name} meanwhile`, async (t) => {
    const begun = beginField(t, (field) => {
      field.vehicles.clear();
      const vehicle = field.addVehicle('Ground 1', { landed: 'on_ground' });
      for (const { verb } of vehicle.row.verbs)
        if (verb === 'orbit') field.withhold(vehicle, verb, 'on_ground', 'the vehicle is on the ground');
    });
    const { field, engagements, track } = begun;
    engagements.tick();
    const proposal = proposalOf(engagements, track.id);
    const flown = await engagements.approve(approvalOf(proposal, planFor(proposal, 'investigate')), anna);
    field.roles.set('anna', role);
    field.change(flown.tasks[0]?.id ?? '', { state: 'done', phase: 'over' });
    await new Promise((resolve) => setImmediate(resolve));
    t.match(engagements.get(flown.id), { state: 'failed', reason: why });
    t.equal(field.begun.length, 1, 'the second leg was not sent');
    t.equal(field.home.length, 1);
  });

  t.test(`a person who ${name} while the request was on its way approves nothing`, async (t) => {
    const { field, engagements, ask } = beginTwo(t);
    field.roles.set('anna', role);
    await t.rejects(engagements.approve(ask, anna), { code: 'forbidden' });
    t.match(engagements.get(ask.engagement_id ?? ''), { state: 'proposed', approvals: [] });
  });
}
