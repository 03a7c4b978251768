import t from 'tap';
import type { RuleAsk } from '../../src/engagement/rule_asks.ts';
import type { Track } from '../../src/model/track.ts';
import { beginField } from '../support/engagement/begun_field.ts';
import { approvalOf, type Field, planFor, proposalOf, somebody } from '../support/engagement/engagement.ts';

const anna = somebody('anna');
const rule = { id: 'a rule', name: 'low over the apron' };
const by = { by: 'rule:low over the apron', user_id: null };

function askOf(tracks: readonly Track[], changes: Partial<RuleAsk> = {}): RuleAsk {
  return { key: 'event', ends: false, rule, trackIds: tracks.map(({ id }) => id), text: 'It is low.', ...changes };
}

function begin(...of: Parameters<typeof beginField>) {
  const begun = beginField(...of);
  const requests = () => begun.rig.ledger.audit.since(0).filter(({ kind }) => kind === 'plan.requested');
  return { ...begun, requests };
}

t.test('what a rule asks for is proposed in its name, and nothing else comes of it', (t) => {
  const { field, track, requests, engagements } = begin(t);
  engagements.asked([askOf([track])]);
  engagements.tick();
  t.match(proposalOf(engagements, track.id), { proposed_by: by, approvals: [], tasks: [], chosen_plan_id: null });
  t.match(requests(), [
    {
      text: 'rule:low over the apron requested plans about T-0042',
      actor: { type: 'rule', id: 'a rule', name: 'low over the apron' },
      reason: 'low over the apron: It is low.',
    },
  ]);
  t.same(field.begun, []);
  t.end();
});

t.test('a flood of firings proposes nothing twice', (t) => {
  const { field, track, requests, engagements } = begin(t);
  const others = Array.from({ length: 30 }, (_, at) => field.addTrack('high', {}, at * 10));
  const all = [track, ...others];
  for (let n = 0; n < 20; n++) {
    engagements.asked([0, 1, 2].map((event) => askOf(all, { key: `${n} ${event}` })));
    if (n % 5 === 0) engagements.tick();
  }
  for (let s = 0; s < 5; s++) {
    field.pass(1);
    engagements.tick();
  }
  t.equal(engagements.open().length, all.length);
  t.equal(requests().length, all.length);
  t.end();
});

t.test('where the service would propose nothing by itself, a rule gets nothing', (t) => {
  const cases: [string, (of: { field: Field; track: Track }) => unknown][] = [
    ['autonomy is off', ({ field }) => (field.policy.autonomy = 'off')],
    ['the doctrine caps it', ({ field }) => field.doctrine.postures.map((one) => (one.autonomy_cap = 'off'))],
    ['control is disabled', ({ field }) => Object.assign(field.control, { enabled: false })],
    ['it is no threat', ({ field, track }) => field.threats.delete(track.id)],
    ['it is gone', ({ field, track }) => field.seen.delete(track.id)],
    ['it is lost', ({ field, track }) => field.seen.set(track.id, { ...track, state: 'lost' })],
    ['there is no response', ({ field, track }) => field.addTrack('none', { id: track.id })],
    [
      'it was dismissed',
      ({ field, track }) => {
        const dismissed = { by: 'anna', at: '2025-06-01T12:00:00.000Z', reason: 'x', until: null };
        const threat = field.threats.get(track.id);
        if (threat) field.threats.set(track.id, { ...threat, dismissed });
      },
    ],
  ];
  for (const [name, change] of cases)
    t.test(name, (t) => {
      const of = begin(t);
      change(of);
      of.engagements.asked([askOf([of.track])]);
      for (let s = 0; s < 5; s++) {
        of.engagements.tick();
        of.field.nowMs += 1_000;
      }
      t.same(of.engagements.view().engagements, []);
      t.same(of.requests(), []);
      t.end();
    });
  t.end();
});

t.test('what is open already stays as it is, and is not proposed again when it is over', (t) => {
  const { track, requests, engagements } = begin(t);
  const { id } = engagements.propose(track.id, null, anna);
  engagements.asked([askOf([track])]);
  engagements.tick();
  t.match(proposalOf(engagements, track.id), { id, proposed_by: { by: 'user:anna' } });
  engagements.reject(id, {}, anna);
  engagements.asked([askOf([track])]);
  engagements.tick();
  t.same(engagements.open(), []);
  t.equal(requests().length, 1);
  t.end();
});

t.test('a person who answers in the second in which the rule asks has answered', (t) => {
  const { field, track, requests, engagements } = begin(t);
  engagements.tick();
  const { id } = proposalOf(engagements, track.id);
  engagements.asked([askOf([track])]);
  engagements.reject(id, {}, anna);
  field.addTrack('critical', { id: track.id });
  engagements.tick();
  t.match(proposalOf(engagements, track.id), { proposed_by: null }, 'it matters more, and the service says so');
  t.same(requests(), []);
  t.end();
});

