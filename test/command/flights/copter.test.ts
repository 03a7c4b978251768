import t from 'tap';
import { Air } from '../../support/air.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { groundSpeed, moved } from '../../support/vehicles/flight.ts';

async function up(t: import('tap').Test, heightM = 20, options: object = {}) {
  const air = new Air(t);
  const { address } = await air.link();
  const copter = new ArduCopter({ groundStation: address, manual: true, ready: true, ...options });
  const id = await air.adopt(copter, 'Heron');
  await air.takeoff(id, heightM);
  return { air, copter, id };
}

t.test('it climbs to the height that it was told, and no higher', async (t) => {
  const { air, copter } = await up(t, 25);
  await air.pass(10);
  t.ok(Math.abs(copter.body.altM - 25) < 1, `${copter.body.altM} m`);
  t.ok(copter.recorder.highestM() < 26.5);
});

t.test('it flies to a place and stands within two metres of it', async (t) => {
  const { air, copter, id } = await up(t);
  const to = moved(copter.body, 300, 0);
  const went = await air.fly(id, 'goto', { kind: 'point', lat: to.lat, lon: to.lon, height_takeoff_m: 30 });
  t.equal(went.state, 'done', went.reason ?? '');
  t.ok(copter.distanceTo(to.lat, to.lon) <= 2);
  t.ok(groundSpeed(copter.body) < 1.2);
  await air.pass(10);
  t.ok(copter.distanceTo(to.lat, to.lon) <= 2);
  t.ok(Math.abs(copter.body.altM - 30) <= 2);
});
