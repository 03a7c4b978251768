import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { place } from '../../support/fleet/air_up.ts';
import { at, vehicleReady } from '../../support/sim/simulated_vehicle.ts';

onlyInFull(t);

for (const autopilot of ['ardupilot', 'px4'] as const) {
  const told = { mavlink: { autopilot } };

  t.test(`a ${autopilot} simulated vehicle offers what such a vehicle can do`, async (t) => {
    const { air, id } = await vehicleReady(t, told);
    const row = air.row(id);
    t.match(row, { autopilot, vehicle_type: 'multirotor', connection: 'online', landed: 'on_ground', armed: false });
    const offered = row.verbs.map(({ verb }) => verb);
    for (const verb of ['takeoff', 'goto', 'hold', 'return_home', 'land', 'orbit', 'shadow', 'look_at'] as const) {
      t.ok(offered.includes(verb), verb);
    }
    t.notOk(offered.includes('take_image'), 'there are no pictures of it');
  });

  t.test(
    `a ${autopilot} simulated vehicle takes off to its height, goes to a place, holds, and lands there`,
    async (t) => {
      const { air, flown, id } = await vehicleReady(t, told);
      await air.takeoff(id, 20);
      await air.pass(5);
      t.ok(Math.abs(flown.state.heightM - 20) < 1, `${flown.state.heightM} m up`);
      const went = await air.fly(id, 'goto', place(at(200, 100), 30, { speed_mps: 9 }));
      t.equal(went.state, 'done', went.reason ?? '');
      await air.pass(5);
      t.ok(flown.apartM(200, 100) <= 2, `${flown.apartM(200, 100)} m from the place`);
      t.ok(Math.abs(flown.state.heightM - 30) <= 2);
      await air.command(id, 'goto', place(at(200, 900), 30, { speed_mps: 9 }));
      await air.pass(15);
      t.ok(Math.abs(flown.speedMps - 9) < 0.9, `${flown.speedMps} m/s`);
      const { eastM, northM, heightM } = flown.state;
      const held = await air.fly(id, 'hold');
      t.equal(held.state, 'done', held.reason ?? '');
      await air.pass(60);
      t.ok(flown.apartM(eastM, northM) < 15, `${flown.apartM(eastM, northM)} m`);
      t.ok(Math.abs(flown.state.heightM - heightM) < 0.5, `${flown.state.heightM} m`);
      const landed = await air.fly(id, 'land', undefined, 180);
      t.equal(landed.state, 'done', landed.reason ?? '');
      t.notOk(flown.state.airborne);
      await air.until(() => !air.row(id).armed, 10);
    },
  );

  t.test(`a ${autopilot} simulated vehicle comes home and lands there, and flies again`, async (t) => {
    const { air, flown, id } = await vehicleReady(t, told);
    await air.takeoff(id, 20);
    await air.fly(id, 'goto', place(at(0, 150)));
    const home = await air.fly(id, 'return_home', undefined, 240);
    t.equal(home.state, 'done', home.reason ?? '');
    t.ok(flown.apartM(0, 0) < 2, `${flown.apartM(0, 0)} m from home`);
    t.equal(flown.state.heightM, 0);
    await air.until(() => !air.row(id).armed, 20);
    await air.takeoff(id, 15);
    t.ok(flown.state.heightM > 13);
  });
}
