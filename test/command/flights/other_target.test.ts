import t, { type Test } from 'tap';
import { messageIds } from '../../../src/edge/wire/mavlink/known.ts';
import { readPositionTarget } from '../../../src/edge/wire/mavlink/read_vehicle.ts';
import type { CommandParams, Verb } from '../../../src/model/verb.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { Air, asked } from '../../support/fleet/air.ts';
import { AirTarget } from '../../support/fleet/air_target.ts';
import { copterUp, place } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { ArduPlane, PLANE_MODE } from '../../support/vehicles/arduplane.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { distance, moved } from '../../support/vehicles/flight.ts';
import { OtherStation } from '../../support/vehicles/other_station.ts';
import { PX4_MODE, Px4 } from '../../support/vehicles/px4.ts';
import type { Vehicle } from '../../support/vehicles/vehicle.ts';

onlyInFull(t);

const OURS = 245;
const orders = (vehicle: Vehicle, sinceS: number) =>
  vehicle.recorder.commands().filter(({ tS, sysid, fields }) => {
    return tS > sinceS && sysid === OURS && ![511, 512].includes(Number(fields.command));
  });

/** What we fly, and after so many seconds another station sends the vehicle elsewhere. */
async function sentElsewhere(t: Test, verb: Verb, params: (up: Up) => CommandParams, afterS: number): Promise<void> {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  const { command_id } = await air.command(id, verb, params(up));
  await air.pass(afterS);
  const to = { ...moved(copter.body, 0, -400), altM: 30 };
  new OtherStation(copter).reposition(to);
  const sinceS = copter.tS;
  const went = await air.over(command_id, 10);
  t.match(went, { state: 'failed', reason: 'another station sent the vehicle elsewhere' });
  t.ok(copter.tS - sinceS >= 3 && copter.tS - sinceS < 5, `${copter.tS - sinceS} s`);
  t.equal(air.row(id).control.owner, 'other_gcs');
  t.match(air.verb(id, 'goto'), { available: false, reason: 'authority_elsewhere', text: /another station/ });
  // From the first report on nothing is sent.
  await air.pass(120);
  t.strictSame(orders(copter, sinceS + 0.6), []);
  t.ok(copter.distanceTo(to.lat, to.lon) < 3, 'it went where the other station sent it');
  t.equal(copter.mode, COPTER_MODE.guided);
}
type Up = Awaited<ReturnType<typeof copterUp>>;

const far = ({ copter }: Up): CommandParams => place(moved(copter.body, 900, 0), 30);

t.test('a goto ends where another station sends the vehicle elsewhere in the same mode', (t) =>
  sentElsewhere(t, 'goto', far, 10),
);
t.test('so it does where that comes half a second behind our own order', (t) => sentElsewhere(t, 'goto', far, 0.5));
t.test('a goto whose answer and telemetry are lost is not repeated over the order of another station', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  await air.fly(id, 'goto', place(moved(copter.body, 20, 0), 30));
  const { send } = copter.link;
  copter.link.send = () => {};
  const body = { verb: 'goto', params: far(up) };
  const sent = air.rig.side.service.command(id, body, asked);
  await air.pass(0.3);
  const to = { ...moved(copter.body, 0, -400), altM: 30 };
  new OtherStation(copter).reposition(to);
  const sinceS = copter.tS;
  await air.pass(2.7);
  copter.link.send = send;
  await air.settled(sent);
  t.match(await air.over((await sent).command_id, 20), { state: 'failed' });
  await air.pass(60);
  t.strictSame(orders(copter, sinceS), []);
  t.ok(copter.distanceTo(to.lat, to.lon) < 3, 'it went where the other station sent it');
});
t.test('a goto that was lost on the way is repeated once telemetry shows that it was', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  await air.fly(id, 'goto', place(moved(copter.body, 20, 0), 30));
  copter.link.faults.loss = 1;
  const sent = air.rig.side.service.command(id, { verb: 'goto', params: place(moved(copter.body, 100, 0), 30) }, asked);
  await air.pass(0.3);
  copter.link.faults.loss = 0;
  await air.settled(sent);
  t.match(await air.over((await sent).command_id, 60), { state: 'done' });
});
for (const verb of ['hold', 'return_home', 'land'] as const) {
  t.test(`${verb} that was lost on the way is not repeated over a new target of another station`, async (t) => {
    const { air, copter, id } = await copterUp(t, 30);
    await air.fly(id, 'goto', place(moved(copter.body, 20, 0), 30));
    copter.link.faults.loss = 1;
    const sent = air.rig.side.service.command(id, { verb }, asked);
    await air.pass(0.1);
    copter.link.faults.loss = 0;
    const to = { ...moved(copter.body, 0, -400), altM: 30 };
    new OtherStation(copter).reposition(to);
    const sinceS = copter.tS;
    await air.settled(sent);
    t.not((await air.over((await sent).command_id, 30)).state, 'done');
    await air.pass(60);
    t.strictSame(orders(copter, sinceS), []);
    t.ok(copter.distanceTo(to.lat, to.lon) < 3, 'it went where the other station sent it');
  });
}
for (const verb of ['hold', 'return_home'] as const) {
  t.test(`${verb} that was lost on the way is repeated while the vehicle flies to its target of before`, async (t) => {
    const { air, copter, id } = await copterUp(t, 30);
    await air.fly(id, 'goto', place(moved(copter.body, 20, 0), 30));
    new OtherStation(copter).reposition({ ...moved(copter.body, 0, -400), altM: 30 });
    await air.pass(5);
    copter.link.faults.loss = 1;
    const sent = air.rig.side.service.command(id, { verb }, asked);
    await air.pass(0.1);
    copter.link.faults.loss = 0;
    await air.settled(sent);
    t.match(await air.over((await sent).command_id, 300), { state: 'done' });
  });
}
t.test('a task that orders a place each second does not take the vehicle back', (t) =>
  sentElsewhere(
    t,
    'orbit',
    ({ copter }) => ({ kind: 'point', ...moved(copter.body, 100, 0), height_takeoff_m: 30, radius_m: 60 }),
    20,
  ),
);

