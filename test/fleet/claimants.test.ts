import t, { type Test } from 'tap';
import { flyingOf } from '../../src/app/flying.ts';
import type { FleetLink } from '../../src/fleet/deps.ts';
import type { CommandState } from '../../src/model/command.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { Air, asked } from '../support/fleet/air.ts';
import { place } from '../support/fleet/air_up.ts';
import { ArduCopter, COPTER_MODE } from '../support/vehicles/arducopter.ts';
import { CMD } from '../support/vehicles/command.ts';
import { moved } from '../support/vehicles/flight.ts';
import { Forger } from '../support/vehicles/forger.ts';

onlyInFull(t);

type Sky = { air: Air; copter: ArduCopter; id: string };

const asking: readonly number[] = [CMD.requestMessage, CMD.setMessageInterval];
const open = { provesSender: false };
const denied: Partial<FleetLink> = {
  provesSender: false,
  policy: { discover: 'list', command: 'deny', reason: null },
};

/** A copter of ours in the air, and a second link. */
async function up(t: Test, is: Partial<FleetLink>, second: Partial<FleetLink>): Promise<Sky> {
  const air = new Air(t);
  const { address } = await air.link('air', is);
  await air.link('second', second);
  const copter = new ArduCopter({ groundStation: address, manual: true, ready: true });
  const id = await air.adopt(copter, 'Heron');
  await air.takeoff(id);
  return { air, copter, id };
}

/** Lets somebody speak once a second from now on, until `stop` is called. */
function each(air: Air, everyMs: number, say: (turn: number) => void): { stop(): void } {
  let dueMs = 0;
  let turn = 0;
  let isOver = false;
  air.watches.push(() => {
    if (isOver || air.nowMs < dueMs) return;
    dueMs = air.nowMs + everyMs;
    say(turn++);
  });
  return {
    stop: () => {
      isOver = true;
    },
  };
}

const alarms = ({ air }: Sky): (string | null)[] => air.rig.told.conflicts.map(({ text }) => text);
const noted = ({ air }: Sky, kind: string): number => air.rig.told.notes.filter((one) => one === kind).length;

const claimants = {
  'another component on the same open link': { link: 'air', compid: 2, is: open, second: open },
  'its own component on another open link': { link: 'second', compid: 1, is: open, second: denied },
  'another component, of a host that is allowed too': { link: 'air', compid: 2, is: {}, second: {} },
} as const;

for (const [who, { link, compid, is, second }] of Object.entries(claimants)) {
  t.test(`heartbeats with the system id of a vehicle take no safer verb from it: ${who}`, async (t) => {
    const sky = await up(t, is, second);
    const { air, copter, id } = sky;
    const forger = await Forger.open(t, (await air.link(link)).address, { compid });
    await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
    await air.pass(2);
    const forged = each(air, 1_000, () => void forger.beat());
    await air.pass(3);
    t.equal(air.verb(id, 'goto')?.reason, 'id_conflict', 'movements are stopped');
    // The other vehicle is named once its second heartbeat came.
    t.match(alarms(sky).at(-1), /^another vehicle \(mavlink:.*\) also uses the system id 1$/);
    t.equal(noted(sky, 'fleet.id_conflict'), 1);
    for (const verb of ['hold', 'return_home', 'land'] as const)
      t.equal(air.verb(id, verb)?.available, true, air.verb(id, verb)?.text ?? verb);

    const held = await air.settled(flyingOf(air.rig.side).holdAll(asked.by, 'a test'));
    t.match(held, [{ asset_id: id, held: true }]);
    await air.until(() => copter.mode === COPTER_MODE.brake, 3, 'it holds');
    t.equal((await air.fly(id, 'hold')).state, 'done');
    const home = await air.fly(id, 'return_home');
    t.equal(home.state, 'done', home.reason ?? '');
    await air.until(() => !copter.armed, 20, 'it is down');
    t.notOk(
      forger.commands.some(({ id }) => !asking.includes(id)),
      'it is told nothing',
    );
    forged.stop();
    await air.until(() => air.verb(id, 'takeoff')?.available === true, 12, 'it is over');
    await air.until(() => alarms(sky).at(-1) === null, 2, 'and its alert');
  });
}

