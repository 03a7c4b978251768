import t, { type Test } from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { Air } from '../../support/fleet/air.ts';
import { place } from '../../support/fleet/air_up.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { moved } from '../../support/vehicles/flight.ts';
import { Px4 } from '../../support/vehicles/px4.ts';

onlyInFull(t);

t.test('two on one port each do their own', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const at = { lat: 48.2, lon: 16.37 };
  const common = { groundStation: address, manual: true, ready: true, groundAmslM: 180 };
  const one = new ArduCopter({ ...common, sysid: 1, at });
  const other = new Px4({ ...common, sysid: 2, at: moved(at, 0, 120) });
  const ids = [await air.adopt(one, 'One'), await air.adopt(other, 'Other')] as const;
  const ups = await air.settled(
    Promise.all(
      ids.map((id) =>
        air.rig.side.service.command(
          id,
          { verb: 'takeoff', params: { kind: 'value', height_m: 20 } },
          {
            by: { type: 'user', id: 'u', name: 'anna', address: null },
            ...{ key: null, operator: null, why: null, engagementId: null },
          },
        ),
      ),
    ),
  );
  for (const { command_id } of ups) {
    const up = await air.over(command_id);
    t.equal(up.state, 'done', up.reason ?? '');
  }
  const [to1, to2] = [moved(at, 200, -100), moved(at, -200, 220)];
  const first = await air.command(ids[0], 'goto', place(to1));
  const second = await air.command(ids[1], 'goto', place(to2, 30));
  for (const { command_id } of [first, second]) {
    const went = await air.over(command_id, 180);
    t.equal(went.state, 'done', went.reason ?? '');
  }
  await air.pass(5);
  t.ok(one.distanceTo(to1.lat, to1.lon) <= 2);
  t.ok(other.distanceTo(to2.lat, to2.lon) <= 2);
  for (const vehicle of [one, other]) {
    const meant = vehicle.recorder.commands().map(({ fields }) => Number(fields.target_system));
    t.ok(
      meant.every((sysid) => sysid === vehicle.sysid),
      'each hears only what is meant for it',
    );
    t.equal(vehicle.recorder.commands(CMD.armDisarm).length, 1);
  }
  await air.fly(ids[0], 'hold');
  const onward = await air.command(ids[1], 'goto', place(moved(to2, -200, 0), 30));
  t.equal((await air.over(onward.command_id)).state, 'done', 'one that holds holds nobody else');
});

/** Two copters in the air, 120 m apart. */
async function twoCopters(t: Test) {
  const air = new Air(t);
  const { address } = await air.link();
  const at = { lat: 48.2, lon: 16.37 };
  const common = { groundStation: address, manual: true, ready: true, groundAmslM: 180 };
  const one = new ArduCopter({ ...common, sysid: 1, at });
  const other = new ArduCopter({ ...common, sysid: 2, at: moved(at, 0, 120) });
  const ids = [await air.adopt(one, 'One'), await air.adopt(other, 'Other')] as const;
  for (const id of ids) await air.takeoff(id, 20);
  return { air, at, one, ids };
}

t.test('a vehicle is held against where those go that are sent before it, though they were not told yet', async (t) => {
  const { air, at, ids } = await twoCopters(t);
  const { service } = air.rig.side;
  const params = place(moved(at, 300, 60));
  const first = { asset_id: ids[0], verb: 'goto', params } as const;
  t.equal(service.check(ids[1], 'goto', params), null, 'alone it may go there');
  t.match(service.check(ids[1], 'goto', params, { before: [first] }), {
    reason: 'policy_denied',
    text: /of our own vehicle One in/,
  });
  const elsewhere = place(moved(at, 300, 400));
  t.equal(service.check(ids[1], 'goto', elsewhere, { before: [first] }), null);
});

t.test('a vehicle is kept clear of where another fell silent in the air', async (t) => {
  const { air, at, one, ids } = await twoCopters(t);
  const beyond = place(moved(at, 0, -120));
  const { service } = air.rig.side;
  t.match(service.check(ids[1], 'goto', beyond), { text: /of our own vehicle One/ });
  one.link.down = true;
  await air.pass(8);
  t.match(service.check(ids[1], 'goto', beyond), { text: /of our own vehicle One/ });
  await air.pass(130);
  t.equal(service.check(ids[1], 'goto', beyond), null, 'its flight is over');
});
