import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { Fault } from '../../src/model/fault.ts';
import { beginField } from '../support/engagement/begun_field.ts';
import { approvalOf, planFor, proposalOf, somebody } from '../support/engagement/engagement.ts';

/** An engagement that is flown, with all that was published of it cleared. */
async function flown(...of: Parameters<typeof beginField>) {
  const begun = beginField(...of);
  const { field, engagements, track } = begun;
  engagements.tick();
  const proposal = proposalOf(engagements, track.id);
  const { id } = await engagements.approve(approvalOf(proposal, planFor(proposal, 'investigate')), somebody('anna'));
  const taskId = field.begun[0]?.task.id ?? '';
  field.told.length = 0;
  return { ...begun, id, taskId };
}

t.test('an engagement carries its tasks as they are, each time that they are asked for', async (t) => {
  const { field, engagements, id, taskId } = await flown(t);
  for (const distance_m of [700, 400, 120]) {
    const { revision } = engagements.view();
    field.change(taskId, { distance_m, closest_m: distance_m, eta_s: distance_m / 10 });
    const now = [{ id: taskId, distance_m, closest_m: distance_m, eta_s: distance_m / 10 }];
    t.match(engagements.get(id).tasks, now);
    t.match(engagements.view().engagements.find((row) => row.id === id)?.tasks, now);
    t.match(engagements.open().find((row) => row.id === id)?.tasks, now, 'as the picture shows it');
    t.not(engagements.view().revision, revision);
  }
});

t.test('progress alone is published every five seconds, a breach and a new phase at once', async (t) => {
  const { field, engagements, taskId } = await flown(t);
  const fly = (seconds: number, distanceM: number): void => {
    for (let i = 0; i < seconds; i++) {
      field.pass(1);
      field.change(taskId, { distance_m: distanceM - i });
      engagements.tick();
    }
  };
  fly(60, 700);
  t.ok(field.told.length >= 10 && field.told.length <= 12, `${field.told.length} events in 60 s of progress`);
  t.match(field.told.at(-1)?.tasks, [{ id: taskId }]);
  t.ok((field.told.at(-1)?.tasks[0]?.distance_m ?? 700) < 650, 'each shows what held then');

  field.told.length = 0;
  field.change(taskId, { breaches: 1, closest_m: 80 });
  t.match(field.told, [{ tasks: [{ breaches: 1, closest_m: 80 }] }]);
  field.change(taskId, { phase: 'giving_way' });
  t.match(field.told, [{}, { tasks: [{ phase: 'giving_way', breaches: 1 }] }]);
  field.pass(10);
  engagements.tick();
  t.equal(field.told.length, 2, 'nothing is published of a task that stands');
});

t.test('of an engagement that ended before its tasks their progress is shown too', async (t) => {
  const { field, engagements, id, taskId } = await flown(t);
  engagements.cancel(id, { reason: 'a test' }, somebody('anna'));
  field.change(taskId, { closest_m: 140 });
  t.match(engagements.get(id), { state: 'cancelled', tasks: [{ id: taskId, closest_m: 140 }] });
  t.end();
});

t.test('a task that cannot be cancelled is reported, and the engagement ends all the same', async (t) => {
  const { field, engagements, id } = await flown(t);
  field.refusedCancel = new Fault('conflict', 'the task has already ended');
  engagements.cancel(id, {}, somebody('anna'));
  await setImmediate();
  t.same(field.troubles, [], 'a task that is over is no failure');
  const next = await flown(t);
  next.field.refusedCancel = new Fault('unavailable', 'the disk is full');
  next.engagements.cancel(next.id, {}, somebody('anna'));
  await setImmediate();
  t.match(next.engagements.get(next.id), { state: 'cancelled' });
  t.same(next.field.troubles, [next.field.refusedCancel]);
});

t.test('the tasks of a plan keep their order', async (t) => {
  const { field, engagements, id } = await flown(t, (of) => {
    of.policy.engagement.max_assets = 2;
    of.doctrine.planning_profiles = of.doctrine.planning_profiles.map((one) => ({ ...one, max_assets: 2 }));
    of.addVehicle('Egret', {}, 270);
  });
  const order = engagements.get(id).tasks.map((task) => task.id);
  t.equal(order.length, 2);
  for (const taskId of order) field.change(taskId, { phase: 'on_station' });
  field.change(order[0] ?? '', { distance_m: 150 });
  t.same(
    engagements.get(id).tasks.map((task) => task.id),
    order,
  );
});
