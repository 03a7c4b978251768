import t from 'tap';
import type { Command } from '../../../src/model/command.ts';
import type { Task } from '../../../src/model/task.ts';
import { folderOf } from '../../support/basics/folder.ts';
import { onlyInFull, takeTime } from '../../support/basics/patience.ts';
import { until } from '../../support/daemon/daemon.ts';
import { endBy } from '../../support/daemon/daemon_process.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { groundSpeed, moved } from '../../support/vehicles/flight.ts';
import type { Vehicle } from '../../support/vehicles/vehicle.ts';

onlyInFull(t);
takeTime(t, 120);

/** What it was told to do, without what it was merely asked. */
function told(vehicle: Vehicle): number[] {
  const ids = vehicle.recorder.commands().map(({ fields }) => Number(fields.command));
  return ids.filter((id) => id !== CMD.requestMessage && id !== CMD.setMessageInterval);
}

const far = (vehicle: Vehicle, metres: number) => ({
  kind: 'point',
  ...moved(vehicle.body, metres, 0),
  height_takeoff_m: 20,
});

t.test('a daemon killed in mid task sends nothing twice, says so, and commands again', async (t) => {
  const dataDir = folderOf(t);
  const before = await startFlights(t, { dataDir, spawned: true });
  const copter = await begun(t, new ArduCopter({ groundStation: before.groundStation, ready: true, speed: 4 }));
  const id = await before.adopt(copter, 'Heron');
  await before.takeoff(id, 20);
  const going = await before.command(id, 'goto', far(copter, 150));
  await until(async () => groundSpeed(copter.body) > 5, 'it is under way');
  await endBy(before.daemon, 'SIGKILL');
  const was = told(copter).length;
  const after = await startFlights(t, { dataDir, port: before.port });
  const command = await after.daemon.get<Command>(`/api/commands/${going.command_id}`);
  t.match(command, { state: 'failed', reason: /service restarted: the vehicle continues with its last order/ });
  const tasks = await after.daemon.get<Task[]>('/api/tasks');
  t.match(tasks[0], { id: going.task_id, state: 'failed', phase: 'over', reason: command.reason });
  await after.able(id, 'goto');
  const to = going.params.kind === 'point' ? going.params : copter.body;
  await until(async () => copter.distanceTo(to.lat, to.lon) < 2, 'it is where it was told to fly last');
  t.ok(copter.body.altM > 18, 'and holds there');
  t.equal(told(copter).length, was, 'nothing was said again');
  const again = await after.post(id, 'goto', far(copter, 150), { command_id: going.command_id });
  t.equal(again.status, 409, 'its id is spent on another place');
  const onward = await after.fly(id, 'goto', far(copter, -60), { withinMs: 60_000 });
  t.equal(onward.state, 'done', onward.reason ?? '');
  t.equal((await after.fly(id, 'return_home', undefined, { withinMs: 90_000 })).state, 'done');
});

t.test('a vehicle that reboots in mid task has its streams again, and its task has failed', async (t) => {
  const rig = await startFlights(t);
  const copter = await begun(
    t,
    new ArduCopter({ groundStation: rig.groundStation, ready: true, speed: 4, rebootS: 8 }),
  );
  const id = await rig.adopt(copter, 'Heron');
  await rig.takeoff(id, 20);
  const port = copter.link.port;
  const going = await rig.command(id, 'goto', far(copter, 300));
  await until(async () => groundSpeed(copter.body) > 5, 'it is under way');
  // A brown-out: its motors stop, and it is on the ground when it is back.
  copter.reboot();
  copter.body.altM = 0;
  const over = await rig.over(going.command_id);
  t.match(over, { state: 'failed', reason: /rebooted|link to the vehicle is lost/ });
  t.match(await rig.task(going.task_id ?? ''), { state: 'failed', reason: over.reason });
  await until(async () => copter.streams.size >= 5, 'its streams are asked for again');
  t.not(copter.link.port, port, 'from another port');
  const rows = (await rig.fleet()).filter(({ sysid }) => sysid === 1);
  t.equal(rows.length, 1, 'it is one vehicle still');
  await rig.able(id, 'takeoff', { withinMs: 30_000 });
  t.match(
    rows[0]?.health.filter(({ text }) => /two vehicles/.test(text)),
    [],
  );
});
