import t from 'tap';
import { systemActor } from '../../../src/model/actor.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { asked } from '../../support/fleet/air.ts';
import { AirTarget } from '../../support/fleet/air_target.ts';
import { copterReady, copterUp, place, refuseMode } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD, RESULT } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';

onlyInFull(t);

const LIFT = { kind: 'value', height_m: 20 } as const;

t.test('what it answers with UNSUPPORTED is not offered again until it starts anew', async (t) => {
  const { air, copter, id } = await copterUp(t);
  copter.scripted.set(CMD.changeSpeed, [{ result: RESULT.unsupported }]);
  const set = await air.fly(id, 'set_speed', { kind: 'value', speed_mps: 5 });
  t.equal(set.state, 'rejected', set.reason ?? '');
  t.equal(air.verb(id, 'set_speed'), undefined);
  await t.rejects(
    air.rig.side.service.command(id, { verb: 'set_speed', params: { kind: 'value', speed_mps: 5 } }, asked),
    {
      code: 'conflict',
      message: 'Heron does not offer the verb set_speed',
    },
  );
  await air.fly(id, 'land', undefined, 180);
  copter.reboot();
  await air.pass(10);
  t.ok(air.verb(id, 'set_speed'), 'it may have learnt it since');
});

t.test('what it denies once it may be asked again', async (t) => {
  const { air, copter, id } = await copterUp(t);
  copter.scripted.set(CMD.changeSpeed, [{ result: RESULT.denied }]);
  const set = await air.fly(id, 'set_speed', { kind: 'value', speed_mps: 5 });
  t.equal(set.state, 'rejected', set.reason ?? '');
  t.equal(air.verb(id, 'set_speed')?.available, true);
});

t.test('a vehicle that works at it is waited for', async (t) => {
  const { air, copter, id } = await copterUp(t);
  copter.scripted.set(CMD.changeSpeed, [
    { result: RESULT.inProgress, progress: 10 },
    { result: RESULT.inProgress, afterS: 8, progress: 60 },
    { result: RESULT.accepted, afterS: 16 },
  ]);
  const set = await air.fly(id, 'set_speed', { kind: 'value', speed_mps: 5 });
  t.equal(set.state, 'done', set.reason ?? '');
  t.equal(copter.recorder.commands(CMD.changeSpeed).length, 1, 'it is not asked again meanwhile');
});

t.test('a takeoff that the vehicle refuses is over with its reason, and it stays where it is', async (t) => {
  const { air, copter, id } = await copterReady(t);
  copter.scripted.set(CMD.takeoff, [{ result: RESULT.failed }]);
  const flown = await air.fly(id, 'takeoff', LIFT);
  t.match(flown, { state: 'rejected', reason: /failed/ });
  await air.pass(15);
  t.notOk(copter.armed, 'it disarmed by itself');
});

t.test('a takeoff that is accepted and goes nowhere fails', async (t) => {
  const { air, copter, id } = await copterReady(t);
  copter.scripted.set(CMD.takeoff, [{ result: RESULT.inProgress }, { result: RESULT.denied, afterS: 0.1 }]);
  t.equal((await air.fly(id, 'takeoff', LIFT)).state, 'rejected');
  await air.pass(20);
  // Says yes, and does nothing: it is up to the vehicle's own clock to disarm.
  copter.scripted.clear();
  copter.pilot.do = () => {};
  const flown = await air.fly(id, 'takeoff', LIFT);
  t.match(flown, { state: 'failed', reason: /disarmed before|did not reach/ });
  t.equal(copter.recorder.commands(CMD.takeoff).length, 2, 'said once for each command');
});

t.test('arming that is refused ends it', async (t) => {
  const { air, copter, id } = await copterReady(t, { throttleStick: 'mid' });
  const flown = await air.fly(id, 'takeoff', LIFT);
  t.match(flown, {
    state: 'rejected',
    reason: 'the vehicle failed to carry out the order (“Arm: Throttle (RC3) is not neutral”)',
  });
  t.equal(copter.recorder.commands(CMD.armDisarm).length, 1);
  t.equal(copter.recorder.commands(CMD.takeoff).length, 0);
});

t.test('a place that is accepted and not flown to fails, and is not done', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const standing = copter.pilot.do.bind(copter.pilot);
  copter.pilot.do = (manoeuvre) => {
    if (manoeuvre.kind !== 'goto') standing(manoeuvre);
  };
  const went = await air.fly(id, 'goto', place(moved(copter.body, 100, 0)));
  t.match(went, { state: 'failed', reason: /has not moved for/ });
  t.equal(air.task(went.task_id).state, 'failed');
});

t.test('a place whose answer never comes ends with a reason', async (t) => {
  const { air, copter, id } = await copterUp(t);
  copter.scripted.set(CMD.reposition, []);
  const went = await air.fly(id, 'goto', place(moved(copter.body, 100, 0)));
  t.match(went, { state: 'timed_out', reason: /did not answer/ });
});

