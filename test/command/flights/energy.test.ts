import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { asked } from '../../support/fleet/air.ts';
import { copterUp, place, refuseMode } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD, RESULT } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';

onlyInFull(t);

/** Of 1 200 s of flight a way of 1 000 m and back takes 20 %: 100 s each way, and a fifth more for wind and turns. */
const performance = { cruise_speed_mps: 10, endurance_s: 1_200 };

t.test('a way from which it would not come home with its reserve is refused, and nothing is sent', async (t) => {
  const { air, copter, id } = await copterUp(t, 20, { battery: { percent: 42 } }, performance);
  const { service } = air.rig.side;
  const far = place(moved(copter.body, 1_000, 0));
  t.same(service.check(id, 'goto', far), {
    reason: 'low_energy',
    text: 'goto is not available on Heron: the vehicle would return with 20 % of its energy; its reserve is 25 %',
  });
  const sent = copter.recorder.commands().length;
  await t.rejects(service.command(id, { verb: 'goto', params: far }, asked), {
    code: 'conflict',
    message: /return with 20 %/,
  });
  t.equal(copter.recorder.commands().length, sent);
  const near = moved(copter.body, 700, 0);
  t.equal(service.check(id, 'goto', place(near)), null, 'less far it may go');
  t.equal(service.check(id, 'goto', place(near, 100))?.reason, 'low_energy', 'but not up on the way, and down again');
  const fast = service.check(id, 'goto', place(near, 20, { speed_mps: 20 }));
  t.equal(fast?.reason, 'low_energy', 'nor as fast as that');
});

t.test('what stops it or brings it down is never refused for its energy', async (t) => {
  const { air, copter, id } = await copterUp(t, 20, { battery: { percent: 90 } }, performance);
  copter.battery.percent = 8;
  await air.pass(5);
  const { service } = air.rig.side;
  t.equal(service.check(id, 'goto', place(moved(copter.body, 5, 0)))?.reason, 'low_energy');
  for (const verb of ['hold', 'return_home', 'land'] as const) t.equal(service.check(id, verb, { kind: 'none' }), null);
});

t.test('where its energy falls faster than was reckoned it goes home while it is enough for that', async (t) => {
  const battery = { percent: 100, drainPctPerMin: 0 };
  const { air, copter, id } = await copterUp(t, 20, { battery, cruiseMps: 10 }, performance);
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, 1_000, 0)));
  await air.pass(20);
  copter.battery.drainPctPerMin = 60;
  const went = await air.over(command_id, 120);
  t.equal(went.state, 'failed');
  t.match(
    went.reason,
    /^the vehicle would return with 24 % of its energy; its reserve is 25 %: the vehicle returns home$/,
  );
  t.equal(copter.mode, COPTER_MODE.rtl);
  t.ok(copter.battery.percent > 30, `it turned with ${copter.battery.percent} %, long before its reserve`);
});

t.test('what is found to have too little in flight does not hold first', async (t) => {
  const { air, copter, id } = await copterUp(t, 20, { battery: { percent: 100 }, cruiseMps: 10 }, performance);
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, 1_000, 0)));
  await air.pass(30);
  copter.battery.percent = 35;
  const went = await air.over(command_id, 8);
  t.match(went, { state: 'failed', reason: /the vehicle returns home$/ });
  t.notOk(air.rig.told.notes.includes('task.holding'));
});

t.test('a vehicle that refuses to return at its reserve is put in its return mode', async (t) => {
  const { air, copter, id } = await copterUp(t, 20, { battery: { percent: 100 }, cruiseMps: 10 }, performance);
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, 1_000, 0)));
  await air.pass(20);
  copter.scripted.set(CMD.returnToLaunch, [{ result: RESULT.temporarilyRejected }]);
  copter.battery.percent = 20;
  t.match(await air.over(command_id), { state: 'failed', reason: /the vehicle returns home$/ });
  t.equal(copter.mode, COPTER_MODE.rtl);
});

t.test('a vehicle that does not return at its reserve at all does not fly on', async (t) => {
  const { air, copter, id } = await copterUp(t, 20, { battery: { percent: 100 }, cruiseMps: 10 }, performance);
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, 1_000, 0)));
  await air.pass(20);
  copter.scripted.set(CMD.returnToLaunch, [{ result: RESULT.denied }]);
  refuseMode(copter, COPTER_MODE.rtl);
  copter.battery.percent = 20;
  t.match(await air.over(command_id), { state: 'failed', reason: /was ordered home but is in BRAKE$/ });
  await air.pass(5);
  t.equal(copter.mode, COPTER_MODE.brake);
});
