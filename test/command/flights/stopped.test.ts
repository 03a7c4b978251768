import t, { type Test } from 'tap';
import { flyingOf } from '../../../src/app/flying.ts';
import type { DecisionPolicy } from '../../../src/model/decision_config.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { asked } from '../../support/fleet/air.ts';
import { AirTarget } from '../../support/fleet/air_target.ts';
import { copterReady, copterUp, place, type Up } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { distance, moved } from '../../support/vehicles/flight.ts';

onlyInFull(t);

const anna = { type: 'user', id: 'u1', name: 'anna', address: null } as const;

function decide({ air }: Up, change: (policy: DecisionPolicy) => DecisionPolicy): void {
  const { decision } = air.registry.registry;
  const { version: _version, updated_at: _at, updated_by: _by, ...policy } = decision.get();
  decision.save(change(policy), anna);
}

const oneASecond = (up: Up): void =>
  decide(up, (policy) => ({ ...policy, limits: { ...policy.limits, commands_per_asset_per_s: 1 } }));

/** Armed, told to lift off, and not yet said to be in the air. */
async function liftingOff(t: Test): Promise<{ up: Up; commandId: string }> {
  const up = await copterReady(t);
  const { air, id } = up;
  await air.until(() => air.verb(id, 'takeoff')?.available === true, 60);
  const { command_id } = await air.command(id, 'takeoff', { kind: 'value', height_m: 60 });
  await air.until(() => up.copter.recorder.commands(CMD.takeoff).length > 0, 10);
  return { up, commandId: command_id };
}

t.test('who says stop is not asked to wait because much was said before', async (t) => {
  const up = await copterUp(t);
  const { air, copter, id } = up;
  oneASecond(up);
  await air.pass(2);
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await t.rejects(
    air.rig.side.service.command(id, { verb: 'set_speed', params: { kind: 'value', speed_mps: 5 } }, asked),
    {
      code: 'rate_limited',
    },
  );
  const held = await air.command(id, 'hold');
  t.equal((await air.over(held.command_id)).state, 'done');
  t.equal((await air.over(command_id)).state, 'superseded');
  t.equal(copter.mode, COPTER_MODE.brake);
});

t.test('a task that is cancelled right after it was begun has its vehicle hold', async (t) => {
  const up = await copterUp(t);
  const { air, copter, id } = up;
  oneASecond(up);
  await air.pass(2);
  const { task_id } = await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.settled(air.rig.side.service.cancel(task_id ?? '', null, anna));
  await air.pass(5);
  t.equal(copter.mode, COPTER_MODE.brake);
});

t.test('stopping everything stops who lifts off just then', async (t) => {
  const { up, commandId } = await liftingOff(t);
  const { air, copter } = up;
  const stopped = await air.settled(flyingOf(air.rig.side).holdAll(anna, 'a helicopter'));
  t.match(stopped, [{ held: true }]);
  t.match(await air.over(commandId), { state: 'cancelled' });
  await air.pass(30);
  t.ok(copter.body.altM < 20, `it is ${copter.body.altM} m up`);
});

t.test('who lifts off just then can be told to hold', async (t) => {
  const { up, commandId } = await liftingOff(t);
  const { air, copter, id } = up;
  await air.command(id, 'hold');
  t.match(await air.over(commandId), { state: 'superseded' });
  await air.pass(30);
  t.ok(copter.body.altM < 20, `it is ${copter.body.altM} m up`);
});

t.test('a disk that takes nothing keeps nobody from holding and coming home', async (t) => {
  const up = await copterUp(t);
  const { air, copter, id } = up;
  await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(5);
  air.registry.state.db.pragma('query_only = 1');
  await t.rejects(air.command(id, 'goto', place(moved(copter.body, 0, 900))));
  await air.command(id, 'hold');
  await air.pass(6);
  t.equal(copter.mode, COPTER_MODE.brake);
  await air.command(id, 'return_home');
  await air.pass(6);
  t.equal(copter.mode, COPTER_MODE.rtl);
  air.registry.state.db.pragma('query_only = 0');
});

t.test('one command_id sent twice at the same moment is one command, and two take-offs are one flight', async (t) => {
  const up = await copterReady(t);
  const { air, copter, id } = up;
  await air.until(() => air.verb(id, 'takeoff')?.available === true, 60);
  const body = { verb: 'takeoff', params: { kind: 'value', height_m: 20 }, command_id: 'twice' } as const;
  const { service } = air.rig.side;
  const [one, same] = await air.settled(
    Promise.all([service.command(id, body, asked), service.command(id, body, asked)]),
  );
  t.equal(one?.command_id, same?.command_id);
  const other = await air.command(id, 'takeoff', { kind: 'value', height_m: 20 });
  t.match(await air.over(other.command_id), { state: 'done' });
  t.match(await air.over('twice'), { state: 'superseded' });
  t.ok(copter.recorder.commands(CMD.armDisarm).length <= 2);
});

t.test('a standoff that is made larger during a shadow is flown from then on', async (t) => {
  const up = await copterUp(t);
  const { air, copter, id } = up;
  const target = new AirTarget({
    at: moved(copter.body, 300, 0),
    altHaeM: 640,
    turnAt: () => ({ rateDps: 1, speedMps: 4 }),
  });
  air.targets.push(target);
  await air.pass(1);
  const { task_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
  await air.pass(60);
  decide(up, (policy) => ({ ...policy, engagement: { ...policy.engagement, standoff_m: 250 } }));
  await air.pass(60);
  t.match(air.task(task_id), { state: 'executing' });
  t.ok(distance(copter.body, target.at) >= 250, `${distance(copter.body, target.at)} m`);
});

t.test(
  'who may not say hold on an open surface may not end a task, and its vehicle is not left unwatched',
  async (t) => {
    const up = await copterUp(t);
    const { air, copter, id } = up;
    const { task_id } = await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
    air.control.openSurface = 'deny';
    const somebody = { type: 'open', id: 'open', name: '10.0.0.7', address: '10.0.0.7' } as const;
    await t.rejects(air.rig.side.service.cancel(task_id ?? '', null, somebody), { code: 'forbidden' });
    await air.pass(5);
    t.match(air.task(task_id), { state: 'executing' });
  },
);

t.test('who may not command does not fill the log, nor use up what others may', async (t) => {
  const up = await copterReady(t);
  const { air, id } = up;
  const { service } = air.rig.side;
  let rows = 0;
  air.registry.ledger.onRow(({ kind }) => {
    if (kind === 'command.refused') rows++;
  });
  const key = { ...asked, key: { mayCommand: false } };
  const takeoff = { verb: 'takeoff', params: { kind: 'value', height_m: 20 } } as const;
  const codes = await Promise.all(
    Array.from({ length: 100 }, () => service.command(id, takeoff, key).then(String, ({ code }) => code)),
  );
  t.equal(codes.filter((code) => code === 'forbidden').length, 10);
  t.equal(codes.filter((code) => code === 'rate_limited').length, 90);
  t.equal(rows, 10);
  await air.takeoff(id);
});
