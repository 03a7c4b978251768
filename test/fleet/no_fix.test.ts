import t, { type Test } from 'tap';
import { onlyInFull } from '../support/basics/patience.ts';
import { Air } from '../support/fleet/air.ts';
import { ArduCopter } from '../support/vehicles/arducopter.ts';
import { ArduPlane } from '../support/vehicles/arduplane.ts';
import { distance, moved } from '../support/vehicles/flight.ts';
import type { BootTimes } from '../support/vehicles/options.ts';

onlyInFull(t);

const SLOW: BootTimes = { heartbeatS: 1, standbyS: 2, fixS: 6, homeS: 8, prearmS: 9, positionS: 10 };

async function adopted<V extends ArduCopter | ArduPlane>(t: Test, make: (at: { host: string; port: number }) => V) {
  const air = new Air(t);
  const vehicle = make((await air.link()).address);
  return { air, vehicle, id: await air.adopt(vehicle, 'Heron') };
}

t.test('a vehicle that boots without a fix has no place, and has it back 1 s after its EKF has', async (t) => {
  for (const make of [
    (groundStation: { host: string; port: number }) => new ArduPlane({ groundStation, manual: true, ready: true }),
    (groundStation: { host: string; port: number }) => new ArduCopter({ groundStation, manual: true, ready: true }),
  ]) {
    const { air, vehicle, id } = await adopted<ArduCopter | ArduPlane>(t, make);
    await air.until(() => air.row(id).position !== null, 10, 'it has a place');
    vehicle.options.boot = SLOW;
    vehicle.reboot();
    await air.until(() => vehicle.boots === 2, 5, 'it is up again');
    const places: number[] = [];
    air.watches.push(() => {
      const { position } = air.row(id);
      if (position) places.push(distance(position, vehicle.body));
    });
    await air.until(() => vehicle.bootS >= SLOW.heartbeatS + 1, 10);
    places.length = 0;
    await air.until(() => vehicle.bootS >= SLOW.positionS, 20);
    t.strictSame(places, [], 'no place before');
    await air.pass(1.5);
    t.ok(places.length > 0, 'it has one again');
    t.ok(Math.max(...places) < 5, `${Math.max(...places)} m off`);
  }
});

t.test('without a fix, or without a position of the EKF, a flying vehicle has no place', async (t) => {
  for (const what of ['fix', 'position'] as const) {
    const { air, vehicle, id } = await adopted(
      t,
      (groundStation) => new ArduCopter({ groundStation, manual: true, ready: true }),
    );
    await air.takeoff(id, 20);
    vehicle.lost[what] = true;
    await air.until(() => air.row(id).position === null, 1.5, 'its place is gone');
    t.match(air.verb(id, 'goto'), { available: false, reason: 'no_position' });
    t.ok(
      air
        .row(id)
        .health.some(
          ({ text }) =>
            text ===
            (what === 'fix'
              ? 'the GPS receiver of the vehicle has no fix'
              : 'the EKF of the vehicle has no horizontal position'),
        ),
    );
    await air.pass(20);
    t.equal(air.row(id).position, null);
    t.equal(air.row(id).connection, 'online');
    vehicle.lost[what] = false;
    await air.until(() => air.row(id).position !== null, 1.5, 'its place is back');
    t.equal(air.verb(id, 'goto')?.available, true);
  }
});

t.test('a place that it cannot have flown to waits for a second one that agrees', async (t) => {
  const { air, vehicle, id } = await adopted(
    t,
    (groundStation) => new ArduCopter({ groundStation, manual: true, ready: true }),
  );
  await air.takeoff(id, 20);
  const home = { lat: vehicle.body.lat, lon: vehicle.body.lon };
  const seen = new Set<string>();
  air.watches.push(() => {
    const { position } = air.row(id);
    seen.add(position === null ? 'none' : distance(position, home) < 50 ? 'home' : 'away');
  });
  const away = moved(home, 3_000, 0);
  for (let times = 0; times < 5; times++) {
    Object.assign(vehicle.body, away);
    await air.pass(0.2);
    Object.assign(vehicle.body, home);
    await air.pass(0.8);
  }
  t.strictSame([...seen], ['home'], 'one alone is no place');
  Object.assign(vehicle.body, away);
  await air.pass(1);
  t.ok(seen.has('away'), 'and one that stays is');
});

t.test('a vehicle whose fix nobody hears of has a place', async (t) => {
  const { air, vehicle, id } = await adopted(
    t,
    (groundStation) => new ArduCopter({ groundStation, manual: true, ready: true }),
  );
  for (const name of ['GPS_RAW_INT', 'EKF_STATUS_REPORT', 'SYSTEM_TIME']) vehicle.unsent.add(name);
  vehicle.reboot();
  await air.until(() => vehicle.boots === 2, 5, 'it is up again');
  await air.until(() => air.row(id).position !== null, 5, 'it has a place');
  t.equal(air.row(id).position === null, false);
});

t.test('a height that it cannot have flown to waits for a second one that agrees', async (t) => {
  const { air, vehicle, id } = await adopted(
    t,
    (groundStation) => new ArduCopter({ groundStation, manual: true, ready: true }),
  );
  await air.takeoff(id, 20);
  const heights = new Set<number>();
  air.watches.push(() => {
    const { position } = air.row(id);
    if (position?.height_takeoff_m != null) heights.add(Math.round(position.height_takeoff_m / 100) * 100);
  });
  const { altM } = vehicle.body;
  for (let times = 0; times < 5; times++) {
    vehicle.body.altM = altM + 8_192;
    await air.pass(0.2);
    vehicle.body.altM = altM;
    await air.pass(0.8);
  }
  t.strictSame([...heights], [0], 'one alone is no height');
});