t.test('what a person ended the same event does not bring up again, though it matters more by now', (t) => {
  const { field, track, requests, engagements } = begin(t, ({ policy }) => (policy.autonomy = 'advise'));
  engagements.asked([askOf([track])]);
  engagements.tick();
  engagements.reject(proposalOf(engagements, track.id).id, { reason: 'the farmer' }, anna);
  field.pass(1);
  engagements.asked([askOf([track])]);
  engagements.tick();
  t.same(engagements.open(), [], 'silence holds');
  engagements.asked([askOf([track], { key: 'another event' })]);
  engagements.tick();
  t.same(engagements.open(), [], 'whichever event asks');
  field.pass(10);
  engagements.tick();
  field.addTrack('critical', { id: track.id });
  engagements.asked([askOf([track])]);
  engagements.tick();
  t.match(proposalOf(engagements, track.id), { proposed_by: null }, 'the service proposes it, as ever');
  t.equal(requests().length, 1);
  t.end();
});

t.test('who comes into the event later is asked about then; an event that is over may begin anew', (t) => {
  const { field, track, requests, engagements } = begin(t);
  engagements.asked([askOf([track])]);
  engagements.tick();
  const other = field.addTrack('high', {}, 40);
  engagements.asked([askOf([track, other])]);
  engagements.tick();
  t.match(proposalOf(engagements, other.id), { proposed_by: by });
  t.equal(requests().length, 2);
  const third = field.addTrack('high', {}, 80);
  engagements.asked([askOf([third]), askOf([third], { ends: true })]);
  engagements.tick();
  t.match(proposalOf(engagements, third.id), { proposed_by: null }, 'what is over asks nothing');
  field.threats.delete(track.id);
  engagements.tick();
  t.throws(() => proposalOf(engagements, track.id), 'it is no threat any more');
  field.addTrack('high', { id: track.id });
  engagements.asked([askOf([track], { ends: true }), askOf([track])]);
  engagements.tick();
  t.match(proposalOf(engagements, track.id), { proposed_by: by });
  t.equal(requests().length, 3);
  t.end();
});

t.test('a level that the rule itself raises is waited for, for a moment', (t) => {
  const { field, track, engagements } = begin(t, (field) => field.threats.clear());
  engagements.asked([askOf([track])]);
  engagements.tick();
  t.same(engagements.open(), []);
  field.pass(1);
  field.addTrack('high', { id: track.id });
  engagements.tick();
  t.match(proposalOf(engagements, track.id), { proposed_by: by });
  t.end();
});

t.test('nobody reads what a rule asked for: it is renewed and withdrawn as what the service proposes', (t) => {
  const { field, track, engagements } = begin(t);
  engagements.asked([askOf([track])]);
  engagements.tick();
  const { id } = proposalOf(engagements, track.id);
  field.policy = { ...field.policy, posture: 'elevated' };
  field.pass(5);
  engagements.tick();
  t.equal(engagements.get(id).state, 'superseded');
  const next = proposalOf(engagements, track.id);
  t.match(next, { proposed_by: by }, 'what takes its place is still what the rule asked for');
  field.threats.delete(track.id);
  engagements.tick();
  t.match(engagements.get(next.id), { state: 'superseded', reason: /the doctrine has no response/ });
  t.end();
});

t.test('nobody answers: it expires, and the rule does not ask again', (t) => {
  const { field, track, requests, engagements } = begin(t);
  engagements.asked([askOf([track])]);
  engagements.tick();
  const { id } = proposalOf(engagements, track.id);
  field.pass(121);
  engagements.asked([askOf([track])]);
  engagements.tick();
  t.match(engagements.get(id), { state: 'expired', reason: 'nobody answered in time' });
  t.match(proposalOf(engagements, track.id), { proposed_by: null }, 'the service proposes it, as ever');
  t.equal(requests().length, 1);
  t.end();
});

t.test('a person approves it as any other, and where two must agree a rule is neither of them', async (t) => {
  const { field, track, engagements } = begin(t, ({ policy }) => policy.engagement.two_person.push('orbit'));
  engagements.asked([askOf([track])]);
  engagements.tick();
  const proposal = proposalOf(engagements, track.id);
  const approval = approvalOf(proposal, planFor(proposal, 'investigate'));
  t.match(await engagements.approve(approval, anna), { state: 'pending_approval' });
  await t.rejects(engagements.approve(approval, anna), { code: 'conflict' });
  t.same(field.begun, []);
  t.match(await engagements.approve(approval, somebody('ben')), { state: 'executing' });
});

t.test('a disk that refuses is told of, and asked again a moment later', (t) => {
  const { field, track, rig, engagements } = begin(t);
  engagements.asked([askOf([track])]);
  const { change } = rig.ledger;
  rig.ledger.change = () => {
    rig.ledger.change = change;
    throw new Error('the disk is full');
  };
  try {
    engagements.tick();
  } catch (thrown) {
    t.fail((thrown as Error).message);
  }
  t.equal(field.troubles.length, 1);
  engagements.tick();
  t.equal(engagements.open().length, 1);
  t.end();
});
