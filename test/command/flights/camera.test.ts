import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { AirTarget } from '../../support/fleet/air_target.ts';
import { copterReady, copterUp } from '../../support/fleet/air_up.ts';
import { moved, offset } from '../../support/vehicles/flight.ts';
import { Camera, Gimbal } from '../../support/vehicles/gimbal.ts';
import type { Vehicle } from '../../support/vehicles/vehicle.ts';

onlyInFull(t);

/** Where the gimbal should be turned to for a place. */
function bearing({ body }: Vehicle, at: { lat: number; lon: number }): number {
  const { north, east } = offset(body, at);
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}

for (const manager of ['gimbal', 'autopilot'] as const) {
  t.test(`the gimbal looks at a place, where its manager is the ${manager}`, async (t) => {
    const { air, copter, id } = await copterReady(t);
    const gimbal = new Gimbal(copter, { manager });
    await air.takeoff(id, 20);
    await air.until(() => air.verb(id, 'look_at')?.available === true, 90);
    const at = moved(copter.body, 100, 100);
    const looked = await air.fly(id, 'look_at', { kind: 'point', ...at, height_takeoff_m: 0 });
    t.equal(looked.state, 'done', looked.reason ?? '');
    await air.pass(1);
    t.ok(Math.abs(gimbal.yawDeg - 45) < 1, `${gimbal.yawDeg}°`);
    t.ok(Math.abs(gimbal.pitchDeg + 8.05) < 1, `${gimbal.pitchDeg}°`);
    t.equal(gimbal.primary.sysid, 245);
  });
}

t.test('the gimbal follows a track', async (t) => {
  const { air, copter, id } = await copterReady(t);
  const gimbal = new Gimbal(copter);
  await air.takeoff(id, 20);
  const target = new AirTarget({
    ...{ at: moved(copter.body, 300, 0), altHaeM: 700 },
    turnAt: () => ({ rateDps: 3, speedMps: 12 }),
  });
  air.targets.push(target);
  await air.pass(2);
  const { command_id, task_id } = await air.command(id, 'look_at', { kind: 'track', track_id: target.id });
  await air.pass(3);
  let worst = 0;
  air.watches.push(() => {
    const off = Math.abs(((gimbal.yawDeg - bearing(copter, target.at) + 540) % 360) - 180);
    worst = Math.max(worst, off);
  });
  await air.pass(60);
  t.ok(worst < 6, `${worst}° off`);
  t.equal(air.task(task_id).phase, 'on_station');
  t.type(air.task(task_id).distance_m, 'number', 'its distance to the track');
  target.isHeard = false;
  t.match(await air.over(command_id), { state: 'failed', reason: /last received/ });
});

t.test('a gimbal that another station has in hand is not taken from it', async (t) => {
  const { air, copter, id } = await copterReady(t);
  const gimbal = new Gimbal(copter);
  await air.takeoff(id, 20);
  gimbal.takenBy({ sysid: 255, compid: 190 });
  await air.pass(3);
  const looked = await air
    .fly(id, 'look_at', { kind: 'point', ...moved(copter.body, 100, 0), height_takeoff_m: 0 })
    .catch((thrown: Error) => thrown);
  t.match('message' in looked ? looked.message : looked.reason, /255\) controls the gimbal/);
  t.equal(gimbal.primary.sysid, 255);
  t.equal(gimbal.roi, null);
});

t.test('the camera zooms, takes one picture and records', async (t) => {
  const { air, copter, id } = await copterReady(t);
  const camera = new Camera(copter);
  await air.until(() => air.verb(id, 'zoom')?.available === true, 30);
  t.equal((await air.fly(id, 'zoom', { kind: 'value', zoom: 40 })).state, 'done');
  t.equal(camera.zoom, 40);
  t.equal((await air.fly(id, 'take_image')).state, 'done');
  t.equal(camera.images, 1);
  t.equal((await air.fly(id, 'start_video')).state, 'done');
  t.ok(camera.isRecording);
  t.equal((await air.fly(id, 'stop_video')).state, 'done');
  t.notOk(camera.isRecording);
  t.equal(air.verb(id, 'set_mode'), undefined, 'it said nothing of modes');
});

t.test('a camera does its work while the vehicle goes somewhere', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const camera = new Camera(copter);
  await air.until(() => air.verb(id, 'take_image')?.available === true, 30);
  const to = moved(copter.body, 400, 0);
  const going = await air.command(id, 'goto', { kind: 'point', ...to, height_takeoff_m: 20 });
  t.equal((await air.fly(id, 'take_image')).state, 'done');
  t.equal(camera.images, 1);
  t.equal((await air.over(going.command_id)).state, 'done');
});

t.test('it looks on while its status is asked for and a picture is taken', async (t) => {
  const { air, copter, id } = await copterReady(t);
  new Gimbal(copter);
  await air.takeoff(id, 20);
  const target = new AirTarget({
    at: moved(copter.body, 300, 0),
    altHaeM: 700,
    turnAt: () => ({ rateDps: 0, speedMps: 0 }),
  });
  air.targets.push(target);
  await air.pass(2);
  const looking = await air.command(id, 'look_at', { kind: 'track', track_id: target.id });
  await air.pass(3);
  const first = await air.command(id, 'request_status');
  await air.pass(3);
  t.equal(air.task(looking.task_id).phase, 'on_station');
  t.not((await air.over(first.command_id)).state, 'superseded');
  await air.command(id, 'look_at', { kind: 'point', ...moved(copter.body, 100, 0), height_takeoff_m: 0 });
  t.match(await air.over(looking.command_id), { state: 'superseded' }, 'only one place at a time');
});
