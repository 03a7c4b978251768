import t from 'tap';
import { type ArduCopter, COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { distance, groundSpeed, moved } from '../../support/vehicles/flight.ts';
import type { Station } from '../../support/vehicles/station.ts';
import { copterRig, takenOff } from './rig.ts';

const { guided, loiter, brake, rtl } = COPTER_MODE;

/** Lets the vehicle's time pass until something holds; the seconds it took. */
function secondsUntil(copter: ArduCopter, holds: () => boolean, withinS = 200): number {
  const begun = copter.tS;
  while (!holds()) {
    copter.tick(0.1);
    if (copter.tS - begun > withinS) throw new Error(`not within ${withinS} s: ${holds}`);
  }
  return copter.tS - begun;
}

/** Under way at ten metres a second, far from where it goes. */
async function underWay(station: Station, copter: ArduCopter): Promise<void> {
  await takenOff(station, copter);
  await station.int(copter, CMD.reposition, { ...moved(copter.body, 2_000, 0), z: 15 });
  copter.tick(15);
}

t.test('a takeoff passes through the landed states and is over in the measured time', async (t) => {
  const { station, copter } = await copterRig(t);
  await station.long(copter, CMD.setMode, [1, guided]);
  await station.long(copter, CMD.armDisarm, [1]);
  await station.long(copter, CMD.takeoff, [0, 0, 0, 0, 0, 0, 19]);
  t.equal(copter.landed, 1);
  const tookS = secondsUntil(copter, () => copter.landed === 3);
  t.ok(tookS > 2.5 && tookS < 3.7, `taking off after ${tookS} s`);
  const upS = tookS + secondsUntil(copter, () => copter.body.altM > 18);
  t.ok(upS > 9 && upS < 14, `at 18 m after ${upS} s`);
  secondsUntil(copter, () => copter.landed === 2);
  copter.tick(20);
  t.ok(Math.abs(copter.body.altM - 19) < 0.5);
});

t.test('armed and left alone it disarms after ten seconds', async (t) => {
  const { station, copter } = await copterRig(t);
  await station.long(copter, CMD.setMode, [1, guided]);
  await station.long(copter, CMD.armDisarm, [1]);
  copter.tick(9.5);
  t.ok(copter.armed);
  copter.tick(1);
  t.notOk(copter.armed);
});

t.test('RTL on the ground is accepted and disarms it', async (t) => {
  const { station, copter } = await copterRig(t);
  await station.long(copter, CMD.setMode, [1, guided]);
  await station.long(copter, CMD.armDisarm, [1]);
  copter.tick(2);
  t.equal(await station.long(copter, CMD.returnToLaunch), 0);
  const tookS = secondsUntil(copter, () => !copter.armed);
  t.ok(tookS > 4 && tookS < 5, `${tookS} s`);
});

t.test('BRAKE stops within the measured distance and keeps the height', async (t) => {
  const { station, copter } = await copterRig(t);
  await underWay(station, copter);
  t.ok(Math.abs(groundSpeed(copter.body) - 10) < 0.5);
  const at = { ...copter.body };
  await station.long(copter, CMD.setMode, [1, brake]);
  copter.tick(30);
  const went = distance(at, copter.body);
  t.ok(went > 7 && went < 9.5, `${went} m`);
  t.ok(Math.abs(copter.body.altM - 15) < 0.5);
});

t.test('a loiter with the stick low sinks to the ground, with the stick at mid or without it holds', async (t) => {
  const { station, copter } = await copterRig(t);
  await underWay(station, copter);
  copter.throttleStick = 'mid';
  await station.long(copter, CMD.loiterUnlimited);
  t.equal(copter.mode, loiter);
  const at = { ...copter.body };
  copter.tick(20);
  const went = distance(at, copter.body);
  t.ok(went > 15 && went < 27, `${went} m`);
  t.ok(Math.abs(copter.body.altM - 15) < 0.5, 'holds');
  copter.throttleStick = 'none';
  copter.tick(10);
  t.ok(Math.abs(copter.body.altM - 15) < 0.5, 'holds');
  copter.throttleStick = 'low';
  copter.tick(3);
  t.ok(Math.abs(copter.body.up + 2.5) < 0.1, 'sinks');
  secondsUntil(copter, () => copter.landed === 1, 10);
  t.equal(copter.mode, loiter);
});

t.test('a goto arrives within two metres at the speed in force, whatever speed it names', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  const to = moved(copter.body, 300, 200);
  await station.int(copter, CMD.reposition, { ...to, z: 40, param1: 2 });
  copter.tick(20);
  t.ok(Math.abs(groundSpeed(copter.body) - 10) < 1, 'the speed it named is ignored');
  await station.long(copter, CMD.changeSpeed, [1, 5]);
  copter.tick(5);
  t.ok(Math.abs(groundSpeed(copter.body) - 5) < 0.5);
  copter.tick(80);
  t.ok(copter.distanceTo(to.lat, to.lon) < 2);
  t.ok(Math.abs(copter.body.altM - 40) < 1);
});

