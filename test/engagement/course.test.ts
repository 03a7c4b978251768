import t from 'tap';
import type { Engagement } from '../../src/model/engagement.ts';
import { beginField } from '../support/engagement/begun_field.ts';
import {
  approvalOf,
  engagementsOver,
  type Field,
  planFor,
  proposalOf,
  somebody,
} from '../support/engagement/engagement.ts';

const anna = somebody('anna');

function begin(...of: Parameters<typeof beginField>) {
  const begun = beginField(...of);
  begun.engagements.tick();
  return begun;
}

t.test('what is proposed stays while it is much the same', (t) => {
  const { field, track, engagements } = begin(t);
  const { id } = proposalOf(engagements, track.id);
  const { revision } = engagements.view();
  for (let i = 0; i < 15; i++) {
    field.pass(7);
    const seen = field.seen.get(track.id);
    if (seen?.position)
      field.seen.set(track.id, { ...seen, position: { ...seen.position, lat: seen.position.lat + 0.0001 } });
    engagements.tick();
  }
  t.equal(proposalOf(engagements, track.id).id, id);
  t.equal(engagements.view().revision, revision);
  t.end();
});

t.test(
  'it is proposed anew where a plan can no longer be done, another can, or what it was made on is another',
  (t) => {
    const cases: [string, (of: ReturnType<typeof begin>) => unknown][] = [
      [
        'a vehicle fails',
        ({ field }) =>
          [...field.vehicles.values()].map((v) => field.withhold(v, 'orbit', 'sensor_fault', 'x')) &&
          [...field.vehicles.values()].map((v) => field.withhold(v, 'shadow', 'sensor_fault', 'x')),
      ],
      ['the config', ({ field }) => field.policyVersion++],
      ['the doctrine', ({ field }) => field.doctrineVersion++],
      ['the affiliation', ({ field, track }) => field.seen.set(track.id, { ...track, affiliation: 'hostile' })],
      ['the posture', ({ field }) => (field.policy = { ...field.policy, posture: 'elevated' })],
      ['two people', ({ field }) => field.policy.engagement.two_person.push('orbit')],
    ];
    for (const [name, change] of cases)
      t.test(name, (t) => {
        const of = begin(t);
        const { id } = proposalOf(of.engagements, of.track.id);
        change(of);
        of.field.pass(5);
        of.engagements.tick();
        t.match(of.engagements.get(id), { state: 'superseded', reason: /\w/ });
        t.not(proposalOf(of.engagements, of.track.id).id, id);
        t.end();
      });
    t.end();
  },
);

t.test('what is proposed about a track that is gone, dismissed or no threat any more is withdrawn', (t) => {
  const { field, track, engagements } = begin(t);
  const other = field.addTrack('high');
  const third = field.addTrack('high');
  engagements.tick();
  const ids = [track, other, third].map(({ id }) => proposalOf(engagements, id).id);
  field.seen.delete(track.id);
  field.threats.delete(track.id);
  field.threats.delete(other.id);
  const threat = field.threats.get(third.id);
  if (threat)
    field.threats.set(third.id, {
      ...threat,
      dismissed: { by: 'anna', at: '2025-06-01T12:00:00.000Z', reason: 'x', until: null },
    });
  engagements.tick();
  t.same(
    ids.map((id) => engagements.get(id).state),
    ['cancelled', 'superseded', 'superseded'],
  );
  t.same(engagements.open(), []);
  t.end();
});

