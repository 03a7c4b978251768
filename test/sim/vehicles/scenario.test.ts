import t from 'tap';
import { vehicleSysids } from '../../../src/sim/vehicles/facts.ts';
import type { SimulatedVehicle } from '../../../src/sim/vehicles/simulated_vehicle.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { place } from '../../support/fleet/air_up.ts';
import { at, vehicleActor, vehicleOf, vehicleReady } from '../../support/sim/simulated_vehicle.ts';

onlyInFull(t);

const STILL = { eastMps: 0, northMps: 0 };

function fly(vehicle: SimulatedVehicle, fromS: number, toS: number, look: () => void = () => {}): void {
  for (let step = Math.round(fromS * 20) + 1; step <= toS * 20; step++) {
    vehicle.step(1_000_000 + step * 50, 0.05, STILL);
    look();
  }
}

const apart = (vehicle: SimulatedVehicle, eastM: number, northM: number): number => {
  const state = vehicle.state();
  return Math.hypot(state.eastM - eastM, state.northM - northM);
};

t.test('it is not there before it appears, nor after it leaves', async (t) => {
  const vehicle = vehicleOf({ appears_s: 10, leaves_s: 30, start: { east_m: 5, north_m: 6, height_m: 40 } });
  fly(vehicle, 0, 9.9);
  t.equal(vehicle.take().length, 0);
  t.notOk(vehicle.state().airborne);
  fly(vehicle, 9.9, 29.9);
  t.ok(vehicle.take().length > 15);
  t.match(vehicle.state(), { airborne: true, eastM: 5, northM: 6, heightM: 40 });
  fly(vehicle, 29.9, 40);
  vehicle.take();
  fly(vehicle, 40, 50);
  t.equal(vehicle.take().length, 0);
  t.notOk(vehicle.state().airborne);
});

for (const [autopilot, mode, holds] of [
  ['ardupilot', 'AUTO', 'BRAKE'],
  ['px4', 'AUTO_MISSION', 'AUTO_LOITER'],
] as const) {
  t.test(`${autopilot} flies the route of its scenario as a mission, until it is commanded otherwise`, async (t) => {
    const route = [
      { east_m: 100, north_m: 0, height_m: 30, speed_mps: 6, wait_s: 4 },
      { east_m: 100, north_m: 150 },
      { east_m: -300, north_m: 150, height_m: 60 },
    ];
    const { air, flown, id } = await vehicleReady(t, { route, mavlink: { autopilot } });
    await air.until(() => air.row(id).mode === mode, 5);
    await air.until(() => flown.apartM(100, 0) < 2, 60);
    t.ok(Math.abs(flown.state.heightM - 30) < 2, `${flown.state.heightM} m up`);
    await air.until(() => flown.apartM(100, 150) < 8, 60);
    await air.until(() => flown.state.eastM < -50, 60);
    const held = await air.fly(id, 'hold');
    t.equal(held.state, 'done', held.reason ?? '');
    t.equal(air.row(id).mode, holds);
    const { eastM, northM } = flown.state;
    await air.pass(30);
    t.ok(flown.apartM(eastM, northM) < 2, 'it flies no more where it was going');
    const went = await air.fly(id, 'goto', place(at(0, 0), 40));
    t.equal(went.state, 'done', went.reason ?? '');
  });
}

t.test('a route is flown again and again, or ends as its scenario says', async (t) => {
  const route = [
    { east_m: 80, north_m: 0, height_m: 30 },
    { east_m: 0, north_m: 80 },
  ];
  const again = vehicleOf({ route, behaviour: { kind: 'route', repeat: true } });
  let passes = 0;
  let isThere = false;
  fly(again, 0, 180, () => {
    const is = apart(again, 80, 0) < 10;
    if (is && !isThere) passes++;
    isThere = is;
  });
  t.ok(passes >= 3, `${passes} times`);
  const landing = vehicleOf({ route, behaviour: { kind: 'land' } });
  fly(landing, 0, 120);
  t.notOk(landing.state().airborne);
  t.ok(apart(landing, 0, 80) < 3);
  const orbit = { kind: 'orbit', target: { east_m: 0, north_m: 0 }, radius_m: 50, direction: 'counter_clockwise' };
  const orbiting = vehicleOf({ route, behaviour: orbit });
  fly(orbiting, 0, 90);
  let off = 0;
  fly(orbiting, 90, 150, () => {
    off = Math.max(off, Math.abs(apart(orbiting, 0, 0) - 50));
  });
  t.ok(off < 5, `${off} m off its circle`);
  const { eastM, northM, eastMps, northMps } = orbiting.state();
  t.ok(eastM * northMps - northM * eastMps > 0, 'against the clock');
  const stays = vehicleOf({ route });
  fly(stays, 0, 120);
  t.ok(stays.state().airborne);
  t.ok(apart(stays, 0, 80) < 2);
});

