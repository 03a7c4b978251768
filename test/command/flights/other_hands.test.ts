import t, { type Test } from 'tap';
import { flyingOf } from '../../../src/app/flying.ts';
import { isOver } from '../../../src/model/command.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { asked } from '../../support/fleet/air.ts';
import { AirTarget } from '../../support/fleet/air_target.ts';
import { copterUp, place, type Up } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { groundSpeed, moved } from '../../support/vehicles/flight.ts';
import { OtherStation } from '../../support/vehicles/other_station.ts';

onlyInFull(t);

const OURS = 245;
const COMMAND_ACK = 77;

/** What we sent that could move the vehicle, since a moment of its clock. */
const orders = ({ copter }: Up, sinceS: number) =>
  copter.recorder.commands().filter(({ tS, sysid, fields }) => {
    return tS > sinceS && sysid === OURS && ![511, 512].includes(Number(fields.command));
  });

const far = ({ copter }: Up) => place(moved(copter.body, 900, 0));

for (const [name, mode] of [
  ['RTL', COPTER_MODE.rtl],
  ['BRAKE', COPTER_MODE.brake],
  ['LAND', COPTER_MODE.land],
] as const) {
  for (const afterS of [0.1, 0.6, 2]) {
    t.test(`${name} of another station ${afterS} s after the acceptance of a goto ends it and stays`, async (t) => {
      const up = await copterUp(t, 30);
      const { air, copter, id } = up;
      await air.fly(id, 'hold');
      const { command_id } = await air.command(id, 'goto', far(up));
      await air.until(() => copter.recorder.commands(CMD.reposition).length > 0, 3);
      await air.pass(afterS);
      new OtherStation(copter).mode(mode);
      const takenS = copter.tS;
      const went = await air.over(command_id, 10);
      t.match(went, { state: 'failed', reason: new RegExp(`is in ${name}$`) });
      t.ok(copter.tS - takenS < 1.4, `it ended after ${copter.tS - takenS} s`);
      const endedS = copter.tS;
      await air.pass(45);
      t.strictSame(orders(up, endedS), []);
      // A step may have left before the heartbeat that showed the mode: it must carry no flag that changes one.
      const late = orders(up, takenS).filter(({ fields }) => fields.command === CMD.reposition);
      t.ok(late.every(({ fields }) => fields.param2 === 0));
      t.equal(copter.mode, mode);
    });
  }
}

t.test('a mode of before our order counts as taken once the vehicle has long shown ours', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  await air.fly(id, 'hold');
  const { command_id } = await air.command(id, 'goto', far(up));
  await air.pass(20);
  t.equal(copter.mode, COPTER_MODE.guided);
  new OtherStation(copter).mode(COPTER_MODE.brake);
  const went = await air.over(command_id, 10);
  t.match(went, {
    state: 'failed',
    reason: 'its pilot or another station controls the vehicle: the vehicle is in BRAKE',
  });
});

t.test('a mode of another is not told as one that we ordered earlier and the vehicle is not in', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  await air.fly(id, 'hold');
  const { link } = copter;
  const send = link.send.bind(link);
  // Its acknowledgements are lost, and nothing else: byte 7 has the number of the message.
  link.send = (datagram) => (datagram[7] === COMMAND_ACK ? undefined : send(datagram));
  const { command_id } = await air.command(id, 'goto', far(up));
  await air.until(() => air.row(id).mode === 'GUIDED', 3, 'its heartbeat shows GUIDED');
  new OtherStation(copter).mode(COPTER_MODE.brake);
  t.match(await air.over(command_id, 5), {
    state: 'failed',
    reason: 'its pilot or another station controls the vehicle: the vehicle is in BRAKE',
  });
});

t.test('the repeat of a goto whose answer was lost carries no flag that changes the mode', async (t) => {
  const up = await copterUp(t);
  const { air, copter, id } = up;
  await air.fly(id, 'hold');
  copter.scripted.set(CMD.reposition, []);
  await air.command(id, 'goto', far(up));
  await air.pass(12);
  const sent = copter.recorder.commands(CMD.reposition);
  t.ok(sent.length > 1, `${sent.length} times`);
  t.ok(sent.every(({ fields }) => fields.param2 === 0));
});

