import t, { type Test } from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import type { Air } from '../../support/fleet/air.ts';
import { copterReady, copterUp, place, type Up } from '../../support/fleet/air_up.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';

onlyInFull(t);

const anna = { type: 'user', id: 'u1', name: 'anna', address: null } as const;

const unbind = (air: Air, id: string): void =>
  void air.registry.registry.assets.update(id, { spec: { remote_id_serial: 'OTHER' } }, anna);

const told = ({ copter }: Up, sinceS: number) =>
  copter.recorder.received.filter(({ tS, name, fields }) => {
    return tS > sinceS && name.startsWith('COMMAND_') && ![511, 512].includes(Number(fields.command));
  });

/** On its way to a place 900 m off; `what` happens, and nothing may be told after a moment, nor the task go on. */
async function taken(t: Test, what: (up: Up) => void | Promise<void>, why: RegExp): Promise<void> {
  const up = await copterUp(t);
  const { air, copter, id } = up;
  const orbit = { kind: 'point', ...moved(copter.body, 100, 0), height_takeoff_m: 20, radius_m: 60 } as const;
  const { command_id } = await air.command(id, 'orbit', orbit);
  await air.pass(10);
  await what(up);
  const sinceS = copter.tS + 1.5;
  t.match(await air.over(command_id, 20), { state: /failed|cancelled/, reason: why });
  await air.pass(10);
  t.strictSame(told(up, sinceS), []);
}

t.test('a task ends where its vehicle is unbound', (t) =>
  taken(t, ({ air, id }) => unbind(air, id), /the vehicle is not adopted/),
);

t.test('a task ends where its vehicle is bound to another asset', (t) =>
  taken(
    t,
    ({ air, id }) => {
      const { assets } = air.registry.registry;
      const { key } = air.row(id);
      const other = assets.create({ name: 'Other', spec: {} }, anna);
      unbind(air, id);
      assets.bind(other.id, { key }, anna);
    },
    /bound to another asset, Other/,
  ),
);

t.test('a task ends where discovery is switched off', (t) =>
  taken(t, ({ air }) => void air.registry.registry.discovery.set(false, anna), /discovery is switched off/),
);

t.test('a task ends where its link lets no command out any more', (t) =>
  taken(
    t,
    ({ air }) => {
      const way = air.links.get('air');
      if (way) way.is = { ...way.is, policy: { ...way.is.policy, command: 'deny' } };
    },
    /lets no command out/,
  ),
);

t.test('a task ends where another vehicle says that it is the same system', (t) =>
  taken(
    t,
    async ({ air, copter }) => {
      const { address } = await air.link();
      await air.join(new ArduCopter({ groundStation: address, manual: true, ready: true, sysid: copter.sysid }));
    },
    /system id 1/,
  ),
);

t.test('a vehicle that is armed for a take-off is not lifted off once its link lets no command out', async (t) => {
  const { air, copter, id } = await copterReady(t, { ackDelayMs: 1_000 });
  await air.until(() => air.verb(id, 'takeoff')?.available === true, 60);
  const { command_id } = await air.command(id, 'takeoff', { kind: 'value', height_m: 20 });
  await air.pass(0.5);
  const way = air.links.get('air');
  if (way) way.is = { ...way.is, policy: { ...way.is.policy, command: 'deny' } };
  t.match(await air.over(command_id, 60), { state: 'failed', reason: /lets no command out/ });
  t.equal(copter.recorder.commands(CMD.takeoff).length, 0);
});

t.test('a task ends where its vehicle does not know any more where it is', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const { command_id } = await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
  await air.pass(10);
  const { fleet } = air.rig;
  const take = fleet.take.bind(fleet);
  fleet.take = (linkId, message, from, atMs) => {
    const nowhere = message.kind === 'global_position' ? { ...message, latDeg: null, lonDeg: null } : message;
    take(linkId, nowhere, from, atMs);
  };
  t.match(await air.over(command_id, 60), { state: 'failed', reason: /no usable position/ });
});
