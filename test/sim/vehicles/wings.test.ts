import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { place } from '../../support/fleet/air_up.ts';
import { at, vehicleReady } from '../../support/sim/simulated_vehicle.ts';

onlyInFull(t);

const PLANE = { type: 'fixed_wing' };
const UP = { ...PLANE, start: { east_m: 0, north_m: 0, height_m: 90 } };

t.test('a plane of ArduPilot takes off to the height that it was told, and circles there', async (t) => {
  const { air, flown, id } = await vehicleReady(t, PLANE, { cruise_speed_mps: 22 });
  t.notOk(air.verb(id, 'land'), 'it lands nowhere by command');
  await air.takeoff(id, 80);
  await air.pass(30);
  t.ok(Math.abs(flown.state.heightM - 80) < 5, `${flown.state.heightM} m up`);
  t.ok(flown.speedMps > 13, `${flown.speedMps} m/s`);
});

for (const autopilot of ['ardupilot', 'px4'] as const) {
  const told = { ...UP, mavlink: { autopilot } };

  t.test(`a plane of ${autopilot} goes to a place and circles it, holds in circles and returns`, async (t) => {
    const { air, flown, id } = await vehicleReady(t, told, { cruise_speed_mps: 22 });
    const went = await air.fly(id, 'goto', place(at(700, 0), 100, { speed_mps: 18 }), 240);
    t.equal(went.state, 'done', went.reason ?? '');
    await air.pass(25);
    t.ok(Math.abs(flown.speedMps - 18) < 1.8, `${flown.speedMps} m/s`);
    let farthest = 0;
    air.watches.push(() => {
      farthest = Math.max(farthest, flown.apartM(700, 0));
    });
    await air.pass(60);
    t.ok(farthest < 150, `${farthest} m from the place`);
    t.ok(Math.abs(flown.state.heightM - 100) < 5);
    const held = await air.fly(id, 'hold');
    t.equal(held.state, 'done', held.reason ?? '');
    const before = flown.state;
    await air.pass(60);
    t.ok(flown.apartM(before.eastM, before.northM) < 250);
    t.ok(Math.abs(flown.state.heightM - before.heightM) < 2, 'it keeps its height');
    const back = await air.fly(id, 'return_home', undefined, 240);
    t.equal(back.state, 'done', back.reason ?? '');
    await air.pass(60);
    t.ok(flown.apartM(0, 0) < 250);
    t.ok(flown.state.airborne);
  });

  t.test(`a plane of ${autopilot} flies the circle that it is told to a tenth of its radius, in wind`, async (t) => {
    const { air, flown, id } = await vehicleReady(t, told, { cruise_speed_mps: 20 });
    flown.wind = { eastMps: 5, northMps: -3 };
    const middle = at(400, 200);
    const params = { kind: 'point', ...middle, radius_m: 150, height_takeoff_m: 90 } as const;
    await air.command(id, 'orbit', params);
    await air.pass(90);
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    air.watches.push(() => {
      least = Math.min(least, flown.apartM(400, 200));
      most = Math.max(most, flown.apartM(400, 200));
    });
    await air.pass(90);
    t.comment(`between ${least.toFixed(0)} and ${most.toFixed(0)} m`);
    t.ok(least > 135 && most < 165, `between ${least.toFixed(0)} and ${most.toFixed(0)} m`);
  });
}
