import fc from 'fast-check';
import t from 'tap';
import { isOver } from '../../../src/model/command.ts';
import type { CommandParams, Verb } from '../../../src/model/verb.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { asked } from '../../support/fleet/air.ts';
import { copterReady, place, type Up } from '../../support/fleet/air_up.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';

onlyInFull(t);

const asks = ['takeoff', 'goto', 'hold', 'return_home', 'land', 'set_speed'] as const;
type Ask = { verb: (typeof asks)[number]; north: number; east: number; waitS: number };

/** What befalls the link between two commands. */
const link = fc.record({
  loss: fc.double({ min: 0, max: 0.4, noNaN: true }),
  duplicate: fc.double({ min: 0, max: 0.2, noNaN: true }),
  delayMs: fc.integer({ min: 0, max: 2_000 }),
  downS: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 })),
});
const step = fc.record({
  ask: fc.record({
    verb: fc.constantFrom(...asks),
    north: fc.integer({ min: -300, max: 300 }),
    east: fc.integer({ min: -300, max: 300 }),
    waitS: fc.integer({ min: 0, max: 25 }),
  }),
  link,
});

function paramsOf({ verb, north, east }: Ask, { copter }: Up): CommandParams | undefined {
  if (verb === 'goto') return place(moved(copter.body, north, east), 25);
  if (verb === 'takeoff') return { kind: 'value', height_m: 20 };
  return verb === 'set_speed' ? { kind: 'value', speed_mps: 6 } : undefined;
}

/** Commands it, where it may be commanded; whether it was taken. */
async function tell({ air, id }: Up, verb: Verb, params: CommandParams | undefined): Promise<boolean> {
  const body = { verb, ...(params ? { params } : {}) };
  const told = air.rig.side.service.command(id, body, asked).then(
    () => true,
    () => false,
  );
  return air.settled(told);
}

t.test('however a link fails, each command ends, arms once at most and says no number that is none', async (t) => {
  const seed = seedOf(t);
  const runs = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
    const up = await copterReady(t);
    const { air, copter } = up;
    let lifts = 0;
    await air.until(() => air.verb(up.id, 'takeoff')?.available === true, 60);
    for (const {
      ask,
      link: { downS, ...faults },
    } of steps) {
      Object.assign(copter.link.faults, faults);
      if ((await tell(up, ask.verb, paramsOf(ask, up))) && ask.verb === 'takeoff') lifts++;
      await air.pass(ask.waitS / 2);
      copter.link.down = downS > 0;
      await air.pass(downS);
      copter.link.down = false;
      await air.pass(ask.waitS / 2);
    }
    Object.assign(copter.link.faults, { loss: 0, duplicate: 0, delayMs: 0 });
    await air.pass(5);
    // What the last command was, it is done: on the ground, standing, or it said why not.
    const { commands } = air.rig.told;
    const last = new Map(commands.map((command) => [command.command_id, command]));
    const running = (): boolean =>
      [...last.keys()].some((key) => !isOver(air.rig.side.service.log.get(key)?.state ?? 'done'));
    await air.until(() => !running(), 400, 'every command is over');
    const movements = (): number =>
      copter.recorder.commands().filter(({ fields }) => ![511, 512].includes(Number(fields.command))).length;
    const before = movements();
    await air.pass(30);
    t.equal(movements(), before, 'what is over is not said again');
    const arms = copter.recorder.commands(CMD.armDisarm);
    const said = new Set(arms.map(({ fields }) => fields.confirmation));
    // A datagram that came twice on the way is the link's doing: ours leave once.
    t.ok([...said].every((confirmation) => confirmation === 0));
    for (const command of last.values()) {
      const now = air.rig.side.service.log.get(command.command_id);
      if (now?.state !== 'done') t.ok(now?.reason, `${now?.verb} is ${now?.state}`);
    }
    t.ok(lifts === 0 || arms.length <= 2 * lifts);
  });
  await fc.assert(runs, { seed, numRuns: 12, endOnFailure: true });
});