t.test('a plane passes the places of its route and circles at the last', async (t) => {
  const start = { east_m: 0, north_m: 0, height_m: 90 };
  const route = [
    { east_m: 500, north_m: 0 },
    { east_m: 500, north_m: 600, height_m: 120 },
  ];
  const vehicle = vehicleOf({ type: 'fixed_wing', start, route });
  let [nearest, slowest] = [1_000, 1_000];
  fly(vehicle, 0, 200, () => {
    const { eastMps, northMps } = vehicle.state();
    nearest = Math.min(nearest, apart(vehicle, 500, 0));
    slowest = Math.min(slowest, Math.hypot(eastMps, northMps));
  });
  t.ok(nearest < 90, `${nearest} m`);
  t.ok(slowest >= 13, 'it never stands');
  t.ok(apart(vehicle, 500, 600) < 150);
  t.ok(Math.abs(vehicle.state().heightM - 120) < 3);
});

t.test('it is never faster, nor climbs or turns harder, than its performance', async (t) => {
  const performance = { max_speed_mps: 14, cruise_speed_mps: 12, climb_rate_mps: 2, descent_rate_mps: 1.5 };
  const route = [
    { east_m: 300, north_m: 0, height_m: 90, speed_mps: 60 },
    { east_m: 0, north_m: 20, height_m: 10, speed_mps: 60 },
  ];
  const vehicle = vehicleOf({ route, behaviour: { kind: 'land' } }, performance);
  let before = vehicle.state();
  fly(vehicle, 0, 240, () => {
    const now = vehicle.state();
    const change = Math.hypot(now.eastMps - before.eastMps, now.northMps - before.northMps);
    if (Math.hypot(now.eastMps, now.northMps) > 14.01) t.fail(`${now.eastMps} ${now.northMps}`);
    if (now.upMps > 2.01 || now.upMps < -1.51) t.fail(`climbs ${now.upMps}`);
    if (now.airborne && change > 5.01 * 0.05) t.fail(`changes by ${change}`);
    before = now;
  });
  t.notOk(vehicle.state().airborne);
});

t.test('with little left it returns and lands by itself, and arms no more', async (t) => {
  for (const autopilot of ['ardupilot', 'px4'] as const) {
    const told = { mavlink: { autopilot, battery_pct: 60 } };
    const { air, flown, id } = await vehicleReady(t, told, { endurance_s: 600, cruise_speed_mps: 10 });
    await air.takeoff(id, 30);
    const went = await air.fly(id, 'goto', place(at(150, 0), 30));
    t.equal(went.state, 'done', went.reason ?? '');
    let isHigh = false;
    await air.until(() => {
      isHigh ||= (air.row(id).energy_pct ?? 0) > 35;
      return air.row(id).landed === 'on_ground';
    }, 400);
    t.ok(isHigh);
    await air.pass(10);
    t.ok(flown.apartM(0, 0) < 2, `${flown.apartM(0, 0)} m from home`);
    t.notOk(air.row(id).armed);
    t.match(air.verb(id, 'takeoff'), { available: false });
  }
});

t.test('a plane with little left comes home and down', async (t) => {
  const start = { east_m: 800, north_m: 0, height_m: 60 };
  const route = [{ east_m: 3_000, north_m: 0 }];
  const told = { type: 'fixed_wing', start, route, mavlink: { battery_pct: 60 } };
  const vehicle = vehicleOf(told, { endurance_s: 400 });
  fly(vehicle, 0, 400);
  t.notOk(vehicle.state().airborne);
  t.ok(apart(vehicle, 800, 0) < 400, `${apart(vehicle, 800, 0)} m from where it began`);
});

t.test('simulated vehicles without a system id get the lowest free ones', async (t) => {
  const actors = [
    vehicleActor({ id: 'a' }),
    vehicleActor({ id: 'b', mavlink: { sysid: 1 } }),
    vehicleActor({ id: 'c' }),
    vehicleActor({ id: 'd', mavlink: undefined }),
    vehicleActor({ id: 'e', mavlink: { sysid: 3 } }),
    vehicleActor({ id: 'f' }),
  ];
  t.same(
    [...vehicleSysids(actors)],
    [
      ['a', 2],
      ['b', 1],
      ['c', 4],
      ['e', 3],
      ['f', 5],
    ],
  );
});
