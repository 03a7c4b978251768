import t, { type Test } from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { Air, asked } from '../../support/fleet/air.ts';
import { copterReady, copterUp, place } from '../../support/fleet/air_up.ts';
import { ArduPlane, PLANE_MODE } from '../../support/vehicles/arduplane.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { distance, moved } from '../../support/vehicles/flight.ts';

onlyInFull(t);

t.test('a vehicle on the ground cannot be called home', async (t) => {
  const { air, copter, id } = await copterReady(t);
  Object.assign(copter.body, moved(copter.body, 150, 0));
  await air.pass(3);
  t.match(air.verb(id, 'return_home'), { available: false, reason: 'on_ground' });
  await t.rejects(air.rig.side.service.command(id, { verb: 'return_home' }, asked), { code: 'conflict' });
  t.equal(copter.recorder.commands(CMD.returnToLaunch).length, 0);
});

t.test('a return that ends on the ground elsewhere is not done', async (t) => {
  const { air, copter, id } = await copterUp(t, 20);
  await air.fly(id, 'goto', place(moved(copter.body, 150, 0)));
  const { command_id } = await air.command(id, 'return_home');
  await air.pass(3);
  // It comes down where it is, in the same mode.
  copter.pilot.do({ kind: 'land' });
  const went = await air.over(command_id, 60);
  t.match(went, { state: 'failed', reason: /^the return ended on the ground, 1[0-5]\d m from home$/ });
});

/** A plane 80 m up, with how far its course has turned within 150 m of a place. */
async function planeUp(t: Test, radiusM = 90) {
  const air = new Air(t);
  const { address } = await air.link();
  const plane = new ArduPlane({ groundStation: address, manual: true, ready: true, loiterRadiusM: radiusM });
  const id = await air.adopt(plane, 'Kite', { cruise_speed_mps: 25 });
  const turned = { at: { lat: 0, lon: 0 }, deg: 0 };
  let last: number | null = null;
  air.watches.push(() => {
    const course = (Math.atan2(plane.body.east, plane.body.north) * 180) / Math.PI;
    const isNear = distance(plane.body, turned.at) <= radiusM + 30;
    if (isNear && last !== null) turned.deg += ((course - last + 540) % 360) - 180;
    if (!isNear) turned.deg = 0;
    last = course;
  });
  const watch = (at: { lat: number; lon: number }): void => void Object.assign(turned, { at: { ...at }, deg: 0 });
  return { air, plane, id, turned, watch };
}

t.test('a plane has taken off once it circles, and not while it flies straight on', async (t) => {
  const { air, plane, id } = await planeUp(t);
  await air.until(() => air.verb(id, 'takeoff')?.available === true, 60);
  const { command_id } = await air.command(id, 'takeoff', { kind: 'value', height_m: 60 });
  await air.until(() => plane.mode === PLANE_MODE.guided, 60);
  let turnedDeg = 0;
  let last = plane.body.yawDeg;
  air.watches.push(() => {
    turnedDeg += ((plane.body.yawDeg - last + 540) % 360) - 180;
    last = plane.body.yawDeg;
  });
  const went = await air.over(command_id, 120);
  t.match(went, { state: 'done', reason: /circles/ });
  t.ok(Math.abs(turnedDeg) > 170, `${turnedDeg}° since it was sent to circle`);
});

for (const radiusM of [60, 90, 120, 200]) {
  t.test(`a plane that circles with ${radiusM} m is there, holds and is home once it has turned by 180°`, async (t) => {
    const { air, plane, id, turned, watch } = await planeUp(t, radiusM);
    const home = { lat: plane.body.lat, lon: plane.body.lon };
    await air.takeoff(id, 80);
    const to = moved(home, 1_000, 300);
    watch(to);
    const went = await air.fly(id, 'goto', place(to, 80), 240);
    t.equal(went.state, 'done', went.reason ?? '');
    t.ok(Math.abs(turned.deg) >= 170, `turned by ${turned.deg}° there`);
    const held = await air.fly(id, 'hold', undefined, 150);
    t.equal(held.state, 'done', held.reason ?? '');
    watch(home);
    const back = await air.fly(id, 'return_home', undefined, 240);
    t.match(back, { state: 'done', reason: 'the vehicle circles at home' });
    t.ok(Math.abs(turned.deg) >= 170, `turned by ${turned.deg}° at home`);
  });
}
