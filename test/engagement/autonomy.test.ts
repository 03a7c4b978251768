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

/** Automatic observation of the first track, whose level is `level`, has begun. */
async function observing(of: Parameters<typeof openRegistry>[0], level: 'high' | 'critical') {
  const begun = begin(of, ({ threats }) => {
    for (const [id, threat] of threats) threats.set(id, { ...threat, level });
  });
  const { engagements, field } = begun;
  const pass = async (seconds: number): Promise<void> => {
    field.pass(seconds);
    engagements.tick();
    await soon();
  };
  const looks = () => field.begun.map(({ leg: { params } }) => (params.kind === 'track' ? params.track_id : ''));
  engagements.confirmAutonomy('observe_auto', 'x', anna);
  await pass(1);
  return { ...begun, pass, looks, taskId: field.begun[0]?.task.id ?? '' };
}

t.test('a camera is not taken automatically from a threat of the same or a higher level', async (t) => {
  for (const level of ['high', 'critical'] as const) {
    const { field, track, engagements, looks, pass } = await observing(t, level);
    const later = field.addTrack('high', {}, 40, 600);
    await pass(6);
    t.same(looks(), [track.id], level);
    t.ok(planFor(proposalOf(engagements, later.id), 'observe').feasible, 'people may decide so');
    field.addVehicle('North 2', {}, 200, 900);
    await pass(6);
    t.same(looks(), [track.id, later.id], 'a free camera is used, although it is farther away');
  }
});

t.test('a threat of a higher level takes the camera, and the other one is observed again later', async (t) => {
  const { field, track, looks, pass, taskId } = await observing(t, 'high');
  field.beforeStart = async () => field.change(taskId, { state: 'superseded', phase: 'over', reason: 'replaced' });
  const later = field.addTrack('critical', {}, 40, 600);
  await pass(6);
  field.beforeStart = async () => {};
  t.same(looks(), [track.id, later.id]);
  field.change(field.begun[1]?.task.id ?? '', { state: 'done', phase: 'over' });
  field.seen.delete(later.id);
  field.threats.delete(later.id);
  await pass(121);
  t.same(looks(), [track.id, later.id, track.id]);
});

t.test('a camera is not taken automatically from a person', async (t) => {
  const { field, track, looks, pass, taskId } = await observing(t, 'high');
  field.change(taskId, { engagement_id: null });
  field.addTrack('critical', {}, 40, 600);
  await pass(6);
  t.same(looks(), [track.id]);
});
