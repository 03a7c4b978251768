import t from 'tap';
import type { FleetRow } from '../../../src/model/fleet.ts';
import { folderOf } from '../../support/basics/folder.ts';
import { takeTime } from '../../support/basics/patience.ts';
import { until } from '../../support/daemon/daemon.ts';
import { begun, put, startFlights } from '../../support/daemon/flights.ts';
import { firstOwner } from '../../support/daemon/signed_in.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';

takeTime(t, 120);
const LIFT = { kind: 'value', height_m: 20 };
const DENY = 'discover=list,command=deny,sources_allow=127.0.0.1';
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

t.test('with discovery off nothing at all is sent', async (t) => {
  const rig = await startFlights(t, { discovery: false });
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true }));
  await until(async () => (await rig.daemon.get<{ rx_msgs: number }[]>('/api/links'))[0]?.rx_msgs, 'it is heard');
  await pause(3_000);
  t.equal(copter.recorder.received.length, 0);
  // It is adopted all the same, while discovery is on, and then turned off.
  await rig.daemon.request('/api/discovery', put({ enabled: true }));
  const id = await rig.adopt(copter, 'Heron');
  await rig.able(id, 'takeoff');
  await rig.daemon.request('/api/discovery', put({ enabled: false }));
  await rig.row((row) => row.verbs.every(({ reason }) => reason === 'discovery_off'), 'its verbs are off');
  await pause(300);
  const before = copter.recorder.received.length;
  const refused = await rig.post(id, 'takeoff', LIFT);
  t.equal(refused.status, 409);
  t.match(refused.body.error, /takeoff is not available on Heron: discovery is switched off/);
  await pause(2_500);
  t.equal(copter.recorder.received.length, before);
});

t.test('a link that lets no command out lets none out', async (t) => {
  const rig = await startFlights(t, { link: DENY });
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true }));
  const id = await rig.adopt(copter, 'Heron');
  const row = await rig.row(({ asset_id }) => asset_id === id, 'it is there');
  t.ok(row.verbs.every(({ available, reason }) => !available && reason === 'policy_denied'));
  const refused = await rig.post(id, 'hold');
  t.equal(refused.status, 409);
  t.match(refused.body.error, /^hold is not available on Heron: /);
  t.ok(copter.recorder.commands().every(({ fields }) => [511, 512].includes(Number(fields.command))));
});

t.test('a vehicle that nobody adopted is asked, and never told', async (t) => {
  const rig = await startFlights(t);
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true }));
  const row = await rig.row(({ position }) => position !== null, 'it says where it is');
  t.equal(row.adopted, false);
  const refused = await rig.post(row.key, 'takeoff', LIFT);
  t.equal(refused.status, 409);
  await pause(2_000);
  const names = new Set(
    copter.recorder.received.map(({ name, fields }) =>
      name.startsWith('COMMAND_') ? `${name} ${fields.command}` : name,
    ),
  );
  const asked = ['HEARTBEAT', `COMMAND_LONG ${CMD.requestMessage}`, `COMMAND_LONG ${CMD.setMessageInterval}`];
  t.strictSame([...names].sort(), asked.sort());
});

/** Verbs that a conflict leaves available. */
const isSafer = (verb: string): boolean => ['hold', 'return_home', 'land'].includes(verb);

t.test('two vehicles that say that they are the same system are told no movement', async (t) => {
  const rig = await startFlights(t);
  const at = { lat: -35.363_262, lon: 149.165_237 };
  const one = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true, at }));
  const id = await rig.adopt(one, 'Heron');
  await rig.able(id, 'takeoff');
  const other = await begun(
    t,
    new ArduCopter({ groundStation: rig.groundStation, ready: true, at: moved(at, 500, 0) }),
  );
  const isConflict = (row: FleetRow): boolean =>
    row.asset_id === id && row.verbs.every(({ verb, reason }) => isSafer(verb) || reason === 'id_conflict');
  const row = await rig.row(isConflict, 'it is shown');
  t.match(row.health[0], { severity: 'critical', text: /system (?:id )?1/ });
  t.ok(row.verbs.some(({ verb }) => !isSafer(verb)));
  const refused = await rig.post(id, 'takeoff', LIFT);
  t.equal(refused.status, 409);
  t.match(refused.body.error, /takeoff is not available on Heron: .*system (?:id )?1/);
  await pause(1_000);
  for (const vehicle of [one, other]) t.notOk(vehicle.armed);
});

t.test('who may not command is told so', async (t) => {
  const rig = await startFlights(t);
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true, speed: 4 }));
  const id = await rig.adopt(copter, 'Heron');
  await rig.able(id, 'takeoff');
  for (const body of [
    { verb: 'takeoff', params: LIFT, reason: 'a test' },
    { verb: 'takeoff', params: LIFT, operator: 'me' },
  ]) {
    const { status, body: answer } = await rig.daemon.post(`/api/assets/${id}/command`, body);
    t.equal(status, 400, answer.error ?? '');
  }
  const owner = await firstOwner(t, rig.daemon);
  const key = await owner.key('operator');
  const headers = { 'content-type': 'application/json', 'x-api-key': key.secret };
  const body = JSON.stringify({ verb: 'takeoff', params: LIFT });
  const byKey = await rig.daemon.request(`/api/assets/${id}/command`, { method: 'POST', headers, body });
  t.equal(byKey.status, 403, byKey.body.error ?? '');
  t.match(byKey.body.error, /may_command/);
  t.notOk(copter.armed);
});

t.test('a command sent again with its id is done once', async (t) => {
  const rig = await startFlights(t);
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true, speed: 4 }));
  const id = await rig.adopt(copter, 'Heron');
  await rig.able(id, 'takeoff');
  const more = { command_id: 'lift-1' };
  const answers = await Promise.all([1, 2, 3].map(() => rig.post(id, 'takeoff', LIFT, more)));
  for (const { status, body } of answers) {
    t.equal(status, 200, body.error ?? '');
    t.match(body.data, { command_id: 'lift-1' });
  }
  t.equal((await rig.over('lift-1', { withinMs: 40_000 })).state, 'done');
  t.match(await rig.command(id, 'takeoff', LIFT, more), { command_id: 'lift-1', state: 'done' });
  t.equal(copter.recorder.commands(CMD.armDisarm).length, 1);
  t.equal(copter.recorder.commands(CMD.takeoff).length, 1);
  t.equal((await rig.post(id, 'land', undefined, more)).status, 409, 'the id is spent');
});

t.test('a box that commands nothing says so', async (t) => {
  const config = folderOf(t, { 'dunlin.yaml': 'control:\n  enabled: false\n' });
  const rig = await startFlights(t, { args: ['--config', `${config}/dunlin.yaml`], dataDir: `${config}/data` });
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true }));
  const id = await rig.adopt(copter, 'Heron');
  t.equal((await rig.post(id, 'takeoff', LIFT)).status, 501);
  const row = await rig.row(({ asset_id }) => asset_id === id, 'it is there');
  t.ok(row.verbs.every(({ reason }) => reason === 'feature_off'));
});
