import t from 'tap';
import { startFlights } from '../../support/flown.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';

t.test('a copter is heard, adopted, lifted off, sent somewhere, held and brought home', async (t) => {
  const rig = await startFlights(t);
  const copter = new ArduCopter({ groundStation: rig.groundStation });
  t.teardown(() => copter.stop());
  await copter.start();
  const heard = await rig.row(({ sysid }) => sysid === 1, 'it is heard');
  t.equal(heard.adopted, false);
  t.ok(
    heard.verbs.every(({ available, reason }) => !available && reason === 'not_adopted'),
    'nobody adopted it: it is shown, and never commanded',
  );
  const id = await rig.adopt(copter, 'Heron');
  await rig.takeoff(id, 20);
  const start = { lat: copter.body.lat, lon: copter.body.lon };
  const goal = { lat: start.lat + 0.0005, lon: start.lon + 0.0005 };
  const went = await rig.fly(id, 'goto', { kind: 'point', ...goal, height_takeoff_m: 25 }, { withinMs: 60_000 });
  t.equal(went.state, 'done', went.reason ?? '');
  t.ok(copter.distanceTo(goal.lat, goal.lon) <= 2, `it is ${copter.distanceTo(goal.lat, goal.lon)} m away`);
  const held = await rig.fly(id, 'hold');
  t.equal(held.state, 'done', held.reason ?? '');
  const home = await rig.fly(id, 'return_home', undefined, { withinMs: 120_000 });
  t.equal(home.state, 'done', home.reason ?? '');
  t.equal(copter.killedByNaN, null);
});
