import t from 'tap';
import { engagementRows } from '../../src/store/engagements.ts';
import { beginField } from '../support/engagement/begun_field.ts';
import { approvalOf, planFor, proposalOf, somebody } from '../support/engagement/engagement.ts';

const anna = somebody('anna');

/** The only vehicle investigates the first track, and a second track has its proposal. */
async function begin(...of: Parameters<typeof beginField>) {
  const begun = beginField(...of);
  const { field, engagements, track } = begun;
  engagements.tick();
  const first = proposalOf(engagements, track.id);
  await engagements.approve(approvalOf(first, planFor(first, 'investigate')), anna);
  const second = field.addTrack('critical', {}, 40, 700);
  engagements.tick();
  return { ...begun, second, proposal: () => proposalOf(engagements, second.id) };
}

t.test('no plan is offered for a vehicle that serves another engagement', async (t) => {
  const { proposal, track } = await begin(t);
  for (const response of ['observe', 'investigate'] as const) {
    const plan = planFor(proposal(), response);
    t.match(plan, { feasible: false, legs: [] });
    t.match(plan.infeasible_reasons, [
      { reason: 'busy', text: `North 1 already serves the engagement of ${track.number}` },
    ]);
  }
});

t.test('a proposal stays the same while its vehicle is busy, and is renewed when it is free', async (t) => {
  const { field, engagements, proposal } = await begin(t);
  const { id } = proposal();
  const pass = (seconds: number): void => {
    for (let s = 0; s < seconds; s++) {
      field.pass(1);
      engagements.tick();
    }
  };
  pass(30);
  t.equal(proposal().id, id);
  field.change(field.begun[0]?.task.id ?? '', { state: 'done', phase: 'over' });
  pass(6);
  const plan = planFor(proposal(), 'investigate');
  t.equal(plan.feasible, true);
  t.match(await engagements.approve(approvalOf(proposal(), plan), anna), { state: 'executing' });
});

t.test('the ended engagements on disk are bounded while the service runs', (t) => {
  const { field, engagements, track, rig } = beginField(t);
  const { id } = engagements.propose(track.id, 'x', anna);
  engagements.reject(id, {}, anna);
  const ended = engagements.get(id);
  const rows = engagementRows(rig.state);
  rig.ledger.change('The engagements', () => {
    for (let i = 0; i < 10_000; i++) rows.put(rig.workspaceId, { ...ended, id: `old ${i}` }, true);
    return { result: undefined, deed: null };
  });
  for (let i = 0; i < 100; i++) engagements.reject(engagements.propose(track.id, 'x', anna).id, {}, anna);
  field.pass(1);
  engagements.tick();
  const { n } = rig.state.db.prepare('SELECT count(*) AS n FROM engagements WHERE over = 1').get() as { n: number };
  t.equal(n, 10_000);
  t.end();
});