t.test('an engagement is what its tasks are', async (t) => {
  const ends: [Parameters<Field['change']>[1], Partial<Engagement>][] = [
    [{ state: 'done' }, { state: 'completed', reason: null }],
    [
      { state: 'failed', reason: 'the link was lost' },
      { state: 'failed', reason: 'the link was lost' },
    ],
    [{ state: 'timed_out' }, { state: 'failed', reason: 'the task of a vehicle ended in the state timed_out' }],
    [
      { state: 'superseded', reason: 'the pilot took over' },
      { state: 'cancelled', reason: 'the pilot took over' },
    ],
  ];
  for (const [to, what] of ends) {
    const { field, track, engagements } = begin(t);
    const proposal = proposalOf(engagements, track.id);
    const { id } = await engagements.approve(approvalOf(proposal, planFor(proposal, 'investigate')), anna);
    field.change(field.begun[0]?.task.id ?? '', { ...to, phase: 'over' });
    t.match(engagements.get(id), what);
  }
});

t.test('a vehicle that is on its way is not sent elsewhere', async (t) => {
  const { field, track, engagements } = begin(t);
  const other = field.addTrack('high', {}, 20);
  engagements.tick();
  const first = proposalOf(engagements, track.id);
  const second = engagements.propose(other.id, null, anna);
  await engagements.approve(approvalOf(first, planFor(first, 'investigate')), anna);
  await t.rejects(engagements.approve(approvalOf(second, planFor(second, 'investigate')), anna), {
    code: 'conflict',
    message: /North 1 already serves the engagement of T-0042/,
  });
});

t.test('what was open when the service stopped is over when it starts again', async (t) => {
  const { field, track, rig, engagements } = begin(t);
  const other = field.addTrack('high', {}, 180);
  engagements.tick();
  const proposal = proposalOf(engagements, track.id);
  await engagements.approve(approvalOf(proposal, planFor(proposal, 'observe')), anna);
  const { id } = proposalOf(engagements, other.id);
  const again = engagementsOver(rig, field);
  t.same(again.open(), []);
  t.match(again.get(proposal.id), { state: 'failed', reason: 'the service was restarted' });
  t.match(again.get(id), { state: 'expired', reason: 'the service was restarted' });
  t.equal(again.autonomy().autonomy_effective, 'advise');
  t.ok(rig.ledger.audit.since(0).some(({ kind }) => kind === 'engagement.restarted'));
});

t.test('what nobody can do is proposed with the reasons, where there is a fleet', (t) => {
  const { field, track, engagements } = begin(t, (field) => {
    field.vehicles.clear();
    field.addVehicle('Heard 1', { adopted: false, asset_id: null });
    field.addVehicle('Lost 1', { position: null });
    field.addVehicle('Far 1', { energy_pct: 26 }, 90, 4_000);
    const blind = field.addVehicle('Blind 1');
    for (const verb of ['look_at', 'orbit', 'shadow'] as const)
      field.withhold(blind, verb, 'on_ground', 'Blind 1 stands on the ground');
  });
  const plan = planFor(proposalOf(engagements, track.id), 'investigate');
  t.equal(plan.feasible, false);
  t.same(plan.infeasible_reasons.map(({ reason }) => reason).sort(), [
    'low_energy',
    'no_position',
    'not_adopted',
    'on_ground',
  ]);
  t.equal(plan.score, 0);
  t.ok(field.notes.some(({ kind }) => kind === 'plan.proposed'));
  t.end();
});

t.test('a friend is called home or accompanied, as the doctrine says', async (t) => {
  const { field, engagements } = begin(t, (field) => field.addVehicle('South 1', {}, 0, 700));
  const ward = [...field.vehicles.values()].at(-1);
  const friend = field.addTrack('high', { affiliation: 'friend', asset_id: ward?.row.asset_id ?? null }, 0, 700);
  engagements.tick();
  const proposal = proposalOf(engagements, friend.id);
  t.same(
    proposal.candidates.map(({ response }) => response),
    ['observe', 'escort', 'return'],
  );
  t.match(planFor(proposal, 'return').legs, [{ asset_id: ward?.row.asset_id, verb: 'return_home' }]);
  const [escort] = planFor(proposal, 'escort').legs;
  t.match(escort, { verb: 'escort', params: { kind: 'asset', asset_id: ward?.row.asset_id } });
  t.not(escort?.asset_id, ward?.row.asset_id);
});
