import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { AirTarget } from '../../support/fleet/air_target.ts';
import { copterUp, place, type Up } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { distance, moved } from '../../support/vehicles/flight.ts';

onlyInFull(t);

const movements = (up: Up, sinceS: number) =>
  up.copter.recorder.received.filter(({ tS, name, fields }) => {
    return tS > sinceS && name.startsWith('COMMAND_') && ![511, 512].includes(Number(fields.command));
  });

t.test('a vehicle that its pilot took is told nothing more', async (t) => {
  const up = await copterUp(t);
  up.copter.throttleStick = 'mid';
  const { air, copter, id } = up;
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(10);
  (copter as unknown as { setMode(mode: number): boolean }).setMode(COPTER_MODE.loiter);
  const takenS = copter.tS;
  const went = await air.over(command_id);
  t.match(went, {
    state: 'failed',
    reason: 'its pilot or another station controls the vehicle: the vehicle is in LOITER',
  });
  t.ok(copter.tS - takenS < 6, `${copter.tS - takenS} s`);
  await air.pass(20);
  t.strictSame(movements(up, takenS), []);
  t.equal(copter.mode, COPTER_MODE.loiter);
  t.match(air.verb(id, 'goto'), { available: false, reason: 'authority_elsewhere' });
  t.equal(air.row(id).control.owner, 'pilot');
});

t.test('a shadow that its pilot took is told nothing more', async (t) => {
  const up = await copterUp(t);
  up.copter.throttleStick = 'mid';
  const { air, copter, id } = up;
  air.targets.push(targetNear(up));
  await air.pass(1);
  const { command_id } = await air.command(id, 'shadow', { kind: 'track', track_id: air.targets[0]?.id ?? '' });
  await air.pass(30);
  t.equal(copter.mode, COPTER_MODE.guided);
  (copter as unknown as { setMode(mode: number): boolean }).setMode(COPTER_MODE.loiter);
  const takenS = copter.tS + 1.2;
  t.match(await air.over(command_id), { state: 'failed', reason: /another station/ });
  await air.pass(10);
  t.strictSame(movements(up, takenS), []);
});

t.test('a vehicle that falls silent is left to its own failsafe', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(10);
  copter.link.down = true;
  const downMs = air.nowMs;
  await air.until(() => air.verb(id, 'hold')?.reason === 'link_down', 10);
  t.ok(air.nowMs - downMs <= 5_500, `${air.nowMs - downMs} ms`);
  const went = await air.over(command_id);
  t.match(went, { state: 'failed', reason: 'the link to the vehicle is lost: the vehicle follows its own failsafe' });
  t.match(air.verb(id, 'hold'), { available: false, reason: 'link_down' });
  t.equal(air.row(id).task_id, null);
  copter.link.down = false;
  await air.until(() => air.verb(id, 'hold')?.available === true, 10);
  t.equal((await air.fly(id, 'hold')).state, 'done', 'and can be told again when it is heard');
});

t.test('a link that goes down in mid command ends it with a reason, and nothing is said when it is back', async (t) => {
  const up = await copterUp(t);
  const { air, copter, id } = up;
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(5);
  const way = air.links.get('air');
  if (way) way.link.closed = true;
  copter.link.down = true;
  t.match(await air.over(command_id), { state: 'failed' });
  const lostS = copter.tS;
  if (way) way.link.closed = false;
  copter.link.down = false;
  await air.pass(20);
  t.strictSame(movements(up, lostS), []);
});

t.test('with its energy at the reserve it returns', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const home = { lat: copter.body.lat, lon: copter.body.lon };
  const { command_id, task_id } = await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(20);
  copter.battery.percent = 24;
  const went = await air.over(command_id);
  t.match(went, { state: 'failed', reason: /energy.*returns home/ });
  t.equal(air.task(task_id).state, 'failed');
  await air.until(() => !copter.armed, 240, 'it is home');
  t.ok(distance(copter.body, home) < 3);
  t.match(air.rig.told.tasks.map(({ phase }) => phase).join(), /returning/);
});

t.test('a track that is lost makes it hold, then return', async (t) => {
  const up = await copterUp(t);
  const { air, copter, id } = up;
  const home = { lat: copter.body.lat, lon: copter.body.lon };
  const target = targetNear(up);
  air.targets.push(target);
  await air.pass(1);
  const { command_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
  await air.pass(30);
  target.isHeard = false;
  await air.pass(10);
  t.equal(copter.mode, COPTER_MODE.brake, 'it holds');
  t.equal(air.task(air.rig.side.service.taskOf(id)?.id ?? '').phase, 'holding');
  const went = await air.over(command_id);
  t.match(went, { state: 'failed', reason: /last received.*returns home/ });
  await air.until(() => !copter.armed, 240, 'it is home');
  t.ok(distance(copter.body, home) < 3);
});

t.test('a track that is found again while it holds is followed on', async (t) => {
  const up = await copterUp(t);
  const { air, copter, id } = up;
  const target = targetNear(up);
  air.targets.push(target);
  await air.pass(1);
  const { command_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
  await air.pass(30);
  target.isHeard = false;
  await air.pass(15);
  t.equal(copter.mode, COPTER_MODE.brake);
  target.isHeard = true;
  await air.pass(60);
  t.equal(copter.mode, COPTER_MODE.guided);
  t.equal(air.task(air.rig.side.service.taskOf(id)?.id ?? '').command_id, command_id);
  t.ok(distance(copter.body, target.at) < 300, `${distance(copter.body, target.at)} m`);
});

function targetNear({ copter }: Up): AirTarget {
  const at = moved(copter.body, 300, 0);
  return new AirTarget({ at, altHaeM: 640, turnAt: () => ({ rateDps: 1, speedMps: 4 }) });
}
