import t from 'tap';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';
import { copterRig, takenOff, word } from './rig.ts';

const { guided, loiter, brake, posHold, rtl, land, auto, stabilize } = COPTER_MODE;

t.test('on the ground and disarmed an ArduCopter answers as the real one does', async (t) => {
  const { station, copter } = await copterRig(t);
  const long = async (id: number, ...p: number[]) => word(await station.long(copter, id, p as [number]));
  t.equal(await long(CMD.requestMessage, 148), 'ACCEPTED');
  t.equal(await long(CMD.requestMessage, 242), 'ACCEPTED');
  t.equal(await long(CMD.requestMessage, 60_000), 'FAILED');
  t.equal(await long(CMD.requestCapabilities, 1), 'ACCEPTED');
  t.equal(await long(CMD.getHome), 'ACCEPTED');
  t.equal(await long(CMD.requestProtocolVersion, 1), 'UNSUPPORTED');
  t.equal(await long(CMD.takeoff, 0, 0, 0, 0, 0, 0, 10), 'FAILED');
  for (const mode of [guided, loiter, brake, posHold, rtl, land, auto, stabilize]) {
    t.equal(await long(CMD.setMode, 1, mode), 'ACCEPTED', `mode ${mode}`);
    t.equal(copter.mode, mode);
  }
  t.equal(await long(CMD.setMode, 1, 99), 'FAILED');
  t.ok(copter.statusTexts.includes('No such mode 99'));
  t.equal(await long(CMD.setMode, 0, guided), 'DENIED');
  t.equal(await long(CMD.changeSpeed, 1, 5), 'FAILED');
  t.equal(await long(CMD.pauseContinue, 0), 'FAILED');
  t.equal(await long(CMD.conditionYaw, 90), 'ACCEPTED');
  const absent = [CMD.orbit, CMD.changeAltitude, CMD.guidedChangeSpeed, CMD.waypoint, 252, 31_000];
  for (const id of absent) t.equal(await long(id), 'UNSUPPORTED', `command ${id}`);
  for (const [id, mode] of [
    [CMD.returnToLaunch, rtl],
    [CMD.land, land],
    [CMD.loiterUnlimited, loiter],
  ] as const) {
    t.equal(await long(id), 'ACCEPTED');
    t.equal(copter.mode, mode, 'the mode changes though it is disarmed');
  }
  await station.long(copter, CMD.setMode, [1, guided]);
  t.equal(await long(CMD.changeSpeed, 1, 5), 'ACCEPTED');
  for (const speed of [0, -1, -2]) t.equal(await long(CMD.changeSpeed, 1, speed), 'DENIED');
});

t.test('a reposition is refused or accepted by its kind, its mode bit, its frame and its place', async (t) => {
  const { station, copter } = await copterRig(t);
  const near = moved(copter.body, 100, 0);
  const asked = async (fields: object) =>
    word(await station.int(copter, CMD.reposition, { ...near, z: 20, ...fields }));
  t.equal(word(await station.long(copter, CMD.reposition, [-1, 1, 0, 0, near.lat, near.lon, 20])), 'UNSUPPORTED');
  t.equal(await asked({ param2: 0 }), 'DENIED', 'not GUIDED');
  t.equal(await asked({ param2: 1 }), 'ACCEPTED', 'disarmed');
  t.equal(copter.mode, guided);
  copter.tick(20);
  t.equal(copter.distanceTo(copter.home?.lat ?? 0, copter.home?.lon ?? 0), 0, 'nothing moved');
  for (const frame of [0, 3, 5, 6, 11]) t.equal(await asked({ frame }), 'ACCEPTED', `frame ${frame}`);
  t.equal(await asked({ frame: 1 }), 'DENIED');
  t.equal(await asked({ lat: 0, lon: 0 }), 'DENIED');
  t.equal(await asked({ lat: 91 }), 'DENIED');
  t.equal(await asked({ x: 0x7fffffff, y: 0x7fffffff }), 'DENIED');
  t.equal(await asked({ z: Number.NaN }), 'DENIED');
  t.equal(await asked({ ...moved(copter.body, 300_000, 0) }), 'ACCEPTED', 'three hundred kilometres away');
  t.equal(await asked({ param1: Number.NaN, param3: Number.NaN, param4: Number.NaN }), 'ACCEPTED');
  t.equal(copter.killedByNaN, null);
});

