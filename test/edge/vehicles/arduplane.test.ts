import t from 'tap';
import { ArduPlane, type ArduPlaneOptions, PLANE_MODE } from '../../support/vehicles/arduplane.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { groundSpeed, moved } from '../../support/vehicles/flight.ts';
import type { Fields } from '../../support/vehicles/messages.ts';
import { Station } from '../../support/vehicles/station.ts';
import { started, word } from './rig.ts';

type Test = { teardown(act: () => unknown): void };
const { guided, loiter, rtl, takeoff } = PLANE_MODE;

async function planeRig(t: Test, options: Partial<ArduPlaneOptions> = {}) {
  const station = await Station.open(t);
  const plane = new ArduPlane({ groundStation: station.address, manual: true, ready: true, ...options });
  await started(t, plane, station);
  const long = async (id: number, ...p: number[]) => word(await station.long(plane, id, p as [number]));
  const int = async (id: number, fields: Fields) => word(await station.int(plane, id, fields));
  return { station, plane, long, int };
}

async function flying(t: Test) {
  const rig = await planeRig(t);
  await rig.long(CMD.setMode, 1, takeoff);
  await rig.long(CMD.armDisarm, 1);
  rig.plane.tick(20);
  return rig;
}

t.test('on the ground an ArduPlane answers as the real one does', async (t) => {
  const { plane, long, int } = await planeRig(t);
  const near = { ...moved(plane.body, 300, 0), z: 80 };
  t.equal(await long(CMD.takeoff, 0, 0, 0, 0, 0, 0, 30), 'FAILED');
  t.equal(await int(CMD.takeoff, { frame: 3, z: 30 }), 'FAILED');
  for (const id of [CMD.land, CMD.pauseContinue, CMD.orbit]) t.equal(await long(id), 'UNSUPPORTED');
  t.equal(await long(CMD.reposition, -1, 1), 'UNSUPPORTED');
  t.equal(await int(CMD.reposition, { ...near, param2: 0 }), 'FAILED', 'where a copter says DENIED');
  await long(CMD.setMode, 1, loiter);
  t.equal(await long(CMD.changeSpeed, 0, 15), 'FAILED');
  t.equal(await int(CMD.reposition, { ...near, param2: 1 }), 'ACCEPTED', 'disarmed');
  t.equal(plane.mode, guided);
  t.equal(await long(CMD.returnToLaunch), 'ACCEPTED');
  t.equal(plane.mode, rtl);
});

t.test('it takes off by mode and by arming', async (t) => {
  const { plane, long } = await planeRig(t);
  t.equal(await long(CMD.setMode, 1, takeoff), 'ACCEPTED');
  t.equal(await long(CMD.armDisarm, 1), 'ACCEPTED');
  plane.tick(10);
  t.ok(plane.body.altM > 35 && plane.body.altM < 60, `${plane.body.altM} m after ten seconds`);
  t.equal(plane.landed, 2);
  t.equal(await long(CMD.armDisarm, 0), 'FAILED', 'no disarming in flight');
});

t.test('it goes to a point and circles there, never slower than it can fly', async (t) => {
  const { plane, int } = await flying(t);
  const to = moved(plane.body, 1_000, 500);
  t.equal(await int(CMD.reposition, { ...to, z: 80, param2: 1 }), 'ACCEPTED');
  plane.tick(90);
  for (let second = 0; second < 60; second++) {
    plane.tick(1);
    const away = plane.distanceTo(to.lat, to.lon);
    t.ok(away > 75 && away < 105, `${away} m`);
    t.ok(groundSpeed(plane.body) > 11.9);
  }
  t.ok(Math.abs(plane.body.altM - 80) < 3);
});

t.test('a hold is a circle, and RTL circles home at a hundred metres and never lands', async (t) => {
  const { plane, long } = await flying(t);
  t.equal(await long(CMD.loiterUnlimited), 'ACCEPTED');
  const { lat, lon } = plane.body;
  plane.tick(60);
  t.ok(plane.distanceTo(lat, lon) < 110);
  t.ok(groundSpeed(plane.body) > 11.9);
  t.equal(await long(CMD.returnToLaunch), 'ACCEPTED');
  plane.tick(300);
  t.ok(plane.armed);
  t.ok(Math.abs(plane.body.altM - 100) < 3);
  t.ok(plane.distanceTo(plane.home?.lat ?? 0, plane.home?.lon ?? 0) < 105);
});

t.test('speeds it cannot fly are refused', async (t) => {
  const { plane, long, int } = await flying(t);
  await int(CMD.reposition, { ...moved(plane.body, 1_000, 0), z: 80, param2: 1 });
  t.equal(await long(CMD.changeSpeed, 0, 15), 'ACCEPTED');
  t.equal(await long(CMD.changeSpeed, 1, 25), 'ACCEPTED');
  t.equal(await long(CMD.changeSpeed, 1, 100), 'FAILED');
  t.equal(await long(CMD.changeSpeed, 1, 0), 'FAILED');
  t.equal(await long(CMD.changeAltitude, 60, 3), 'ACCEPTED');
  t.equal(await int(CMD.guidedChangeSpeed, { param1: 0, param2: 18 }), 'ACCEPTED');
});

t.test('of a position target it takes the altitude only', async (t) => {
  const { station, plane, int } = await flying(t);
  const to = moved(plane.body, 500, 0);
  await int(CMD.reposition, { ...to, z: 80, param2: 1 });
  plane.tick(60);
  const away = moved(plane.body, -3_000, 0);
  await station.tell(plane, 'SET_POSITION_TARGET_GLOBAL_INT', {
    target_system: 1,
    coordinate_frame: 6,
    type_mask: 0xdf8,
    lat_int: Math.round(away.lat * 1e7),
    lon_int: Math.round(away.lon * 1e7),
    alt: 120,
  });
  plane.tick(60);
  t.ok(plane.distanceTo(to.lat, to.lon) < 105);
  t.ok(Math.abs(plane.body.altM - 120) < 3);
});
