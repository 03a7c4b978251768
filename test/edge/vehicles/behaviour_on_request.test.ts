import t from 'tap';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD, RESULT } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';
import { numberOf } from '../../support/vehicles/messages.ts';
import { copterRig, takenOff } from './rig.ts';

t.test('a test can have other answers than its own: progress, silence, a late yes', async (t) => {
  const { station, copter } = await copterRig(t);
  copter.scripted.set(CMD.returnToLaunch, [
    { result: RESULT.inProgress, progress: 40 },
    { result: RESULT.accepted, afterS: 2 },
  ]);
  copter.scripted.set(CMD.land, []);
  t.equal(await station.long(copter, CMD.returnToLaunch), 5);
  t.equal(copter.mode, COPTER_MODE.stabilize);
  copter.tick(3);
  await station.settle();
  t.same(
    station.named('COMMAND_ACK').map(({ fields }) => [fields.result, fields.progress]),
    [
      [5, 40],
      [0, 0],
    ],
  );
  t.equal(copter.mode, COPTER_MODE.rtl);
  t.equal(await station.long(copter, CMD.land), null);
});

t.test('acknowledgements come as late as asked, what was commanded is done at once', async (t) => {
  const { station, copter } = await copterRig(t, { ackDelayMs: 400 });
  t.equal(await station.long(copter, CMD.returnToLaunch), null);
  t.equal(copter.mode, COPTER_MODE.rtl);
  copter.tick(0.5);
  t.equal((await station.hear('COMMAND_ACK'))?.fields.result, 0);
});

t.test('a battery empties while the motors run, and says so', async (t) => {
  const { station, copter } = await copterRig(t, { battery: { percent: 80, drainPctPerMin: 30 } });
  copter.tick(60);
  t.equal(copter.battery.percent, 80);
  await takenOff(station, copter);
  copter.tick(30);
  t.ok(copter.battery.percent > 49 && copter.battery.percent < 51);
  await station.long(copter, CMD.requestMessage, [1]);
  t.equal(numberOf((await station.hear('SYS_STATUS'))?.fields ?? {}, 'battery_remaining'), 50);
});

t.test('what it was told and where it flew is on record', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  const begin = { lat: copter.body.lat, lon: copter.body.lon };
  await station.int(copter, CMD.reposition, { ...moved(begin, 100, 0), z: 15 });
  copter.tick(30);
  const { recorder } = copter;
  t.equal(recorder.commands(CMD.reposition).length, 1);
  t.match(recorder.commands(CMD.reposition)[0], { name: 'COMMAND_INT', sysid: station.sysid, compid: station.compid });
  t.ok(recorder.closestTo([moved(begin, 50, 30)]) > 29);
  t.ok(recorder.closestTo([moved(begin, 50, 0)]) < 3);
  t.ok(recorder.flown.every(({ tS }, at) => at === 0 || tS > (recorder.flown[at - 1]?.tS ?? 0)));
});

t.test('with its link down it hears and says nothing, and flies on', async (t) => {
  const { station, copter } = await copterRig(t);
  await takenOff(station, copter);
  await station.int(copter, CMD.reposition, { ...moved(copter.body, 500, 0), z: 15 });
  copter.link.down = true;
  station.forget();
  t.equal(await station.long(copter, CMD.returnToLaunch), null);
  copter.tick(10);
  await station.settle();
  t.equal(station.heard.length, 0);
  t.equal(copter.mode, COPTER_MODE.guided);
  copter.link.down = false;
  t.equal(await station.long(copter, CMD.returnToLaunch), 0);
});
