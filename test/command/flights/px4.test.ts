import t from 'tap';
import { flyingOf } from '../../../src/app/flying.ts';
import { Air } from '../../support/fleet/air.ts';
import { place } from '../../support/fleet/air_up.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { distance, groundSpeed, moved } from '../../support/vehicles/flight.ts';
import { PX4_MODE, Px4 } from '../../support/vehicles/px4.ts';

const person = { type: 'user', id: 'u1', name: 'anna', address: null } as const;

async function px4Ready(t: import('tap').Test) {
  const air = new Air(t);
  const { address } = await air.link();
  const px4 = new Px4({ groundStation: address, manual: true, ready: true });
  return { air, px4, id: await air.adopt(px4, 'Swift') };
}

t.test('it takes off to the height that it was told, armed once', async (t) => {
  const { air, px4, id } = await px4Ready(t);
  await air.takeoff(id, 20);
  await air.pass(10);
  t.ok(Math.abs(px4.body.altM - 20) < 1, `${px4.body.altM} m`);
  t.equal(px4.recorder.commands(CMD.armDisarm).length, 1);
  t.equal(px4.recorder.commands(CMD.takeoff).length, 1);
});

t.test('it goes to a place at the speed that it was told, holds, and lands', async (t) => {
  const { air, px4, id } = await px4Ready(t);
  await air.takeoff(id, 20);
  const to = moved(px4.body, 200, 100);
  const { command_id } = await air.command(id, 'goto', place(to, 25, { speed_mps: 9 }));
  await air.pass(12);
  t.ok(Math.abs(groundSpeed(px4.body) - 9) < 0.9, `${groundSpeed(px4.body)} m/s`);
  const went = await air.over(command_id);
  t.equal(went.state, 'done', went.reason ?? '');
  await air.pass(5);
  t.ok(px4.distanceTo(to.lat, to.lon) <= 2);
  t.ok(Math.abs(px4.body.altM - 25) <= 2);
  await air.command(id, 'goto', place(moved(to, 400, 0), 25, { speed_mps: 10 }));
  await air.pass(12);
  const at = { ...px4.body };
  t.equal((await air.fly(id, 'hold')).state, 'done');
  await air.pass(20);
  t.ok(distance(at, px4.body) < 15, `${distance(at, px4.body)} m`);
  t.ok(Math.abs(px4.body.altM - at.altM) < 1);
  t.equal(px4.customMode, PX4_MODE.hold);
  const landed = await air.fly(id, 'land', undefined, 180);
  t.equal(landed.state, 'done', landed.reason ?? '');
  t.equal(px4.body.altM, 0);
});

t.test('a goto ends when it is told to hold, although both are one mode', async (t) => {
  const { air, px4, id } = await px4Ready(t);
  await air.takeoff(id, 20);
  const going = await air.command(id, 'goto', place(moved(px4.body, 800, 0), 20));
  await air.pass(15);
  t.equal((await air.fly(id, 'hold')).state, 'done');
  t.equal((await air.over(going.command_id)).state, 'superseded');
  t.ok(groundSpeed(px4.body) < 1, 'it stands');
});

t.test('it returns and lands at home', async (t) => {
  const { air, px4, id } = await px4Ready(t);
  const home = { lat: px4.body.lat, lon: px4.body.lon };
  await air.takeoff(id, 20);
  await air.fly(id, 'goto', place(moved(home, 100, 0)));
  const back = await air.fly(id, 'return_home', undefined, 240);
  t.equal(back.state, 'done', back.reason ?? '');
  t.ok(distance(px4.body, home) < 3);
  t.equal(px4.body.altM, 0);
});

t.test('a stop right after a goto stops it, before a heartbeat shows the mode of the goto', async (t) => {
  const { air, px4, id } = await px4Ready(t);
  await air.takeoff(id, 100);
  t.equal(px4.customMode, PX4_MODE.takeoff);
  px4.unsent.add('HEARTBEAT');
  const at = { ...px4.body };
  const { command_id } = await air.command(id, 'goto', place(moved(px4.body, 900, 0), 100, { speed_mps: 12 }));
  t.equal(air.row(id).mode, 'AUTO_TAKEOFF', 'no heartbeat came since');
  const stopped = await air.settled(flyingOf(air.rig.side).holdAll(person, 'a helicopter'));
  t.match(stopped, [{ held: true }]);
  t.match(await air.over(command_id), { state: 'cancelled' });
  px4.unsent.delete('HEARTBEAT');
  await air.pass(30);
  t.ok(distance(at, px4.body) < 40, `${distance(at, px4.body)} m`);
  t.ok(groundSpeed(px4.body) < 1, 'it stands');
});