t.test(
  'a hold that is accepted and not done fails, and is not said again: somebody else may have undone it',
  async (t) => {
    const { air, copter, id } = await copterUp(t);
    copter.scripted.set(CMD.setMode, [{ result: RESULT.accepted }]);
    // It says yes to the mode and stays in the old one.
    Object.assign(copter, { setMode: () => true });
    const before = copter.recorder.commands(CMD.setMode).length;
    const held = await air.fly(id, 'hold');
    t.match(held, { state: 'failed', reason: /acknowledged the mode BRAKE but is not in it/ });
    t.equal(copter.recorder.commands(CMD.setMode).length, before + 1);
  },
);

t.test('nothing of a command leaves after its time is over', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const expiresAt = new Date(Date.now() - performance.now() + air.nowMs + 3_000).toISOString();
  copter.link.down = true;
  const before = copter.recorder.received.length;
  const link = await air.link();
  await air.command(id, 'hold', undefined, { expires_at: expiresAt });
  let left = 0;
  air.watches.push(() => {
    left = Math.max(left, link.sent);
  });
  await air.pass(3.2);
  copter.link.down = false;
  await air.pass(20);
  t.equal(copter.recorder.received.slice(before).filter(({ fields }) => fields.command === CMD.setMode).length, 0);
  await t.rejects(
    air.rig.side.service.command(id, { verb: 'hold', expires_at: new Date(Date.now() - 1e9).toISOString() }, asked),
    { code: 'invalid_input' },
  );
});

t.test('a place of a task that is over is not said again after the hold', async (t) => {
  const { air, copter, id } = await copterUp(t);
  // Its words do not come through to us: we would say the place again.
  copter.scripted.set(CMD.reposition, []);
  await air.command(id, 'goto', place(moved(copter.body, 100, 0)));
  await air.pass(0.3);
  const held = await air.command(id, 'hold');
  const repositions = (): number => copter.recorder.commands(CMD.reposition).length;
  await air.over(held.command_id);
  const before = repositions();
  await air.pass(20);
  t.equal(repositions(), before);
  t.equal(copter.mode, COPTER_MODE.brake);
});

t.test('a speed beyond the limits is not set', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const body = { verb: 'set_speed', params: { kind: 'value', speed_mps: 40 } } as const;
  await t.rejects(air.rig.side.service.command(id, body, asked), {
    code: 'conflict',
    message: /40\.0 m\/s; the limit is 25\.0/,
  });
  t.equal(copter.recorder.commands(CMD.changeSpeed).length, 0);
});

t.test('a vehicle follows no track that is its own, nor one that turns out to be', async (t) => {
  const { air, copter, id } = await copterUp(t, 40);
  const isOurs = { asset_id: null as string | null };
  const target = new AirTarget({
    at: moved(copter.body, 300, 0),
    altHaeM: 650,
    turnAt: () => ({ rateDps: 0, speedMps: 5 }),
  });
  const told = target.track.bind(target);
  target.track = (utcMs) => ({ ...told(utcMs), ...isOurs });
  air.targets.push(target);
  await air.pass(2);
  const { task_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
  await air.pass(5);
  isOurs.asset_id = id;
  await air.pass(3);
  t.equal(air.task(task_id).phase, 'holding');
  for (const verb of ['shadow', 'orbit'] as const) {
    const params = { kind: 'track', track_id: target.id } as const;
    await t.rejects(air.rig.side.service.command(id, { verb, params }, asked), {
      code: 'conflict',
      message: new RegExp(`^${verb} is not available on Heron: .* is the own track of this vehicle$`),
    });
  }
});

t.test('what is bound to nothing that was heard says where keys are found', async (t) => {
  const { air } = await copterReady(t);
  const { assets } = air.registry.registry;
  const { id } = assets.create({ name: 'Kite', spec: { remote_id_serial: 'MISSPELT' } }, systemActor);
  await t.rejects(air.rig.side.service.command(id, { verb: 'hold' }, asked), {
    code: 'conflict',
    message:
      /^Kite does not offer the verb hold: no received vehicle is bound to this asset; GET .api.fleet lists the keys/,
  });
});

t.test('a return that it denied does not stand in the way of a stop', async (t) => {
  const { air, copter, id } = await copterUp(t);
  await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(10);
  copter.scripted.set(CMD.returnToLaunch, [{ result: RESULT.denied }]);
  refuseMode(copter, COPTER_MODE.rtl);
  const back = await air.fly(id, 'return_home');
  t.not(back.state, 'done');
  t.match(air.verb(id, 'hold'), { available: true });
  t.equal((await air.fly(id, 'hold')).state, 'done');
  t.equal(copter.mode, COPTER_MODE.brake);
});
