import t from 'tap';
import { CMD } from '../../support/vehicles/command.ts';
import { groundSpeed, moved } from '../../support/vehicles/flight.ts';
import { type Fields, numberOf } from '../../support/vehicles/messages.ts';
import type { VehicleOptions } from '../../support/vehicles/options.ts';
import { PX4_MODE, Px4 } from '../../support/vehicles/px4.ts';
import { Station } from '../../support/vehicles/station.ts';
import { started, word } from './rig.ts';

type Test = { teardown(act: () => unknown): void };

async function px4Rig(t: Test, options: Partial<VehicleOptions> = {}) {
  const station = await Station.open(t);
  const px4 = new Px4({ groundStation: station.address, manual: true, ready: true, ...options });
  await started(t, px4, station);
  const long = async (id: number, ...p: number[]) => word(await station.long(px4, id, p as [number]));
  const int = async (id: number, fields: Fields) => word(await station.int(px4, id, fields));
  return { station, px4, long, int };
}

async function flying(t: Test, options: Partial<VehicleOptions> = {}) {
  const rig = await px4Rig(t, options);
  const none = Number.NaN;
  await rig.long(CMD.takeoff, 0, 0, 0, none, none, none, rig.px4.groundAmslM + 20);
  await rig.long(CMD.armDisarm, 1);
  await rig.px4.pass(25);
  return rig;
}

t.test('NAV_TAKEOFF chooses the mode and does not arm', async (t) => {
  const { px4, long } = await px4Rig(t);
  t.equal(await long(CMD.takeoff, 0, 0, 0, 0, 0, 0, px4.groundAmslM + 20), 'ACCEPTED');
  t.equal(px4.customMode, PX4_MODE.takeoff);
  t.notOk(px4.armed);
  await px4.pass(5);
  t.equal(px4.landed, 1);
  t.equal(await long(CMD.armDisarm, 1), 'ACCEPTED');
  await px4.pass(25);
  t.ok(Math.abs(px4.body.altM - 20) < 1);
  t.equal(px4.landed, 2);
  t.equal(px4.customMode, PX4_MODE.hold);
});

t.test('without a position modes and arming are rejected for now', async (t) => {
  const { px4, long, int } = await px4Rig(t, { ready: false });
  t.equal(await long(CMD.takeoff, 0, 0, 0, 0, 0, 0, 600), 'TEMPORARILY_REJECTED');
  t.equal(await long(CMD.returnToLaunch), 'TEMPORARILY_REJECTED');
  t.equal(await long(CMD.armDisarm, 1), 'TEMPORARILY_REJECTED');
  t.equal(await int(CMD.reposition, { ...moved(px4.body, 50, 0), z: 600, param2: 1 }), 'TEMPORARILY_REJECTED');
  t.equal(await long(CMD.setMode, 1, 99), 'TEMPORARILY_REJECTED');
  t.equal(await long(CMD.setMode, 1, 4, 4), 'TEMPORARILY_REJECTED', 'no mission');
});

t.test('a reposition needs the mode bit alone, uses the speed, and takes altitudes as above sea level', async (t) => {
  const { px4, long, int } = await flying(t);
  const to = moved(px4.body, 200, 0);
  const z = px4.groundAmslM + 30;
  t.equal(await int(CMD.reposition, { ...to, z, param2: 0 }), 'UNSUPPORTED');
  t.equal(await int(CMD.reposition, { ...to, z, param2: 3 }), 'UNSUPPORTED');
  t.equal(await int(CMD.reposition, { ...to, z, param2: 1, param1: 8, param4: Number.NaN, frame: 6 }), 'ACCEPTED');
  t.equal(px4.customMode, PX4_MODE.hold);
  await px4.pass(12);
  t.ok(Math.abs(groundSpeed(px4.body) - 8) < 0.5);
  await px4.pass(40);
  t.ok(px4.distanceTo(to.lat, to.lon) < 2);
  t.ok(Math.abs(px4.body.altM - 30) < 1, 'whatever the frame said');
  t.equal(await long(CMD.reposition, -1, 1, 0, Number.NaN, to.lat, to.lon, z), 'ACCEPTED', 'as COMMAND_LONG too');
});

t.test('an orbit is flown at its radius and told', async (t) => {
  const { station, px4, int } = await flying(t);
  const centre = moved(px4.body, 60, 0);
  const z = px4.groundAmslM + 25;
  t.equal(await int(CMD.orbit, { ...centre, z, param1: 40, param2: 5 }), 'ACCEPTED');
  await px4.pass(40);
  for (let second = 0; second < 40; second++) {
    await px4.pass(1);
    const away = px4.distanceTo(centre.lat, centre.lon);
    t.ok(Math.abs(away - 40) < 4, `${away} m`);
  }
  const told = await station.hear('ORBIT_EXECUTION_STATUS');
  t.equal(numberOf(told?.fields ?? {}, 'radius'), 40);
  t.equal(px4.customMode, PX4_MODE.orbit);
});

t.test('it returns and lands by command, by mode and by standard mode', async (t) => {
  const { px4, long } = await flying(t);
  t.equal(await long(CMD.setMode, 1, 4, 5), 'ACCEPTED');
  t.equal(px4.customMode, PX4_MODE.rtl);
  t.equal(await long(CMD.setStandardMode, 7), 'ACCEPTED');
  t.equal(px4.customMode, PX4_MODE.land);
  t.equal(await long(CMD.armDisarm, 0), 'DENIED', 'in the air');
  await px4.pass(60);
  t.notOk(px4.armed);
  t.equal(px4.landed, 1);
});

t.test('it streams without being asked and names standard modes', async (t) => {
  const { station, px4 } = await px4Rig(t);
  await px4.pass(5);
  await station.settle();
  for (const name of ['GLOBAL_POSITION_INT', 'SYS_STATUS', 'EXTENDED_SYS_STATE']) t.ok(station.named(name).length >= 4);
  await station.long(px4, CMD.requestMessage, [435, 0]);
  await station.settle();
  const standard = station.named('AVAILABLE_MODES').map(({ fields }) => fields.standard_mode);
  for (const mode of [1, 2, 5, 6, 7, 8]) t.ok(standard.includes(mode), `standard mode ${mode}`);
});

t.test('a battery that runs low brings it home, then down', async (t) => {
  const { px4 } = await flying(t);
  px4.battery.percent = 6;
  await px4.pass(1);
  t.equal(px4.customMode, PX4_MODE.rtl);
  px4.battery.percent = 2;
  await px4.pass(1);
  t.equal(px4.customMode, PX4_MODE.land);
  t.ok(px4.statusTexts.some((text) => text.includes('battery')));
});