t.test('in flight an ArduCopter answers as the real one does', async (t) => {
  const { station, copter } = await copterRig(t);
  const long = async (id: number, ...p: number[]) => word(await station.long(copter, id, p as [number]));
  const goto = async (param2: number) =>
    word(await station.int(copter, CMD.reposition, { ...moved(copter.body, 200, 0), z: 15, param2 }));
  await takenOff(station, copter);
  t.equal(await long(CMD.reposition, -1, 1), 'UNSUPPORTED');
  t.equal(await long(CMD.takeoff, 0, 0, 0, 0, 0, 0, 20), 'FAILED', 'flying already');
  t.equal(await long(CMD.armDisarm, 0), 'FAILED', 'no disarming in flight');
  t.equal(await long(CMD.armDisarm, 1), 'ACCEPTED', 'armed already');
  t.equal(await goto(0), 'ACCEPTED');
  t.equal(await long(CMD.changeSpeed, 1, 6), 'ACCEPTED');
  t.equal(await long(CMD.pauseContinue, 0), 'ACCEPTED');
  t.equal(await long(CMD.pauseContinue, 1), 'ACCEPTED');
  for (const mode of [brake, loiter, land]) {
    await station.long(copter, CMD.setMode, [1, mode]);
    t.equal(await long(CMD.changeSpeed, 1, 6), 'FAILED', `no speed in mode ${mode}`);
    t.equal(await goto(0), 'DENIED', `mode ${mode}`);
    t.equal(await goto(1), 'ACCEPTED');
    t.equal(copter.mode, guided);
  }
  await station.long(copter, CMD.returnToLaunch);
  t.equal(await long(CMD.changeSpeed, 1, 6), 'ACCEPTED', 'in RTL');
  t.equal(await goto(1), 'ACCEPTED');
});

t.test('a takeoff needs arming, GUIDED and the right frame', async (t) => {
  const { station, copter } = await copterRig(t);
  await station.long(copter, CMD.armDisarm, [1]);
  t.equal(word(await station.long(copter, CMD.takeoff, [0, 0, 0, 0, 0, 0, 10])), 'FAILED', 'armed in STABILIZE');
  await station.long(copter, CMD.setMode, [1, guided]);
  t.equal(word(await station.int(copter, CMD.takeoff, { frame: 6, z: 10 })), 'DENIED');
  t.equal(word(await station.int(copter, CMD.takeoff, { frame: 3, z: 10 })), 'ACCEPTED');
});

t.test('arming depends on the mode, on the position and on the stick', async (t) => {
  const { station, copter } = await copterRig(t, { ready: false });
  const arm = async () => word(await station.long(copter, CMD.armDisarm, [1]));
  t.equal(await arm(), 'FAILED', 'not ready');
  copter.tick(0.23);
  await station.long(copter, CMD.setMode, [1, guided]);
  t.equal(await arm(), 'FAILED');
  t.equal(copter.statusTexts.at(-1), 'Arm: Need Position Estimate');
  t.equal(
    word(await station.int(copter, CMD.reposition, { ...moved(copter.body, 50, 0), z: 10, param2: 1 })),
    'FAILED',
  );
  copter.tick(0.2);
  for (const mode of [brake, rtl, land]) {
    await station.long(copter, CMD.setMode, [1, mode]);
    t.equal(await arm(), 'FAILED', `mode ${mode}`);
    t.match(copter.statusTexts.at(-1), /mode not armable/);
  }
  await station.long(copter, CMD.setMode, [1, guided]);
  copter.throttleStick = 'mid';
  t.equal(await arm(), 'FAILED');
  t.equal(copter.statusTexts.at(-1), 'Arm: Throttle (RC3) is not neutral');
  copter.throttleStick = 'low';
  t.equal(await arm(), 'ACCEPTED');
  t.equal(await arm(), 'ACCEPTED', 'again while armed');
});
