import t from 'tap';
import { engagementsOver, Field, planFor, proposalOf, somebody } from '../support/engagement/engagement.ts';
import { openRegistry } from '../support/registry/registry.ts';

const anna = somebody('anna');
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function begin(of: Parameters<typeof openRegistry>[0], change: (field: Field) => void = () => {}) {
  const field = new Field();
  field.policy.autonomy = 'observe_auto';
  field.addVehicle('North 1');
  const track = field.addTrack('high');
  change(field);
  const rig = openRegistry(of);
  const kinds = (): string[] => rig.ledger.audit.since(0).map(({ kind }) => kind);
  return { field, track, rig, kinds, engagements: engagementsOver(rig, field) };
}

t.test('after a start nothing begins by itself until somebody confirms it', async (t) => {
  const { field, track, engagements, kinds } = begin(t);
  engagements.tick();
  t.match(engagements.view(), { autonomy: 'observe_auto', autonomy_effective: 'advise' });
  t.same(field.begun, []);
  engagements.confirmAutonomy('observe_auto', 'the shift begins', anna);
  t.equal(field.autonomy, 'observe_auto');
  field.pass(5);
  engagements.tick();
  await soon();
  t.same(
    field.begun.map(({ leg }) => leg.verb),
    ['look_at'],
  );
  t.same(kinds(), ['autonomy.confirmed', 'plan.automatic']);
  const rest = proposalOf(engagements, track.id);
  t.same(
    rest.candidates.map(({ response }) => response),
    ['investigate', 'notify'],
    'the rest is for people',
  );
  t.match(
    await engagements.approve(
      {
        engagement_id: rest.id,
        plan_id: planFor(rest, 'investigate').id,
        hash: planFor(rest, 'investigate').hash,
        seq: 1,
      },
      anna,
    ),
    { state: 'executing' },
  );
});

t.test('a camera that looked does not look again at once', async (t) => {
  const { field, engagements } = begin(t);
  engagements.confirmAutonomy('observe_auto', 'x', anna);
  engagements.tick();
  await soon();
  field.change(field.begun[0]?.task.id ?? '', { state: 'done', phase: 'over' });
  for (let i = 0; i < 10; i++) {
    field.pass(5);
    engagements.tick();
    await soon();
  }
  t.equal(field.begun.length, 1);
  field.pass(121);
  engagements.tick();
  await soon();
  t.equal(field.begun.length, 2);
});

t.test('only what every list names begins by itself', async (t) => {
  const cases: [string, (field: Field) => void][] = [
    ['the config lists no verb', (field) => (field.policy.engagement.automatic = [])],
    ['the verb takes two people', (field) => field.policy.engagement.two_person.push('look_at')],
    ['the config says advise', (field) => (field.policy.autonomy = 'advise')],
    ['the doctrine caps it', (field) => field.doctrine.postures.map((one) => (one.autonomy_cap = 'advise'))],
    [
      'the row lists nothing',
      (field) => field.doctrine.postures.map(({ matrix }) => matrix.map((row) => (row.automatic = []))),
    ],
  ];
  for (const [name, change] of cases)
    await t.test(name, async (t) => {
      const { field, engagements, track } = begin(t, change);
      try {
        engagements.confirmAutonomy('observe_auto', 'x', anna);
      } catch {
        // Refused where it is not allowed at all.
      }
      engagements.tick();
      await soon();
      t.same(field.begun, []);
      t.ok(planFor(proposalOf(engagements, track.id), 'observe').feasible);
    });
});

t.test('off proposes nothing, and a person may ask all the same', (t) => {
  const { field, track, engagements, kinds } = begin(t, (field) => (field.policy.autonomy = 'off'));
  engagements.tick();
  t.same(engagements.open(), []);
  const asked = engagements.propose(track.id, 'what is it', anna);
  t.match(asked, { state: 'proposed', proposed_by: { by: 'user:anna', user_id: 'anna' } });
  t.same(kinds(), ['plan.requested']);
  field.pass(60);
  engagements.tick();
  t.equal(engagements.get(asked.id).state, 'proposed');
  t.end();
});

t.test('a confirmation is gone when the config takes it back, and when everything is stopped', async (t) => {
  const { field, engagements } = begin(t, (field) => field.vehicles.clear());
  engagements.confirmAutonomy('observe_auto', 'x', anna);
  field.policy = { ...field.policy, autonomy: 'advise' };
  engagements.tick();
  field.policy = { ...field.policy, autonomy: 'observe_auto' };
  t.equal(engagements.autonomy().autonomy_effective, 'advise');
  engagements.confirmAutonomy('observe_auto', 'x', anna);
  await engagements.stopAll({}, anna);
  t.equal(engagements.autonomy().autonomy_effective, 'advise');
  engagements.confirmAutonomy('off', 'x', anna);
  t.equal(engagements.autonomy().autonomy_effective, 'off');
});

t.test('those in charge are told once by themselves, and again when it is worse', async (t) => {
  const { field, track, engagements } = begin(t, (field) => {
    field.policy.posture = 'high';
    field.vehicles.clear();
  });
  engagements.confirmAutonomy('observe_auto', 'x', anna);
  const told = (): number => field.notes.filter(({ kind }) => kind === 'engagement.notified').length;
  for (let i = 0; i < 5; i++) {
    engagements.tick();
    await soon();
    field.pass(60);
  }
  t.equal(told(), 1);
  const threat = field.threats.get(track.id);
  if (threat) field.threats.set(track.id, { ...threat, level: 'critical', score: 90 });
  engagements.tick();
  await soon();
  t.equal(told(), 2);
});