t.test('an order of a mode whose answer was lost is not said again once another mode shows', async (t) => {
  for (const verb of ['hold', 'return_home', 'land'] as const) {
    const up = await copterUp(t, 30);
    const { air, copter, id } = up;
    for (const command of [CMD.setMode, CMD.returnToLaunch, CMD.land]) copter.scripted.set(command, []);
    const { command_id } = await air.command(id, verb);
    await air.pass(0.2);
    const sinceS = copter.tS;
    copter.failsafe('Radio Failsafe - SmartRTL', COPTER_MODE.smartRtl);
    const went = await air.over(command_id, 20);
    t.match(went, { state: 'failed', reason: /Radio Failsafe.*SMART_RTL/ }, verb);
    await air.pass(20);
    t.strictSame(orders(up, sinceS), [], verb);
    t.equal(copter.mode, COPTER_MODE.smartRtl);
  }
});

t.test('an order of a mode that was lost on the way is said again while the vehicle shows that it was', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  copter.link.faults.loss = 1;
  const held = air.rig.side.service.command(id, { verb: 'hold' }, asked);
  await air.pass(0.2);
  copter.link.faults.loss = 0;
  await air.settled(held);
  t.match(await air.over((await held).command_id, 20), { state: 'done' });
  t.equal(copter.mode, COPTER_MODE.brake);
});

t.test('an EKF failsafe is named as the cause, and nothing takes the vehicle out of it', async (t) => {
  const up = await copterUp(t, 40);
  const { air, copter, id } = up;
  const { command_id } = await air.command(id, 'goto', far(up));
  await air.pass(6);
  copter.ekfFailsafe();
  const went = await air.over(command_id, 10);
  t.match(went, {
    state: 'failed',
    reason: 'the failsafe of the vehicle controls it (“EKF Failsafe: changed to Land Mode”): the vehicle is in LAND',
  });
  t.match(air.verb(id, 'hold'), { available: false, reason: 'authority_elsewhere', text: /EKF Failsafe/ });
  t.match(air.verb(id, 'goto'), { available: false, reason: 'authority_elsewhere', text: /EKF Failsafe/ });
  const stopped = await air.settled(flyingOf(air.rig.side).holdAll(asked.by, 'a helicopter'));
  t.match(stopped, [{ held: false, text: /EKF Failsafe.*LAND/ }]);
  await air.pass(5);
  t.equal(copter.mode, COPTER_MODE.land);
});

t.test(
  'a failsafe is named whose cause is reported right behind its mode, and nothing is sent meanwhile',
  async (t) => {
    const up = await copterUp(t, 40);
    const { air, copter, id } = up;
    const { command_id, task_id } = await air.command(id, 'goto', far(up));
    await air.pass(6);
    const sinceS = copter.tS;
    copter.failsafeModeFirst('Battery 1 is low 10.60V used 181 mAh', COPTER_MODE.rtl);
    const reason =
      'the failsafe of the vehicle controls it (“Battery 1 is low 10.60V used 181 mAh”): the vehicle is in RTL';
    t.match(await air.over(command_id, 1), { state: 'failed', reason });
    t.match(air.task(task_id), { state: 'failed', reason });
    await air.pass(20);
    t.strictSame(orders(up, sinceS), []);
    t.equal(copter.mode, COPTER_MODE.rtl);
  },
);

t.test('a task whose vehicle a failsafe has just taken is over: its cancel orders no hold', async (t) => {
  const up = await copterUp(t, 40);
  const { air, copter, id } = up;
  const { service } = air.rig.side;
  const { command_id, task_id } = await air.command(id, 'goto', far(up));
  await air.pass(6);
  const sinceS = copter.tS;
  copter.failsafeModeFirst(null, COPTER_MODE.circle);
  await air.until(() => isOver(service.task(task_id ?? '')?.state ?? 'created'), 1);
  t.notOk(isOver(service.log.get(command_id)?.state ?? 'failed'), 'its last word waits for the cause');
  await t.rejects(service.cancel(task_id ?? '', null, asked.by), {
    code: 'conflict',
    message: /the task has already ended/,
  });
  await air.pass(3);
  t.strictSame(orders(up, sinceS), []);
  t.match(air.task(task_id), { state: 'failed', reason: /its own failsafe or another station/ });
});

t.test('a stop of the service writes the last word that waits for a cause', async (t) => {
  const up = await copterUp(t, 40);
  const { air, copter, id } = up;
  const { service } = air.rig.side;
  const { command_id, task_id } = await air.command(id, 'goto', far(up));
  await air.pass(6);
  copter.failsafeModeFirst(null, COPTER_MODE.rtl);
  await air.until(() => isOver(service.task(task_id ?? '')?.state ?? 'created'), 1);
  service.stop();
  t.match(service.log.get(command_id), { state: 'failed', reason: /is in RTL/ });
});