t.test('a step that crosses the order of another station on a slow link does not go on over it', async (t) => {
  let crossed = 0;
  for (const afterS of [0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9]) {
    const up = await copterUp(t, 30);
    const { air, copter, id } = up;
    const middle = moved(copter.body, 100, 0);
    const { command_id } = await air.command(id, 'orbit', {
      ...{ kind: 'point', ...middle, height_takeoff_m: 30, radius_m: 60 },
    });
    copter.link.faults.delayMs = 400;
    await air.pass(20 + afterS);
    const to = { ...moved(copter.body, 0, -400), altM: 30 };
    const { fleet } = air.rig;
    const take = fleet.take.bind(fleet);
    let reportedS: number | null = null;
    fleet.take = (linkId, message, from, atMs) => {
      take(linkId, message, from, atMs);
      if (message.kind !== 'mavlink' || message.msgid !== messageIds.positionTargetGlobalInt) return;
      const target = readPositionTarget(message.payload);
      if (target && distance({ lat: target.latDeg, lon: target.lonDeg }, to) < 1) reportedS ??= copter.tS;
    };
    new OtherStation(copter).reposition(to);
    await air.pass(8);
    if (reportedS === null) continue;
    if (orders(copter, reportedS - 0.4).length > 0) crossed++;
    t.match(air.rig.side.service.log.get(command_id), {
      state: 'failed',
      reason: 'another station sent the vehicle elsewhere',
    });
    t.equal(air.row(id).control.owner, 'other_gcs');
    t.strictSame(orders(copter, reportedS + 0.45), [], `nothing left after the report, ${afterS} s`);
    copter.stop();
  }
  t.ok(crossed > 0, `${crossed} orders crossed`);
});

t.test(
  'a task ends at whichever moment between two of its steps another station sends the vehicle elsewhere',
  async (t) => {
    const up = await copterUp(t, 30);
    const { air, copter, id } = up;
    const orbit = { kind: 'point', ...moved(copter.body, 100, 0), height_takeoff_m: 30, radius_m: 60 } as const;
    const undone: number[] = [];
    for (let afterS = 0; afterS < 1.2; afterS += 0.05) {
      const { command_id } = await air.command(id, 'orbit', orbit);
      // Reports that keep no step with ours, as those of a busy vehicle.
      new OtherStation(copter).command(CMD.setMessageInterval, { param1: 87, param2: 740_000 });
      await air.pass(6);
      const steps = copter.recorder.commands(CMD.reposition).length;
      await air.until(() => copter.recorder.commands(CMD.reposition).length > steps, 3);
      await air.pass(afterS);
      new OtherStation(copter).reposition({ ...moved(copter.body, 0, -400), altM: 30 });
      await air.pass(5);
      const { state, reason } = air.rig.side.service.log.get(command_id) ?? {};
      if (state !== 'failed' || reason !== 'another station sent the vehicle elsewhere') undone.push(afterS);
      await air.fly(id, 'hold');
    }
    t.strictSame(undone, [], 'no step replaced the order of another unseen');
  },
);

