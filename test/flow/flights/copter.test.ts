import t from 'tap';
import { onlyInFull, takeTime } from '../../support/basics/patience.ts';
import { startFlights } from '../../support/daemon/flights.ts';
import { distance, moved } from '../../support/vehicles/flight.ts';
import { copterOf, flightsOfCopter } from './sitl.ts';

onlyInFull(t);
takeTime(t, process.env.DUNLIN_SITL ? 900 : 120);

t.test('a copter is heard, adopted, lifted off, sent somewhere, held and brought home', async (t) => {
  const rig = await startFlights(t, flightsOfCopter());
  const copter = await copterOf(t, rig);
  const heard = await rig.row(({ sysid }) => sysid === copter.sysid, 'it is heard');
  t.equal(heard.adopted, false);
  t.ok(
    heard.verbs.every(({ available, reason }) => !available && reason === 'not_adopted'),
    'nobody adopted it: it is shown, and never commanded',
  );
  const id = await rig.adopt(copter, 'Heron');
  await rig.takeoff(id, 20, copter.withinMs(60_000));
  const start = await copter.where();
  t.ok(Math.abs(start.heightM - 20) < 2, `${start.heightM} m up`);

  const goal = moved(start, 50, 40);
  const went = await rig.fly(id, 'goto', { kind: 'point', ...goal, height_takeoff_m: 25 }, copter.withinMs(40_000));
  t.equal(went.state, 'done', went.reason ?? '');
  const there = await copter.where();
  t.ok(distance(there, goal) <= 2, `it is ${distance(there, goal)} m away`);
  t.ok(Math.abs(there.heightM - 25) <= 2, `${there.heightM} m up`);

  await rig.command(id, 'goto', { kind: 'point', ...moved(goal, 300, 0), height_takeoff_m: 25, speed_mps: 5 });
  await new Promise((resolve) => setTimeout(resolve, copter.isReal ? 20_000 : 5_000));
  const { speedMps } = await copter.where();
  t.ok(Math.abs(speedMps - 5) <= 0.5, `${speedMps} m/s`);

  const before = await copter.where();
  const held = await rig.fly(id, 'hold', undefined, copter.withinMs(20_000));
  t.equal(held.state, 'done', held.reason ?? '');
  await new Promise((resolve) => setTimeout(resolve, copter.isReal ? 20_000 : 5_000));
  const stood = await copter.where();
  t.ok(Math.abs(stood.heightM - before.heightM) < 1, `${stood.heightM} m up, ${before.heightM} m before`);
  t.ok(distance(stood, before) < 15, `${distance(stood, before)} m on`);

  const home = await rig.fly(id, 'return_home', undefined, copter.withinMs(90_000));
  t.equal(home.state, 'done', home.reason ?? '');
  const landed = await copter.where();
  t.ok(landed.heightM < 1, `${landed.heightM} m up`);
  t.ok(distance(landed, start) < 3, `${distance(landed, start)} m from where it lifted off`);
  t.equal(copter.killedBy(), null);
});
