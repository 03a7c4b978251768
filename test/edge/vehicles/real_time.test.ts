import t from 'tap';
import { waitFor } from '../../support/basics/wait.ts';
import { ArduCopter, COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { Fleet } from '../../support/vehicles/fleet.ts';
import { numberOf } from '../../support/vehicles/messages.ts';
import { Station } from '../../support/vehicles/station.ts';

t.test('on the real clock a vehicle flies by itself, faster where it is told to', async (t) => {
  const station = await Station.open(t);
  const copter = new ArduCopter({ groundStation: station.address, ready: true, speed: 10 });
  await copter.start();
  t.teardown(() => copter.stop());
  await station.hear('HEARTBEAT', undefined, 10_000);
  await station.long(copter, CMD.setMode, [1, COPTER_MODE.guided]);
  await station.long(copter, CMD.armDisarm, [1]);
  t.equal(await station.long(copter, CMD.takeoff, [0, 0, 0, 0, 0, 0, 10]), 0);
  await waitFor(() => copter.landed === 2 && copter.body.altM > 9.5, 30_000);
  await station.long(copter, CMD.land);
  await waitFor(() => !copter.armed, 30_000);
  t.equal(copter.landed, 1);
  t.ok(copter.recorder.highestM() > 9);
});

t.test('after a reboot it is there again by itself, on another port', async (t) => {
  const station = await Station.open(t);
  const copter = new ArduCopter({ groundStation: station.address, ready: true, rebootS: 0.1 });
  await copter.start();
  t.teardown(() => copter.stop());
  await station.hear('HEARTBEAT', undefined, 10_000);
  const before = copter.link.port;
  t.equal(await station.long(copter, CMD.rebootShutdown, [1]), 0);
  station.forget();
  const beat = await station.hear('HEARTBEAT', undefined, 30_000);
  t.equal(beat?.fields.custom_mode, COPTER_MODE.stabilize);
  t.not(copter.link.port, before);
  t.equal(copter.boots, 2);
});

t.test('a fleet on one port sends what it says, in order, each vehicle at its own place', async (t) => {
  const station = await Station.open(t);
  const fleet = new Fleet({ groundStation: station.address, vehicles: 100, hz: 10 });
  await fleet.start();
  t.teardown(() => fleet.stop());
  await waitFor(() => station.named('GLOBAL_POSITION_INT').length >= 2_000, 60_000);
  t.equal(new Set(station.heard.map(({ port }) => port)).size, 1);
  t.equal(new Set(station.heard.map(({ sysid }) => sysid)).size, 100);
  const own = station.heard.filter(({ sysid }) => sysid === 7);
  t.ok(own.every(({ seq }, at) => at === 0 || seq === ((own[at - 1]?.seq ?? 0) + 1) % 256));
  const times = own
    .filter(({ name }) => name === 'GLOBAL_POSITION_INT')
    .map(({ fields }) => numberOf(fields, 'time_boot_ms'));
  t.ok(times.every((time, at) => at === 0 || time - (times[at - 1] ?? 0) === 100));
});