t.test('a target that is told a second time, 8 s late, does not end a goto by the place of before', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  const { fleet } = air.rig;
  const take = fleet.take.bind(fleet);
  const late: { atMs: number; say: () => void }[] = [];
  fleet.take = (linkId, message, from, atMs) => {
    take(linkId, message, from, atMs);
    if (message.kind !== 'mavlink' || message.msgid !== messageIds.positionTargetGlobalInt) return;
    late.push({ atMs: atMs + 8_000, say: () => take(linkId, message, from, air.nowMs) });
  };
  air.watches.push(() => {
    while (late[0] && late[0].atMs <= air.nowMs) late.shift()?.say();
  });
  await air.command(id, 'goto', far(up));
  await air.pass(15);
  await air.fly(id, 'hold');
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, -150, 0), 30));
  t.match(await air.over(command_id, 60), { state: 'done' });
  t.equal(air.row(id).control.owner, 'us');
  // The order of another ends it all the same, between late reports of ours.
  const again = await air.command(id, 'goto', far(up));
  await air.pass(8);
  new OtherStation(copter).reposition({ ...moved(copter.body, 0, -400), altM: 30 });
  t.match(await air.over(again.command_id, 10), {
    state: 'failed',
    reason: 'another station sent the vehicle elsewhere',
  });
});

t.test('a height that another station orders alone ends our command too', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  const to = moved(copter.body, 600, 0);
  const { command_id } = await air.command(id, 'goto', place(to, 30));
  await air.pass(8);
  new OtherStation(copter).reposition({ ...to, altM: 90 });
  t.match(await air.over(command_id, 10), { reason: 'another station sent the vehicle elsewhere' });
});

t.test('who holds it takes it back by a person’s word, and may send it on', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  const { command_id } = await air.command(id, 'goto', far(up));
  await air.pass(5);
  new OtherStation(copter).reposition({ ...moved(copter.body, 0, -900), altM: 30 });
  await air.over(command_id, 10);
  t.equal((await air.fly(id, 'hold')).state, 'done');
  t.equal(air.row(id).control.owner, 'us');
  t.equal((await air.fly(id, 'goto', place(moved(copter.body, 50, 0), 30))).state, 'done');
});

t.test('a vehicle whose command is done is no longer ours once another station sends it elsewhere', async (t) => {
  const up = await copterUp(t, 30);
  const { air, copter, id } = up;
  t.equal((await air.fly(id, 'goto', place(moved(copter.body, 50, 0), 30))).state, 'done');
  t.equal(air.row(id).control.owner, 'us');
  new OtherStation(copter).reposition({ ...moved(copter.body, 0, -400), altM: 30 });
  await air.pass(5);
  t.equal(air.row(id).control.owner, 'other_gcs');
});

t.test('a plane that another station sends elsewhere is left alone', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const plane = new ArduPlane({ groundStation: address, manual: true, ready: true });
  const id = await air.adopt(plane, 'Kite', { cruise_speed_mps: 22 });
  await air.takeoff(id, 80);
  const { command_id } = await air.command(id, 'goto', place(moved(plane.body, 2_000, 0), 80));
  await air.pass(10);
  new OtherStation(plane).reposition({ ...moved(plane.body, 0, -1_500), altM: 80 });
  const sinceS = plane.tS + 0.6;
  t.match(await air.over(command_id, 10), { state: 'failed', reason: 'another station sent the vehicle elsewhere' });
  await air.pass(60);
  t.strictSame(orders(plane, sinceS), []);
  t.equal(plane.mode, PLANE_MODE.guided);
});

t.test('moving and circling places of our own are not taken for those of another', async (t) => {
  const up = await copterUp(t, 40, { maxSpeedMps: 24 }, { cruise_speed_mps: 15, max_speed_mps: 24 });
  const { air, copter, id } = up;
  const target = new AirTarget({
    at: moved(copter.body, 300, 0),
    altHaeM: 640,
    turnAt: () => ({ rateDps: 2, speedMps: 8 }),
  });
  air.targets.push(target);
  await air.pass(1);
  const { task_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
  await air.pass(120);
  t.match(air.task(task_id), { state: 'executing' });
  t.equal(air.row(id).control.owner, 'us');
});

t.test('PX4 that another station sends into another mode is left alone', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const px4 = new Px4({ groundStation: address, manual: true, ready: true });
  const id = await air.adopt(px4, 'Swift');
  await air.takeoff(id, 30);
  const orbit = { kind: 'point', ...moved(px4.body, 100, 0), height_takeoff_m: 30, radius_m: 60 } as const;
  const { command_id } = await air.command(id, 'orbit', orbit);
  await air.pass(20);
  // Into its return, which main mode 4 and sub mode 5 stand for.
  new OtherStation(px4).command(176, { param1: 1, param2: 4, param3: 5 });
  const sinceS = px4.tS;
  t.match(await air.over(command_id, 5), { state: 'failed', reason: /AUTO_RTL/ });
  await air.pass(10);
  t.strictSame(orders(px4, sinceS), []);
  t.equal(px4.customMode, PX4_MODE.rtl);
});
