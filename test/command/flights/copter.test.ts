import t from 'tap';
import { copterReady, copterUp, place } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { distance, groundSpeed, moved } from '../../support/vehicles/flight.ts';

t.test('it climbs to the height that it was told, and no higher', async (t) => {
  const { air, copter } = await copterUp(t, 25);
  await air.pass(10);
  t.ok(Math.abs(copter.body.altM - 25) < 1, `${copter.body.altM} m`);
  t.ok(copter.recorder.highestM() < 26.5);
});

t.test('it flies to a place and stands within two metres of it', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const to = moved(copter.body, 40, 30);
  const went = await air.fly(id, 'goto', place(to, 30));
  t.equal(went.state, 'done', went.reason ?? '');
  t.ok(copter.distanceTo(to.lat, to.lon) <= 2);
  t.ok(groundSpeed(copter.body) < 1.2);
  await air.pass(10);
  t.ok(copter.distanceTo(to.lat, to.lon) <= 2);
  t.ok(Math.abs(copter.body.altM - 30) <= 2);
});

for (const [what, faults] of [
  ['two seconds late', { delayMs: 2_000 }],
  ['with every third datagram lost', { loss: 0.3, seed: 5 }],
  ['two seconds late with every third lost and some twice', { delayMs: 2_000, loss: 0.3, duplicate: 0.1, seed: 9 }],
] as const) {
  t.test(`it gets 300 m away and stands there on a link that is ${what}`, async (t) => {
    const { air, copter, id } = await copterUp(t);
    Object.assign(copter.link.faults, faults);
    await air.pass(5);
    const to = moved(copter.body, 300, 0);
    const went = await air.fly(id, 'goto', place(to), 180);
    t.equal(went.state, 'done', went.reason ?? '');
    await air.pass(5);
    t.ok(copter.distanceTo(to.lat, to.lon) <= 2, `${copter.distanceTo(to.lat, to.lon)} m`);
  });
}

t.test('it takes off on a link that is late and loses, and is armed once', async (t) => {
  let went = 0;
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const faults = { delayMs: 1_000, loss: 0.1, seed };
    const { air, copter, id } = await copterReady(t, { faults });
    await air.until(() => air.verb(id, 'takeoff')?.available === true, 60);
    const flown = await air.fly(id, 'takeoff', { kind: 'value', height_m: 20 });
    const sent = air.rig.told.commands.filter(({ command_id }) => command_id === flown.command_id);
    t.ok(sent.every(({ attempts }) => attempts < 5));
    t.ok(copter.recorder.commands(CMD.armDisarm).length <= 1, 'armed once at most');
    t.ok(copter.recorder.commands(CMD.takeoff).length <= 1, 'lifted off once at most');
    if (flown.state === 'done') went++;
    else t.ok(flown.reason, `${flown.state}: ${flown.reason}`);
  }
  t.ok(went >= 3, `${went} of 6 went`);
});

t.test('its speed is kept to within a tenth, over the first place and the next', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const far = await air.command(id, 'goto', place(moved(copter.body, 900, 0), 20, { speed_mps: 5 }));
  await air.pass(15);
  t.ok(Math.abs(groundSpeed(copter.body) - 5) < 0.5, `${groundSpeed(copter.body)} m/s`);
  t.equal((await air.fly(id, 'set_speed', { kind: 'value', speed_mps: 8 })).state, 'done');
  await air.pass(10);
  t.ok(Math.abs(groundSpeed(copter.body) - 8) < 0.8, `${groundSpeed(copter.body)} m/s after set_speed`);
  t.notOk(['done', 'failed', 'superseded'].includes(air.task(far.task_id).state), 'the way goes on');
  await air.command(id, 'goto', place(moved(copter.body, 900, 300), 20, { speed_mps: 12 }));
  await air.pass(20);
  t.ok(Math.abs(groundSpeed(copter.body) - 12) < 1.2, `${groundSpeed(copter.body)} m/s`);
});

t.test('a speed that is set before it is sent anywhere is the one it flies', async (t) => {
  const { air, copter, id } = await copterUp(t);
  t.equal((await air.fly(id, 'set_speed', { kind: 'value', speed_mps: 4 })).state, 'done');
  await air.command(id, 'goto', place(moved(copter.body, 400, 0)));
  await air.pass(20);
  t.ok(Math.abs(groundSpeed(copter.body) - 4) < 0.4, `${groundSpeed(copter.body)} m/s`);
});

t.test('a speed that is set while it goes somewhere stays after it held', async (t) => {
  const { air, copter, id } = await copterUp(t);
  await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(10);
  t.equal((await air.fly(id, 'set_speed', { kind: 'value', speed_mps: 5 })).state, 'done');
  t.equal((await air.fly(id, 'hold')).state, 'done');
  await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(15);
  t.ok(Math.abs(groundSpeed(copter.body) - 5) < 0.5, `${groundSpeed(copter.body)} m/s`);
});

t.test('it holds its height with the stick low, and stops within fifteen metres from ten a second', async (t) => {
  const { air, copter, id } = await copterUp(t, 20, { throttleStick: 'low' });
  await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(15);
  t.ok(Math.abs(groundSpeed(copter.body) - 10) < 1);
  const at = { ...copter.body };
  const held = await air.fly(id, 'hold');
  t.equal(held.state, 'done', held.reason ?? '');
  t.ok(distance(at, copter.body) < 15, `${distance(at, copter.body)} m`);
  let lowest = copter.body.altM;
  air.watches.push(() => {
    lowest = Math.min(lowest, copter.body.altM);
  });
  await air.pass(60);
  t.ok(lowest > 19, `${lowest} m`);
  t.ok(distance(at, copter.body) < 15);
  t.equal(copter.mode, COPTER_MODE.brake);
});

t.test('it comes home and lands, and lands where it is', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const start = { lat: copter.body.lat, lon: copter.body.lon };
  const to = moved(start, 100, 0);
  await air.fly(id, 'goto', place(to));
  const home = await air.fly(id, 'return_home', undefined, 180);
  t.equal(home.state, 'done', home.reason ?? '');
  t.ok(distance(copter.body, start) < 3, `${distance(copter.body, start)} m from home`);
  t.equal(copter.body.altM, 0);
  await air.until(() => !copter.armed, 20);
  await air.takeoff(id, 15);
  await air.fly(id, 'goto', place(moved(start, 0, 60), 15));
  const at = { ...copter.body };
  const landed = await air.fly(id, 'land', undefined, 180);
  t.equal(landed.state, 'done', landed.reason ?? '');
  t.ok(distance(copter.body, at) < 3);
  t.equal(copter.body.altM, 0);
});
