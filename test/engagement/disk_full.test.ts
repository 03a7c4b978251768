import { statSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { folderOf } from '../support/basics/folder.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { anna as actor } from '../support/daemon/audit.ts';
import { beginField } from '../support/engagement/begun_field.ts';
import { approvalOf, planFor, proposalOf, somebody } from '../support/engagement/engagement.ts';
import { firingOf } from '../support/registry/firings.ts';
import { fill, mountRefused, mountSmall } from '../support/store/full_disk.ts';

onlyInFull(t);

const skip = mountRefused();
const anna = somebody('anna');

/** A plan that is proposed and an alert that is raised, before the disk is full. */
function full(t: Test) {
  const folder = folderOf(t);
  mountSmall(t, folder, 64);
  const begun = beginField(t, () => {}, folder);
  const { rig, engagements, track } = begun;
  engagements.tick();
  rig.alertBook.take([firingOf({ key: 'a' })], 0);
  rig.state.fillReserve();
  const reserve = (): number => statSync(join(folder, 'reserve')).size;
  const note = (): void => rig.ledger.note({ kind: 'box.restored', text: 'x', by: actor, workspaceId: null });
  const isFull = (): boolean => {
    fill(folder);
    try {
      note();
      return false;
    } catch {
      return true;
    }
  };
  while (!isFull());
  return { ...begun, proposal: proposalOf(engagements, track.id), reserve, isFull };
}

t.test('with its disk full, an alert is acknowledged and a plan approved, for good', { skip }, async (t) => {
  const { rig, engagements, proposal, reserve, isFull } = full(t);
  const whole = reserve();
  const { rows } = rig.alerts.list({
    state: 'active',
    severity: null,
    sinceMs: null,
    untilMs: null,
    limit: 9,
    cursor: null,
  });
  const [alert] = rows;
  t.match(rig.alerts.acknowledge(alert?.id ?? '', 'seen', actor), { state: 'acknowledged' });
  while (!isFull());
  const plan = planFor(proposal, 'investigate');
  t.match(await engagements.approve(approvalOf(proposal, plan), anna), { state: 'executing' });
  t.ok(reserve() < whole, 'the reserve was used');
  const kinds = rig.ledger.audit.since(0).map(({ kind }) => kind);
  for (const kind of ['alert.acknowledged', 'plan.approved']) t.ok(kinds.includes(kind), kind);
});

t.test('a flood of refusals takes a quarter of the reserve at most', { skip }, async (t) => {
  const { rig, engagements, proposal, reserve, isFull } = full(t);
  const whole = reserve();
  const refused = (): number => rig.ledger.audit.since(0).filter(({ kind }) => kind === 'plan.refused').length;
  const wrong = { ...approvalOf(proposal, planFor(proposal, 'investigate')), hash: 'not this one' };
  await t.rejects(engagements.approve(wrong, anna), { code: 'conflict' }, 'a refusal stays one');
  t.equal(refused(), 1, 'with its row');
  for (let round = 0; round < 40; round++) {
    fill(rig.state.path.replace('/state.db', ''));
    for (let i = 0; i < 100; i++) await engagements.approve(wrong, anna).catch(() => {});
  }
  t.ok(isFull(), 'nothing is left over');
  t.ok(reserve() >= whole * 0.75, `${reserve()} of ${whole} bytes are left`);
  const plan = planFor(proposal, 'investigate');
  t.match(await engagements.approve(approvalOf(proposal, plan), anna), { state: 'executing' }, 'for what is vital');
});