t.test('a speed asked for before the first place, or before another mode, is forgotten', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  await station.long(copter, CMD.changeSpeed, [1, 4]);
  await station.int(copter, CMD.reposition, { ...moved(copter.body, 1_000, 0), z: 15 });
  copter.tick(15);
  t.ok(Math.abs(groundSpeed(copter.body) - 10) < 0.5);
  await station.long(copter, CMD.changeSpeed, [1, 4]);
  await station.int(copter, CMD.reposition, { ...moved(copter.body, 1_000, 100), z: 15 });
  copter.tick(15);
  t.ok(Math.abs(groundSpeed(copter.body) - 4) < 0.5, 'kept over further places');
  await station.long(copter, CMD.setMode, [1, brake]);
  await station.int(copter, CMD.reposition, { ...moved(copter.body, 1_000, 0), z: 15, param2: 1 });
  copter.tick(15);
  t.ok(Math.abs(groundSpeed(copter.body) - 10) < 0.5);
});

t.test('a goto to where it is overshoots and comes back', async (t) => {
  const { station, copter } = await copterRig(t, { cruiseMps: 8 });
  await underWay(station, copter);
  const { lat, lon } = copter.body;
  await station.int(copter, CMD.reposition, { lat, lon, z: 15 });
  let most = 0;
  for (let tenth = 0; tenth < 300; tenth++) {
    copter.tick(0.1);
    most = Math.max(most, copter.distanceTo(lat, lon));
  }
  t.ok(most > 14 && most < 24, `${most} m`);
  t.ok(copter.distanceTo(lat, lon) < 2);
});

t.test('RTL comes home, lands and disarms in the measured time', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  await station.int(copter, CMD.reposition, { ...moved(copter.body, 30, 0), z: 15 });
  copter.tick(15);
  await station.long(copter, CMD.returnToLaunch);
  secondsUntil(copter, () => copter.landed === 4);
  const tookS = secondsUntil(copter, () => !copter.armed);
  t.ok(tookS < 45, `${tookS} s from the descent`);
  t.equal(copter.mode, rtl);
  t.equal(copter.landed, 1);
  t.ok(copter.distanceTo(copter.home?.lat ?? 0, copter.home?.lon ?? 0) < 2);
});

t.test('a position target is obeyed in GUIDED, ignored in BRAKE, and never acknowledged', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  const to = moved(copter.body, 50, 0);
  const target = {
    target_system: 1,
    coordinate_frame: 6,
    type_mask: 0xdf8,
    lat_int: Math.round(to.lat * 1e7),
    lon_int: Math.round(to.lon * 1e7),
    alt: 25,
  };
  station.forget();
  await station.long(copter, CMD.setMode, [1, brake]);
  await station.tell(copter, 'SET_POSITION_TARGET_GLOBAL_INT', target);
  copter.tick(20);
  t.ok(copter.distanceTo(to.lat, to.lon) > 48);
  await station.long(copter, CMD.setMode, [1, guided]);
  station.forget();
  await station.tell(copter, 'SET_POSITION_TARGET_GLOBAL_INT', target);
  copter.tick(1);
  await station.long(copter, CMD.requestMessage, [87]);
  const echoed = await station.hear('POSITION_TARGET_GLOBAL_INT');
  t.match(echoed?.fields, { coordinate_frame: 0, type_mask: 65_016, alt: 609 });
  copter.tick(25);
  t.ok(copter.distanceTo(to.lat, to.lon) < 2);
  t.equal(station.named('COMMAND_ACK').length, 1, 'that of the request');
});

t.test('a place with a velocity is flown alongside, and stops when nobody says it again', async (t) => {
  const { station, copter } = await copterRig(t, { maxSpeedMps: 25, cruiseMps: 22 });
  await takenOff(station, copter);
  const begin = { lat: copter.body.lat, lon: copter.body.lon };
  let at = begin;
  for (let second = 0; second < 30; second++) {
    at = moved(begin, 15 * second, 0);
    await station.tell(copter, 'SET_POSITION_TARGET_GLOBAL_INT', {
      target_system: 1,
      coordinate_frame: 6,
      type_mask: 0xdc0,
      lat_int: Math.round(at.lat * 1e7),
      lon_int: Math.round(at.lon * 1e7),
      alt: 15,
      vx: 15,
    });
    copter.tick(1);
  }
  t.ok(copter.distanceTo(at.lat, at.lon) < 17, 'with it, a second on');
  t.ok(Math.abs(copter.body.north - 15) < 1);
  copter.tick(12);
  t.ok(groundSpeed(copter.body) < 0.1);
});

t.test('pausing stops it in some seconds and going on brings it there', async (t) => {
  const { station, copter } = await copterRig(t);
  await underWay(station, copter);
  await station.long(copter, CMD.pauseContinue, [0]);
  const tookS = secondsUntil(copter, () => groundSpeed(copter.body) < 0.2);
  t.ok(tookS > 3.5 && tookS < 5.5, `${tookS} s`);
  await station.long(copter, CMD.pauseContinue, [1]);
  copter.tick(10);
  t.ok(groundSpeed(copter.body) > 9);
});

t.test('stopping the motors in flight is a crash that the vehicle records', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  t.equal(await station.long(copter, CMD.flightTermination, [1]), 0);
  copter.tick(5);
  t.ok(copter.crashed);
  t.equal(copter.body.altM, 0);
});