t.test('a failsafe whose text is lost is not told as the doing of somebody else', async (t) => {
  const up = await copterUp(t, 40);
  const { air, copter, id } = up;
  const { command_id } = await air.command(id, 'goto', far(up));
  await air.pass(6);
  copter.failsafeModeFirst(null, COPTER_MODE.rtl);
  const reason = 'its own failsafe or another station controls the vehicle: the vehicle is in RTL';
  t.match(await air.over(command_id, 1), { state: 'failed', reason });
});

t.test('hold and stop_all replace no way home and no landing, whoever ordered it, and the row says so', async (t) => {
  for (const [mode, name] of [
    [COPTER_MODE.rtl, 'RTL'],
    [COPTER_MODE.land, 'LAND'],
  ] as const) {
    const up = await copterUp(t, 40);
    const { air, copter, id } = up;
    new OtherStation(copter).mode(mode);
    await air.pass(1.5);
    t.match(air.verb(id, 'hold'), { available: false, text: new RegExp(name) });
    await t.rejects(air.rig.side.service.command(id, { verb: 'hold' }, asked), { code: 'conflict' });
    const stopped = await air.settled(flyingOf(air.rig.side).holdAll(asked.by, 'a helicopter'));
    t.match(stopped, [{ asset_id: id, held: false, text: new RegExp(name) }]);
    await air.pass(5);
    t.equal(copter.mode, mode);
  }
});

t.test('stop_all leaves a return of ours under way, also before a heartbeat shows it', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  await air.command(id, 'goto', far(up));
  await air.pass(10);
  const home = await air.command(id, 'return_home');
  const stopped = await air.settled(flyingOf(air.rig.side).holdAll(asked.by, 'a helicopter'));
  t.match(stopped, [{ held: false, text: /RTL/ }]);
  await air.pass(3);
  t.equal(copter.mode, COPTER_MODE.rtl);
  t.equal((await air.over(home.command_id, 240)).state, 'done');
});

t.test('neither hold nor stop_all takes a vehicle from its pilot', async (t) => {
  const up = await copterUp(t, 30);
  up.copter.throttleStick = 'mid';
  const { air, copter, id } = up;
  new OtherStation(copter).mode(COPTER_MODE.loiter);
  await air.pass(1.5);
  t.match(air.verb(id, 'hold'), { available: false, reason: 'authority_elsewhere', text: /pilot.*LOITER/ });
  const stopped = await air.settled(flyingOf(air.rig.side).holdAll(asked.by, 'a helicopter'));
  t.match(stopped, [{ held: false, text: /pilot/ }]);
  await air.pass(3);
  t.equal(copter.mode, COPTER_MODE.loiter);
});

t.test('a task that holds for a lost track does not bring home a vehicle that its pilot took meanwhile', async (t) => {
  const up = await copterUp(t, 30);
  up.copter.throttleStick = 'mid';
  const { air, copter, id } = up;
  const at = moved(copter.body, 300, 0);
  const target = new AirTarget({ at, altHaeM: 640, turnAt: () => ({ rateDps: 1, speedMps: 4 }) });
  air.targets.push(target);
  await air.pass(1);
  const { command_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
  await air.pass(20);
  target.isHeard = false;
  await air.until(() => copter.mode === COPTER_MODE.brake, 15, 'it holds');
  await air.pass(3);
  new OtherStation(copter).mode(COPTER_MODE.loiter);
  const takenS = copter.tS;
  t.match(await air.over(command_id, 5), { state: 'failed', reason: /LOITER/ });
  await air.pass(30);
  t.strictSame(orders(up, takenS), []);
  t.equal(copter.mode, COPTER_MODE.loiter);
});

t.test('set_speed is not available in BRAKE, and the reason says so', async (t) => {
  const { air, id } = await copterUp(t);
  t.match(air.verb(id, 'set_speed'), { available: true });
  await air.fly(id, 'hold');
  t.match(air.verb(id, 'set_speed'), { available: false, text: /accepts no speed in the mode BRAKE/ });
});

t.test('its own fence is named as the probable cause where it reports a breach', async (t: Test) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  copter.fence = { breach: 0 };
  const { command_id } = await air.command(id, 'goto', far(up));
  await air.pass(8);
  copter.fence = { breach: 3 };
  await air.pass(1.5);
  new OtherStation(copter).mode(COPTER_MODE.rtl);
  t.match(await air.over(command_id, 5), {
    state: 'failed',
    reason: /fence of the vehicle is the probable cause.*boundary.*RTL/,
  });
  t.ok(isOver(air.rig.side.service.log.get(command_id)?.state ?? 'sent'));
  t.ok(groundSpeed(copter.body) >= 0);
});
