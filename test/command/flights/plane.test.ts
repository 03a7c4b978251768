import t from 'tap';
import { Air } from '../../support/fleet/air.ts';
import { place } from '../../support/fleet/air_up.ts';
import { ArduPlane, PLANE_MODE } from '../../support/vehicles/arduplane.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { distance, groundSpeed, moved } from '../../support/vehicles/flight.ts';

async function planeReady(t: import('tap').Test) {
  const air = new Air(t);
  const { address } = await air.link();
  const plane = new ArduPlane({ groundStation: address, manual: true, ready: true });
  return { air, plane, id: await air.adopt(plane, 'Kite', { cruise_speed_mps: 22 }) };
}

t.test('a plane offers what it can do', async (t) => {
  const { air, id } = await planeReady(t);
  const offered = air.row(id).verbs.map(({ verb }) => verb);
  t.notOk(offered.includes('land'), 'it lands nowhere by command');
  for (const verb of ['takeoff', 'goto', 'hold', 'return_home'] as const) t.ok(offered.includes(verb), verb);
});

t.test('it takes off to the height that it was told, and circles there', async (t) => {
  const { air, plane, id } = await planeReady(t);
  await air.takeoff(id, 80);
  t.equal(plane.recorder.commands(CMD.armDisarm).length, 1);
  t.equal(plane.recorder.commands(CMD.takeoff).length, 0, 'it refuses NAV_TAKEOFF: it has a mode for it');
  await air.pass(30);
  t.ok(Math.abs(plane.body.altM - 80) < 8, `${plane.body.altM} m`);
});

t.test('it goes to a place and circles it, holds in circles and returns', async (t) => {
  const { air, plane, id } = await planeReady(t);
  const home = { lat: plane.body.lat, lon: plane.body.lon };
  await air.takeoff(id, 80);
  const to = moved(home, 700, 0);
  const went = await air.fly(id, 'goto', place(to, 90, { speed_mps: 18 }), 240);
  t.equal(went.state, 'done', went.reason ?? '');
  t.ok(Math.abs(groundSpeed(plane.body) - 18) < 1.8, `${groundSpeed(plane.body)} m/s`);
  let farthest = 0;
  const watch = () => {
    farthest = Math.max(farthest, plane.distanceTo(to.lat, to.lon));
  };
  await air.pass(20);
  air.watches.push(watch);
  await air.pass(60);
  t.ok(farthest < 150, `${farthest} m from the place`);
  t.ok(Math.abs(plane.body.altM - 90) < 5);
  const held = await air.fly(id, 'hold');
  t.equal(held.state, 'done', held.reason ?? '');
  t.equal(plane.mode, PLANE_MODE.loiter);
  const at = { ...plane.body };
  farthest = 0;
  await air.pass(60);
  t.ok(distance(at, plane.body) < 250 && Math.abs(plane.body.altM - at.altM) < 5, 'it circles where it was');
  const back = await air.fly(id, 'return_home', undefined, 240);
  t.equal(back.state, 'done', back.reason ?? '');
  await air.pass(60);
  t.ok(distance(plane.body, home) < 250);
  t.equal(plane.mode, PLANE_MODE.rtl);
});