t.test('a claimant that appears later ends no hold and no way home', async (t) => {
  const sky = await up(t, open, open);
  const { air, copter, id } = sky;
  const forger = await Forger.open(t, copter.options.groundStation, { compid: 2 });
  copter.link.down = true;
  const sent = air.command(id, 'return_home');
  each(air, 1_000, () => void forger.beat());
  await air.pass(1);
  copter.link.down = false;
  const home = await sent;
  const states = new Set<CommandState | undefined>();
  air.watches.push(() => states.add(air.rig.side.service.log.get(home.command_id)?.state));
  t.equal((await air.over(home.command_id)).state, 'done');
  t.notOk(states.has('failed'));
  t.ok(copter.recorder.commands(CMD.returnToLaunch).length > 0);
});

t.test('of two proven vehicles with one system id, the bound one is told to hold', async (t) => {
  const { air, copter, id } = await up(t, {}, {});
  const { address } = await air.link('second');
  const other = new ArduCopter({ groundStation: address, manual: true, ready: true, at: moved(copter.body, 0, 300) });
  other.uid2.reverse();
  await air.join(other);
  await air.pass(5);
  t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
  t.equal((await air.fly(id, 'hold')).state, 'done');
  t.equal(copter.mode, COPTER_MODE.brake);
  t.notOk(other.recorder.commands().some(({ fields }) => !asking.includes(Number(fields.command))));
});

for (const [side, north, east] of [
  ['north', 300, 0],
  ['east', 0, 300],
] as const)
  t.test(`two vehicles that started together without hardware ids, 300 m ${side} of each other, are two`, async (t) => {
    const air = new Air(t);
    const [first, second] = [await air.link('air'), await air.link('second')];
    const common = { manual: true, ready: true };
    const copter = new ArduCopter({ ...common, groundStation: first.address });
    const other = new ArduCopter({ ...common, groundStation: second.address, at: moved(copter.body, north, east) });
    for (const each of [copter, other]) each.uid2.fill(0);
    const id = await air.adopt(copter, 'Heron');
    await air.takeoff(id);
    other.bootS = copter.bootS;
    await air.join(other);
    await air.pass(5);
    t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
  });

const impostors = {
  'from 400 m away, with a clock that is ahead': { northM: -400, aheadMs: 60_000 },
  'from 400 m away, with a clock that is 9 s ahead': { northM: -400, aheadMs: 9_000 },
  'from where it is, with another clock': { northM: 0, aheadMs: 60_000 },
};

for (const [what, { northM, aheadMs }] of Object.entries(impostors)) {
  t.test(`who reports the names of a vehicle on another open link is not joined: ${what}`, async (t) => {
    const sky = await up(t, open, open);
    const { air, copter, id } = sky;
    const forger = await Forger.open(t, (await air.link('second')).address, { host: '127.0.0.3' });
    await air.command(id, 'goto', place(moved(copter.body, 900, 0)));
    await air.pass(2);
    const from = { ...copter.body };
    const seen = new Set<string>();
    each(air, 200, (turn) => {
      if (turn % 5 === 0) void forger.beat();
      if (turn % 5 === 1) void forger.version(copter.uid2);
      const at = northM === 0 ? copter.body : moved(from, northM, 0);
      void forger.position(at, Math.round(copter.bootS * 1_000) + aheadMs);
      seen.add(air.row(id).link_ids.join());
    });
    await air.pass(9);
    t.strictSame([...seen], ['air']);
    t.match(alarms(sky), [/system id 1 at 127\.0\.0\.3.*hardware id.*not accepted/]);
    t.equal(noted(sky, 'fleet.restarted'), 0);
    t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
    t.equal((await air.fly(id, 'hold')).state, 'done');
    t.equal(copter.mode, COPTER_MODE.brake);
    t.notOk(
      forger.commands.some(({ id }) => !asking.includes(id)),
      'it is told nothing',
    );
  });
}
