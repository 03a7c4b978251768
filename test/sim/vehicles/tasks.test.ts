import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { AirTarget } from '../../support/fleet/air_target.ts';
import { at, GROUND_HAE_M, vehicleReady } from '../../support/sim/simulated_vehicle.ts';

onlyInFull(t);

const FAST = { cruise_speed_mps: 15, max_speed_mps: 24 };

for (const autopilot of ['ardupilot', 'px4'] as const) {
  const told = { mavlink: { autopilot } };

  t.test(`a ${autopilot} simulated vehicle orbits a place to a tenth of the radius`, async (t) => {
    const { air, flown, id } = await vehicleReady(t, told);
    await air.takeoff(id, 30);
    const params = { kind: 'point', ...at(200, 0), radius_m: 60, height_takeoff_m: 40, speed_mps: 6 } as const;
    const { task_id } = await air.command(id, 'orbit', params);
    await air.pass(60);
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    air.watches.push(() => {
      least = Math.min(least, flown.apartM(200, 0));
      most = Math.max(most, flown.apartM(200, 0));
    });
    await air.pass(60);
    t.comment(`between ${least.toFixed(1)} and ${most.toFixed(1)} m`);
    t.ok(least > 54 && most < 66, `between ${least.toFixed(1)} and ${most.toFixed(1)} m`);
    t.equal(air.task(task_id).state, 'executing');
  });

  t.test(`a ${autopilot} simulated vehicle looks at a place while it flies`, async (t) => {
    const { air, id } = await vehicleReady(t, told);
    await air.takeoff(id, 30);
    await air.command(id, 'goto', { kind: 'point', ...at(400, 0), height_takeoff_m: 30 });
    const looked = await air.fly(id, 'look_at', { kind: 'point', ...at(100, 100), alt_hae_m: GROUND_HAE_M });
    t.equal(looked.state, 'done', looked.reason ?? '');
  });

  t.test(`a ${autopilot} simulated vehicle shadows what turns and turns, and comes never too near to it`, async (t) => {
    const { air, flown, id } = await vehicleReady(t, told, FAST);
    await air.takeoff(id, 40);
    const turnAt = (tS: number) => ({ rateDps: tS % 40 < 25 ? 8 : -8, speedMps: 12 });
    const target = new AirTarget({ at: at(260, 0), altHaeM: GROUND_HAE_M + 60, turnAt });
    air.targets.push(target);
    await air.pass(2);
    const { task_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
    let nearest = Number.POSITIVE_INFINITY;
    let last = 0;
    air.watches.push(() => {
      const here = at(flown.state.eastM, flown.state.northM);
      const north = (here.lat - target.at.lat) * 111_270;
      const east = (here.lon - target.at.lon) * 111_320 * Math.cos((52 * Math.PI) / 180);
      last = Math.hypot(north, east);
      nearest = Math.min(nearest, last);
    });
    await air.pass(240);
    t.comment(`${nearest.toFixed(0)} m at the nearest, ${last.toFixed(0)} m in the end`);
    t.ok(nearest >= 100, `${nearest} m`);
    t.ok(last < 300, `${last} m`);
    const task = air.task(task_id);
    t.equal(task.state, 'executing', task.reason ?? '');
    t.equal(task.breaches, 0);
  });
}
