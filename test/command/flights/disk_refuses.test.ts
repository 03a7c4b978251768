import t from 'tap';
import { CommandLog } from '../../../src/command/commands/command_log.ts';
import { Fault } from '../../../src/model/fault.ts';
import type { State } from '../../../src/store/state.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { copterUp, place } from '../../support/fleet/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { moved } from '../../support/vehicles/flight.ts';

onlyInFull(t);

/** A state whose disk takes nothing until the answer is called. */
function fill(state: State): () => void {
  const { write, writeUnsynced } = state;
  const refuse = (what: string): never => {
    throw new Fault('unavailable', `${what} was not saved: the disk is full.`);
  };
  Object.assign(state, { write: refuse, writeUnsynced: refuse });
  return () => Object.assign(state, { write, writeUnsynced });
}

t.test('what the disk refused of commands is told as it stands, and written once there is room', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const { side, told } = air.rig;
  const { log } = side.service;
  const flown = await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(3);
  const free = fill(air.registry.state);
  await t.rejects(air.command(id, 'goto', place(moved(copter.body, 500, 0))), { code: 'unavailable' });
  const held = await air.command(id, 'hold');
  await air.pass(10);
  t.equal(copter.mode, COPTER_MODE.brake, 'what is safer goes out');
  const states = () => [flown, held].map(({ command_id }) => log.get(command_id)?.state);
  t.same(states(), ['superseded', 'done']);
  t.equal(log.task(flown.task_id ?? '')?.state, 'superseded');
  t.same(told.notes.filter((kind) => kind === 'command.not_written').length, 2, 'once for each command');
  const rows = () =>
    air.registry.ledger.audit
      .since(0)
      .filter(({ correlation_id: of }) => of === held.command_id || of === flown.command_id)
      .map(({ kind }) => kind);
  const before = rows().length;
  side.everySecond();
  t.equal(rows().length, before);
  free();
  side.everySecond();
  t.same(rows().slice(before).sort(), ['command.created', 'command.done', 'command.superseded', 'task.superseded']);
  side.everySecond();
  t.equal(rows().length, before + 4, 'once');
  const kept = new CommandLog({ ...air.registry, asset: () => null, publish: { command() {}, task() {} }, note() {} });
  t.same([kept.get(flown.command_id)?.state, kept.get(held.command_id)?.state], ['superseded', 'done']);
});

t.test('a beginning that is written late undoes nothing of what followed', async (t) => {
  const { air, id } = await copterUp(t);
  const { side } = air.rig;
  const free = fill(air.registry.state);
  const { command_id } = await air.command(id, 'hold');
  free();
  await air.pass(10);
  side.everySecond();
  t.equal(side.service.log.get(command_id)?.state, 'done');
  const rows = air.registry.ledger.audit.since(0).filter(({ correlation_id: of }) => of === command_id);
  const kinds = rows.map(({ kind }) => kind);
  t.equal(kinds[0], 'command.created');
  t.equal(kinds.at(-1), 'command.done');
  t.equal(new Set(kinds).size, kinds.length, 'each once');
});
