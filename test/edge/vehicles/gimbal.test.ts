import t from 'tap';
import { CMD } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';
import { Camera, Gimbal } from '../../support/vehicles/gimbal.ts';
import { copterRig, word } from './rig.ts';

type Test = { teardown(act: () => unknown): void };
const GIMBAL = { target_component: 154 };
const CAMERA = { target_component: 100 };

async function gimbalRig(t: Test) {
  const { station, copter } = await copterRig(t);
  const gimbal = new Gimbal(copter);
  const camera = new Camera(copter);
  return { station, copter, gimbal, camera };
}

t.test('a gimbal and a camera beat and introduce themselves', async (t) => {
  const { station, copter } = await gimbalRig(t);
  copter.tick(3);
  await station.settle();
  t.same(
    new Set(station.named('HEARTBEAT').map(({ compid, fields }) => `${compid} ${fields.type}`)),
    new Set(['1 2', '154 26', '100 30']),
  );
  t.equal(word(await station.long(copter, CMD.requestMessage, [280], GIMBAL)), 'ACCEPTED');
  t.match((await station.hear('GIMBAL_MANAGER_INFORMATION'))?.fields, { gimbal_device_id: 154 });
  t.equal(word(await station.long(copter, CMD.requestMessage, [259], CAMERA)), 'ACCEPTED');
  t.equal((await station.hear('CAMERA_INFORMATION'))?.compid, 100);
});

t.test('a gimbal obeys who has taken it, and tells who that is', async (t) => {
  const { station, copter, gimbal } = await gimbalRig(t);
  t.equal(word(await station.long(copter, CMD.gimbalPitchYaw, [-30, 90], GIMBAL)), 'DENIED');
  t.equal(word(await station.long(copter, CMD.gimbalConfigure, [station.sysid, station.compid], GIMBAL)), 'ACCEPTED');
  t.equal(word(await station.long(copter, CMD.gimbalPitchYaw, [-30, 90], GIMBAL)), 'ACCEPTED');
  t.same([gimbal.pitchDeg, gimbal.yawDeg], [-30, 90]);
  copter.tick(1);
  await station.settle();
  const status = station.named('GIMBAL_MANAGER_STATUS');
  t.ok(status.length >= 4 && status.length <= 6);
  t.match(status.at(-1)?.fields, { primary_control_sysid: station.sysid, primary_control_compid: station.compid });
  gimbal.takenBy({ sysid: 255, compid: 190 });
  t.equal(word(await station.long(copter, CMD.gimbalPitchYaw, [0, 0], GIMBAL)), 'DENIED');
});

t.test('a gimbal looks at a place and keeps looking', async (t) => {
  const { station, copter, gimbal } = await gimbalRig(t);
  await station.long(copter, CMD.gimbalConfigure, [-2], GIMBAL);
  const place = moved(copter.body, 0, 100);
  t.equal(word(await station.int(copter, CMD.roiLocation, { ...place, z: 100, ...GIMBAL })), 'ACCEPTED');
  copter.tick(0.1);
  t.ok(Math.abs(gimbal.yawDeg - 90) < 0.5 && Math.abs(gimbal.pitchDeg - 45) < 0.5);
});

t.test('a camera zooms, takes images and records once at a time', async (t) => {
  const { station, copter, camera } = await gimbalRig(t);
  t.equal(word(await station.long(copter, CMD.setZoom, [2, 50], CAMERA)), 'ACCEPTED');
  t.equal(camera.zoom, 50);
  t.equal(word(await station.long(copter, CMD.imageStart, [0, 0, 1], CAMERA)), 'ACCEPTED');
  t.ok(await station.hear('CAMERA_IMAGE_CAPTURED'));
  t.equal(word(await station.long(copter, CMD.videoStart, [], CAMERA)), 'ACCEPTED');
  t.equal(word(await station.long(copter, CMD.videoStart, [], CAMERA)), 'TEMPORARILY_REJECTED');
  t.equal(word(await station.long(copter, CMD.videoStop, [], CAMERA)), 'ACCEPTED');
  t.notOk(camera.isRecording);
});

t.test('where the autopilot manages the gimbal it answers for it, and for all else as before', async (t) => {
  const { station, copter } = await copterRig(t);
  const gimbal = new Gimbal(copter, { manager: 'autopilot' });
  t.equal(word(await station.long(copter, CMD.requestMessage, [280])), 'ACCEPTED');
  const heard = await station.hear('GIMBAL_MANAGER_INFORMATION');
  t.same([heard?.compid, heard?.fields.gimbal_device_id], [1, 154]);
  t.equal(word(await station.long(copter, CMD.gimbalConfigure, [station.sysid, station.compid])), 'ACCEPTED');
  t.equal(word(await station.long(copter, CMD.gimbalPitchYaw, [-20, 10])), 'ACCEPTED');
  t.equal(gimbal.pitchDeg, -20);
  t.equal(word(await station.long(copter, CMD.requestMessage, [148])), 'ACCEPTED');
  t.equal(word(await station.long(copter, CMD.orbit)), 'UNSUPPORTED');
  t.equal(station.named('COMMAND_ACK').length, 5, 'one for each');
});
