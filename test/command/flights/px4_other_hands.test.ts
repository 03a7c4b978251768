import t, { type Test } from 'tap';
import { flyingOf } from '../../../src/app/flying.ts';
import type { CommandParams } from '../../../src/model/verb.ts';
import { onlyInFull, takeTime } from '../../support/basics/patience.ts';
import { Air, asked } from '../../support/fleet/air.ts';
import { AirTarget } from '../../support/fleet/air_target.ts';
import { place } from '../../support/fleet/air_up.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';
import { OtherStation } from '../../support/vehicles/other_station.ts';
import { PX4_MODE, Px4 } from '../../support/vehicles/px4.ts';

onlyInFull(t);
takeTime(t, 240);
const OURS = 245;
const COMMAND_ACK = 77;
const asking: readonly number[] = [CMD.setMessageInterval, CMD.requestMessage];

type Up = { air: Air; px4: Px4; id: string };

async function px4Up(t: Test): Promise<Up> {
  const air = new Air(t);
  const { address } = await air.link();
  const px4 = new Px4({ groundStation: address, manual: true, ready: true });
  const id = await air.adopt(px4, 'Swift', { cruise_speed_mps: 8, max_speed_mps: 15 });
  await air.takeoff(id, 40);
  return { air, px4, id };
}

/** What we sent that could move the vehicle, since a moment of its clock. */
const orders = ({ px4 }: Up, sinceS: number) =>
  px4.recorder.commands().filter(({ tS, sysid, fields }) => {
    return tS > sinceS && sysid === OURS && !asking.includes(Number(fields.command));
  });

const far = ({ px4 }: Up): CommandParams => place(moved(px4.body, 900, 0), 40);

/** Chooses a mode as another station does; `mode` is the custom mode. */
function choose(px4: Px4, mode: number): void {
  new OtherStation(px4).command(CMD.setMode, {
    ...{ param1: 1, param2: (mode >>> 16) & 0xff, param3: (mode >>> 24) & 0xff },
  });
}

const modes = { AUTO_RTL: PX4_MODE.rtl, AUTO_LAND: PX4_MODE.land, POSCTL: PX4_MODE.position } as const;

for (const [name, mode] of Object.entries(modes)) {
  for (const afterS of [0.1, 0.6, 2, 20]) {
    t.test(`${name} of another station ${afterS} s after the acceptance of a goto ends it and stays`, async (t) => {
      const up = await px4Up(t);
      const { air, px4, id } = up;
      await air.fly(id, 'hold');
      const { command_id } = await air.command(id, 'goto', far(up));
      await air.until(() => px4.recorder.commands(CMD.reposition).length > 0, 3);
      await air.pass(afterS);
      choose(px4, mode);
      const takenS = px4.tS;
      const went = await air.over(command_id, 10);
      t.match(went, { state: 'failed', reason: new RegExp(`the vehicle is in ${name}$`) });
      t.ok(px4.tS - takenS < 1.4, `it ended after ${px4.tS - takenS} s`);
      await air.pass(45);
      t.strictSame(orders(up, takenS), []);
      t.equal(px4.armed ? px4.customMode : mode, mode);
    });
  }
}

t.test('orders whose answers are lost are not sent again over the mode of another', async (t) => {
  for (const verb of ['goto', 'hold', 'return_home', 'land'] as const)
    for (const isArrived of [true, false]) {
      const up = await px4Up(t);
      const { air, px4, id } = up;
      await air.fly(id, 'goto', place(moved(px4.body, 20, 0), 40));
      const { link } = px4;
      const send = link.send.bind(link);
      // Byte 7 has the number of the message.
      link.send = (datagram) => (datagram[7] === COMMAND_ACK ? undefined : send(datagram));
      link.faults.loss = isArrived ? 0 : 1;
      const body = { verb, ...(verb === 'goto' ? { params: far(up) } : {}) };
      const sent = air.rig.side.service.command(id, body, asked);
      await air.pass(0.2);
      link.faults.loss = 0;
      choose(px4, PX4_MODE.position);
      const takenS = px4.tS;
      await air.settled(sent);
      const went = await air.over((await sent).command_id, 30);
      t.match(went, { state: 'failed', reason: /POSCTL/ }, `${verb}, ${isArrived}`);
      await air.pass(20);
      t.strictSame(orders(up, takenS), [], `${verb}, ${isArrived}`);
      t.equal(px4.customMode, PX4_MODE.position, `${verb}, ${isArrived}`);
    }
});

t.test('hold and stop_all replace no way home, no landing and no mode of its pilot', async (t) => {
  for (const [name, mode] of Object.entries(modes)) {
    const up = await px4Up(t);
    const { air, px4, id } = up;
    choose(px4, mode);
    await air.pass(1.5);
    const sinceS = px4.tS;
    t.match(air.verb(id, 'hold'), { available: false, text: new RegExp(name) });
    await t.rejects(air.rig.side.service.command(id, { verb: 'hold' }, asked), { code: 'conflict' });
    const stopped = await air.settled(flyingOf(air.rig.side).holdAll(asked.by, 'a helicopter'));
    t.match(stopped, [{ asset_id: id, held: false, text: new RegExp(name) }]);
    await air.pass(3);
    t.strictSame(orders(up, sinceS), []);
  }
});

t.test('its own battery failsafe is named as the cause, and nothing takes it out of its return', async (t) => {
  const up = await px4Up(t);
  const { air, px4, id } = up;
  const { command_id } = await air.command(id, 'goto', far(up));
  await air.pass(6);
  px4.battery.percent = 6.5;
  await air.until(() => px4.customMode === PX4_MODE.rtl, 5);
  const sinceS = px4.tS;
  const went = await air.over(command_id, 5);
  t.match(went, { state: 'failed', reason: /failsafe of the vehicle controls it .*Critical battery.*AUTO_RTL/ });
  await air.pass(20);
  t.strictSame(orders(up, sinceS), []);
  t.equal(px4.customMode, PX4_MODE.rtl);
});

t.test('a task ends at whichever moment between two of its steps another station chooses a mode', async (t) => {
  const up = await px4Up(t);
  const { air, px4, id } = up;
  const target = new AirTarget({
    ...{ at: moved(px4.body, 300, 0), altHaeM: 640, turnAt: () => ({ rateDps: 2, speedMps: 4 }) },
  });
  air.targets.push(target);
  await air.pass(1);
  const undone: string[] = [];
  for (let afterS = 0; afterS < 1.2; afterS += 0.05) {
    const { command_id } = await air.command(id, 'shadow', { kind: 'track', track_id: target.id });
    await air.pass(8 + afterS);
    choose(px4, PX4_MODE.position);
    const takenS = px4.tS;
    await air.pass(5);
    const { state } = air.rig.side.service.log.get(command_id) ?? {};
    const after = orders(up, takenS).length;
    if (state !== 'failed' || after > 0 || px4.customMode !== PX4_MODE.position)
      undone.push(`${afterS.toFixed(2)} s: ${state}, ${after} orders`);
    choose(px4, PX4_MODE.hold);
    await air.pass(2);
  }
  t.strictSame(undone, [], 'no step replaced the mode of another unseen');
});
