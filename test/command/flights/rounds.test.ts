import t from 'tap';
import { zoneSpecSchema } from '../../../src/model/zone.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { Air, asked } from '../../support/fleet/air.ts';
import { AirTarget } from '../../support/fleet/air_target.ts';
import { copterUp } from '../../support/fleet/air_up.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { ArduPlane } from '../../support/vehicles/arduplane.ts';
import { distance, groundSpeed, moved, offset } from '../../support/vehicles/flight.ts';

onlyInFull(t);

const FAST = { cruise_speed_mps: 15, max_speed_mps: 24 };

for (const direction of ['clockwise', 'counter_clockwise'] as const) {
  t.test(`it flies round a place ${direction}, its radius within a tenth`, async (t) => {
    const { air, copter, id } = await copterUp(t, 30);
    const middle = moved(copter.body, 150, 0);
    const params = { kind: 'point', ...middle, height_takeoff_m: 30, radius_m: 80, direction, speed_mps: 8 } as const;
    const { task_id } = await air.command(id, 'orbit', params);
    await air.pass(60);
    let [least, most, turned] = [Number.POSITIVE_INFINITY, 0, 0];
    let last: number | null = null;
    air.watches.push(() => {
      const { north, east } = offset(middle, copter.body);
      const apart = Math.hypot(north, east);
      [least, most] = [Math.min(least, apart), Math.max(most, apart)];
      const angle = (Math.atan2(east, north) * 180) / Math.PI;
      if (last !== null) turned += ((angle - last + 540) % 360) - 180;
      last = angle;
    });
    await air.pass(180);
    t.comment(`${least.toFixed(1)} to ${most.toFixed(1)} m, ${turned.toFixed(0)}°`);
    t.ok(least >= 72 && most <= 88, `${least} to ${most} m`);
    t.ok((direction === 'clockwise' ? turned : -turned) > 360, `${turned}°`);
    t.equal(air.task(task_id).phase, 'on_station');
    t.equal((await air.fly(id, 'hold')).state, 'done');
    t.equal(air.task(task_id).state, 'superseded');
  });
}

for (const [radius_m, speed_mps] of [
  [50, 8],
  [50, 10],
  [30, 5],
] as const) {
  t.test(`an orbit of ${radius_m} m at ${speed_mps} m/s is flown at ${radius_m} m`, async (t) => {
    const { air, copter, id } = await copterUp(t, 30);
    const middle = moved(copter.body, 150, 0);
    await air.command(id, 'orbit', { kind: 'point', ...middle, height_takeoff_m: 30, radius_m, speed_mps });
    await air.pass(90);
    const apart: number[] = [];
    air.watches.push(() => void apart.push(distance(copter.body, middle)));
    await air.pass(90);
    const meanM = apart.reduce((sum, m) => sum + m, 0) / apart.length;
    t.comment(
      `${Math.min(...apart).toFixed(1)} to ${Math.max(...apart).toFixed(1)} m, ${meanM.toFixed(1)} m on average`,
    );
    t.ok(Math.abs(meanM - radius_m) <= 2, `${meanM} m on average`);
    t.ok(Math.max(...apart) <= radius_m + 5, `${Math.max(...apart)} m`);
  });
}

t.test('it flies round what flies slowly, and never nearer than the standoff', async (t) => {
  const { air, copter, id } = await copterUp(t, 40, { maxSpeedMps: 24 }, FAST);
  const turnAt = () => ({ rateDps: 2, speedMps: 3 });
  const target = new AirTarget({ at: moved(copter.body, 300, 0), altHaeM: 640, turnAt });
  air.targets.push(target);
  await air.pass(2);
  const { task_id } = await air.command(id, 'orbit', { kind: 'track', track_id: target.id, radius_m: 150 });
  await air.pass(60);
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  air.watches.push(() => {
    const apart = distance(copter.body, target.at);
    [least, most] = [Math.min(least, apart), Math.max(most, apart)];
  });
  await air.pass(240);
  t.comment(`${least.toFixed(0)} to ${most.toFixed(0)} m`);
  t.ok(least >= 100, `${least} m`);
  t.ok(most <= 200, `${most} m`);
  t.equal(air.task(task_id).breaches, 0);
});

