import t, { type Test } from 'tap';
import type { MadeKey } from '../../../src/model/access.ts';
import type { Command } from '../../../src/model/command.ts';
import type { LogEvent } from '../../../src/model/event.ts';
import { folderOf } from '../../support/basics/folder.ts';
import { takeTime } from '../../support/basics/patience.ts';
import { type Answer, type Daemon, until } from '../../support/daemon/daemon.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { firstOwner } from '../../support/daemon/signed_in.ts';
import { Threatened } from '../../support/daemon/threatened_site.ts';
import { ArduCopter, COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';

takeTime(t, 240);

/** A copter in the air under our order, on a box of this open surface, with an owner who signed in. */
async function copterUp(t: Test, openSurface: 'allow' | 'observe_only') {
  const folder = folderOf(t, { 'dunlin.yaml': `control:\n  open_surface: ${openSurface}\n` });
  const rig = await startFlights(t, { args: ['--config', `${folder}/dunlin.yaml`], dataDir: `${folder}/data` });
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true, speed: 4 }));
  const id = await rig.adopt(copter, 'Heron');
  await rig.able(id, 'takeoff');
  const owner = await firstOwner(t, rig.daemon);
  const command = (verb: string, params?: object) =>
    owner.ask('POST', `/v1/assets/${id}/command`, { verb, ...(params ? { params } : {}) });
  const lifted = (await command('takeoff', { kind: 'value', height_m: 20 })).body.data as Command;
  await rig.over(lifted.command_id, { withinMs: 60_000 });
  const there = { kind: 'point', ...moved(copter.body, 900, 0), height_takeoff_m: 25 };
  return { rig, copter, id, owner, command, there };
}

function withKey(daemon: Daemon, { secret }: MadeKey, id: string, verb: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-api-key': secret };
  return daemon.request(`/api/assets/${id}/command`, { method: 'POST', headers, body: JSON.stringify({ verb }) });
}

t.test('no key takes a hold from a person, however often it sends return_home', async (t) => {
  const { rig, copter, id, owner, command, there } = await copterUp(t, 'allow');
  const { daemon } = rig;
  const watching = await owner.key('operator');
  const commanding = await owner.get<MadeKey>('POST', '/v1/keys', {
    name: 'pilot',
    role: 'operator',
    may_command: true,
  });
  await command('goto', there);
  let going = true;
  const statuses = { watching: new Set<number>(), commanding: new Set<number>() };
  const repeat = async (key: MadeKey, seen: Set<number>): Promise<void> => {
    while (going) seen.add((await withKey(daemon, key, id, 'return_home')).status);
  };
  const repeating = [
    ...[1, 2, 3].map(() => repeat(watching, statuses.watching)),
    ...[1, 2, 3].map(() => repeat(commanding, statuses.commanding)),
  ];
  await until(async () => statuses.watching.has(429) && statuses.commanding.has(429), 'both were sent too often');
  const held = await Promise.all(Array.from({ length: 10 }, () => command('hold')));
  t.same(
    held.filter(({ status }) => status === 429),
    [],
    'a person is not told to wait',
  );
  going = false;
  await Promise.all(repeating);
  t.same([...statuses.watching].sort(), [403, 429], 'a key without may_command brings no vehicle home');
  t.notOk(statuses.commanding.has(403));
  await until(async () => (await command('hold')).status !== 429, 'hold is taken');
  t.ok(copter.recorder.commands(CMD.setMode).length > 0);
});

t.test('a key that sends unknown verbs makes no approved plan fail', async (t) => {
  const box = await Threatened.begin(t);
  const { daemon } = box;
  const owner = await firstOwner(t, daemon);
  const key = await owner.key('operator');
  const found = await box.planFor('shadow');
  const spam = () => Promise.all(Array.from({ length: 30 }, () => withKey(daemon, key, box.assetId, 'explode')));
  const [first, approved, second] = await Promise.all([spam(), spam().then(() => box.approve(found)), spam()]);
  t.match(approved, { state: 'executing', tasks: [{ verb: 'takeoff' }] });
  const all = [...first, ...second].map(({ status }) => status);
  t.same([...new Set(all)].sort(), [409, 429], 'and is told to wait itself');
  const rows = await daemon.get<LogEvent[]>('/api/events?kind=command.refused&limit=1000');
  t.ok(rows.length <= 40, `${rows.length} rows of the log`);
  await until(async () => box.copter.armed, 'the copter takes off');
});

t.test('on observe_only nobody who did not sign in brings a vehicle home; hold and stop_all take a name', async (t) => {
  const { rig, copter, id, owner, command, there } = await copterUp(t, 'observe_only');
  const { daemon } = rig;
  const key = await owner.key('operator');
  const post = (verb: string, more: object = {}) => daemon.post(`/api/assets/${id}/command`, { verb, ...more });
  const named = { operator: 'anna', reason: 'a test' };
  const going = (await command('goto', there)).body.data as Command;
  for (const verb of ['return_home', 'land']) {
    const { status, body } = await post(verb, named);
    t.match(
      [status, body.code, body.error],
      [403, 'forbidden', /sign in .*observe_only.*hold for a vehicle that flies under/],
    );
  }
  t.match((await withKey(daemon, key, id, 'return_home')).body, { code: 'forbidden', error: /may_command/ });
  t.equal((await post('hold')).status, 400, 'without a name');
  t.equal(copter.mode, COPTER_MODE.guided);

  const held = await post('hold', { operator: 'anna' });
  t.equal(held.status, 200, held.body.error ?? '');
  await until(async () => copter.mode === COPTER_MODE.brake, 'it holds');
  t.equal((await daemon.get<Command>(`/api/commands/${going.command_id}`)).state, 'superseded');
  await rig.over((held.body.data as Command).command_id);

  const task = (await command('goto', there)).body.data as Command;
  const end = (body: object) => daemon.post(`/api/tasks/${task.task_id}/cancel`, body);
  t.equal((await end({})).status, 400, 'a task is not ended without a name either');
  t.equal((await end({ operator: 'anna' })).status, 200);
  t.equal((await withKey(daemon, key, id, 'hold')).status, 200, 'a key may hold what flies under our order');

  t.equal((await daemon.post('/api/engagement/stop_all', {})).status, 400);
  const stopped = await daemon.post('/api/engagement/stop_all', { operator: 'anna' });
  t.match([stopped.status, stopped.body.data], [200, { platforms: [{ asset_id: id }] }]);

  (copter as unknown as { setMode(mode: number): boolean }).setMode(COPTER_MODE.loiter);
  await rig.row(({ asset_id, control }) => asset_id === id && control.owner !== 'us', 'somebody else has it in hand');
  for (const answer of [await post('hold', named), await withKey(daemon, key, id, 'hold')])
    t.match(
      [answer.status, answer.body.error],
      [403, /under an order of this service; this vehicle flies under no order of this service/],
    );
  t.equal(copter.mode, COPTER_MODE.loiter);
});
