import { createHash } from 'node:crypto';
import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { place } from '../../support/fleet/air_up.ts';
import { at, FlownVehicle, vehicleOf, vehicleReady } from '../../support/sim/simulated_vehicle.ts';

onlyInFull(t);

const told = { id: 'heron', remote_id: { serial: 'TWIN0001' } };

async function flownOnce(t: import('tap').Test): Promise<string> {
  const { air, flown, id } = await vehicleReady(t, told, { cruise_speed_mps: 12 });
  await air.takeoff(id, 20);
  flown.wind = { eastMps: 4, northMps: -2 };
  await air.fly(id, 'goto', place(at(150, 60), 30));
  await air.fly(id, 'return_home', undefined, 200);
  const hash = createHash('sha256');
  for (const bytes of flown.bytes) hash.update(bytes);
  t.ok(flown.bytes.length > 500);
  return hash.digest('hex');
}

t.test('the same commands at the same times leave the same bytes', async (t) => {
  t.equal(await flownOnce(t), await flownOnce(t));
});

t.test('messages to a simulated vehicle leave by its own link alone', async (t) => {
  const { air, flown, id } = await vehicleReady(t, told);
  const real = await air.link('real');
  const other = new FlownVehicle(
    air,
    vehicleOf({ id: 'other', mavlink: { sysid: 9 }, start: { east_m: 300, north_m: 0 } }),
  );
  await air.adopt(other, 'Other');
  const toOther = other.bytes.length;
  await air.takeoff(id, 20);
  await air.fly(id, 'goto', place(at(100, 0)));
  await air.fly(id, 'hold');
  t.equal(real.sent, 0, 'nothing on a real one');
  t.ok(flown.bytes.length > 0 && other.bytes.length > toOther);
  t.notOk(air.row(air.rows().find(({ name }) => name === 'Other')?.asset_id ?? '').armed);
});

t.test('it is known by the serial of its Remote ID, and by its hardware', async (t) => {
  const { air, flown, id } = await vehicleReady(t, told);
  const row = air.row(id);
  t.equal(row.key, 'TWIN0001');
  t.ok(row.aliases.includes(flown.vehicle.facts.uid2));
  t.match(flown.vehicle.facts, { actorId: 'heron', link: 'sim-twin-heron', sysid: 1, compid: 1, serial: 'TWIN0001' });
});