t.test('a plane flies round a place', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const plane = new ArduPlane({ groundStation: address, manual: true, ready: true });
  const id = await air.adopt(plane, 'Kite', { cruise_speed_mps: 20, max_speed_mps: 28, min_speed_mps: 13 });
  await air.takeoff(id, 80);
  const middle = moved(plane.body, 600, 0);
  await air.command(id, 'orbit', { kind: 'point', ...middle, height_takeoff_m: 80, radius_m: 200 });
  await air.pass(120);
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  air.watches.push(() => {
    const apart = distance(plane.body, middle);
    [least, most] = [Math.min(least, apart), Math.max(most, apart)];
  });
  await air.pass(240);
  t.comment(`${least.toFixed(0)} to ${most.toFixed(0)} m`);
  t.ok(least >= 180 && most <= 220, `${least} to ${most} m`);
});

t.test('one escorts another on its way', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const at = { lat: 48.2, lon: 16.37 };
  const common = { groundStation: address, manual: true, ready: true, groundAmslM: 180 };
  const ward = new ArduCopter({ ...common, sysid: 1, at, cruiseMps: 6 });
  const guard = new ArduCopter({ ...common, sysid: 2, at: moved(at, 0, 80), maxSpeedMps: 20 });
  const wardId = await air.adopt(ward, 'Ward');
  const guardId = await air.adopt(guard, 'Guard', { cruise_speed_mps: 12, max_speed_mps: 20 });
  await air.takeoff(wardId, 30);
  await air.takeoff(guardId, 30);
  const escort = { kind: 'asset', asset_id: wardId, standoff_m: 60 } as const;
  const { task_id } = await air.command(guardId, 'escort', escort);
  await air.pass(20);
  await air.command(wardId, 'goto', { kind: 'point', ...moved(at, 600, 0), height_takeoff_m: 30, speed_mps: 6 });
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  air.watches.push(() => {
    const apart = distance(ward.body, guard.body);
    [least, most] = [Math.min(least, apart), Math.max(most, apart)];
  });
  await air.pass(100);
  t.comment(`${least.toFixed(0)} to ${most.toFixed(0)} m`);
  t.ok(least >= 30, `${least} m`);
  t.ok(most <= 180, `${most} m`);
  t.notOk(['failed', 'rejected'].includes(air.task(task_id).state), air.task(task_id).reason ?? '');
});

t.test('it searches an area to its end', async (t) => {
  const { air, copter, id } = await copterUp(t, 30);
  const { lat, lon } = copter.body;
  const corner = (north: number, east: number): [number, number] => {
    const place = moved({ lat, lon }, north, east);
    return [place.lon, place.lat];
  };
  const ring = [corner(60, 0), corner(60, 150), corner(210, 150), corner(210, 0), corner(60, 0)];
  const meadow = zoneSpecSchema.parse({
    ...{ name: 'Meadow', kind: 'alert', floor_m: null, ceiling_m: null },
    geometry: { type: 'Polygon', coordinates: [ring] },
  });
  const zone = air.registry.registry.zones.create(meadow, asked.by);
  const searched = await air.fly(
    id,
    'search',
    { kind: 'zone', zone_id: zone.id, spacing_m: 40, height_takeoff_m: 30 },
    600,
  );
  t.equal(searched.state, 'done', searched.reason ?? '');
  let worst = 0;
  for (let north = 70; north <= 200; north += 26) {
    for (let east = 10; east <= 140; east += 26) {
      worst = Math.max(worst, copter.recorder.closestTo([moved({ lat, lon }, north, east)]));
    }
  }
  t.ok(worst <= 30, `${worst} m from its way`);
  await air.pass(10);
  t.ok(groundSpeed(copter.body) < 1, 'and stands at its end');
});
