import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { Air } from '../../support/fleet/air.ts';
import { copterUp, place } from '../../support/fleet/air_up.ts';
import { ArduPlane } from '../../support/vehicles/arduplane.ts';
import { distance, groundSpeed, moved } from '../../support/vehicles/flight.ts';
import { Px4 } from '../../support/vehicles/px4.ts';

onlyInFull(t);

/** Some metres west of the antimeridian, on Taveuni. */
const HERE = { lat: -16.85, lon: 179.9998 };
const ground = { at: HERE, groundAmslM: 40 };

t.test('it flies to a place across the antimeridian and back, and stands at each', async (t) => {
  const { air, copter, id } = await copterUp(t, 20, ground);
  const there = moved(HERE, 30, 140);
  t.ok(there.lon < 0, 'it lies in the other half');
  const told: number[] = [];
  for (const to of [there, HERE]) {
    const went = await air.command(id, 'goto', place(to));
    air.watches[0] = () => void told.push(air.task(went.task_id).distance_m ?? 0);
    const over = await air.over(went.command_id);
    t.equal(over.state, 'done', over.reason ?? '');
    t.ok(copter.distanceTo(to.lat, to.lon) <= 2, `${copter.distanceTo(to.lat, to.lon)} m from it`);
    t.ok(groundSpeed(copter.body) < 1.2);
  }
  t.ok(Math.max(...told) < 150, `it was said to be ${Math.max(...told)} m away`);
});

t.test('what stops as it crosses the antimeridian stands near where it was told to', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const px4 = new Px4({ groundStation: address, manual: true, ready: true, ...ground });
  const id = await air.adopt(px4, 'Heron');
  await air.takeoff(id);
  await air.command(id, 'goto', place(moved(HERE, 0, 400)));
  await air.until(() => px4.body.lon > 179.9999, 30, 'it is about to cross');
  const at = { lat: px4.body.lat, lon: px4.body.lon };
  const held = await air.fly(id, 'hold');
  t.equal(held.state, 'done', held.reason ?? '');
  t.ok(distance(at, px4.body) < 60, `${distance(at, px4.body)} m on`);
});

t.test('a plane that circles its home over the antimeridian has come home', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const plane = new ArduPlane({ groundStation: address, manual: true, ready: true, ...ground });
  const id = await air.adopt(plane, 'Kite', { cruise_speed_mps: 22 });
  await air.takeoff(id, 80);
  const went = await air.fly(id, 'goto', place(moved(HERE, 0, 700), 90), 240);
  t.equal(went.state, 'done', went.reason ?? '');
  const back = await air.fly(id, 'return_home', undefined, 240);
  t.equal(back.state, 'done', back.reason ?? '');
  t.ok(distance(plane.body, HERE) < 260, `${distance(plane.body, HERE)} m from home`);
});
