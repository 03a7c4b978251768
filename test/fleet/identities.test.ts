import t, { type Test } from 'tap';
import type { Fleet } from '../../src/fleet/fleet.ts';
import type { Vehicle } from '../../src/fleet/vehicle.ts';
import type { FleetRow } from '../../src/model/fleet.ts';
import { Air } from '../support/fleet/air.ts';
import { ArduCopter, type ArduCopterOptions } from '../support/vehicles/arducopter.ts';
import { moved } from '../support/vehicles/flight.ts';

const SERIAL = '1581F5FKD2294D000077';
const HOME = { lat: -35.363_262, lon: 149.165_237 };
const uid2 = Array.from({ length: 18 }, (_, at) => at + 40);
const UID = Buffer.from(uid2).toString('hex');

type Sky = { air: Air; id: string; copter: ArduCopter };

/** A copter of ours with a hardware id and a Remote ID serial. */
async function ours(t: Test, air = new Air(t), options: Partial<ArduCopterOptions> = {}): Promise<Sky> {
  const { address } = await air.link();
  const copter = new ArduCopter({ ...claims(address), remoteId: SERIAL, ...options });
  const id = await air.adopt(copter, 'Heron');
  await air.pass(4);
  return { air, id, copter };
}

const claims = (groundStation: { host: string; port: number }) =>
  ({ groundStation, manual: true, ready: true, uid2, at: HOME }) as const;

const other = ({ fleet }: { fleet: Fleet }, sysid: number): Vehicle => {
  const vehicle = fleet.vehicles().find((one) => one.sysid === sysid);
  if (!vehicle) throw new Error(`system ${sysid} is not received`);
  return vehicle;
};

const named = (fleet: Fleet, vehicle: Vehicle, linkId = 'air'): string[] => {
  const [endpoint] = vehicle.endpoints.all();
  return fleet.identitiesOf(linkId, endpoint?.from ?? '', vehicle.sysid).map(({ value }) => value);
};

const rowsOf = (air: Air, id: string): FleetRow[] => air.rows().filter(({ asset_id }) => asset_id === id);

for (const what of ['hardware id', 'Remote ID serial'] as const) {
  t.test(`another system that reports the ${what} of a vehicle is a conflict, and not that vehicle`, async (t) => {
    const sky = await ours(t);
    const { air, id } = sky;
    const { fleet } = air.rig;
    t.strictSame(named(fleet, other(air.rig, 1)), [SERIAL, UID]);
    const { address } = await air.link();
    const at = moved(HOME, 0, 300);
    const own = what === 'hardware id' ? {} : { uid2: uid2.toReversed(), remoteId: SERIAL };
    const clone = new ArduCopter({ ...claims(address), sysid: 9, at, ...own });
    await air.join(clone);
    await air.pass(8);
    t.equal(rowsOf(air, id).length, 1);
    t.equal(air.row(id).sysid, 1);
    t.equal(fleet.assetOf(other(air.rig, 9)), null);
    t.notOk(named(fleet, other(air.rig, 9)).some((name) => [SERIAL, UID].includes(name)));
    t.strictSame(named(fleet, other(air.rig, 1)), [SERIAL, UID]);
    t.match(air.rig.told.conflicts, [{ name: 'Heron', text: new RegExp(`system id 9.*127.0.0.1:.*${what}`) }]);
    t.equal(air.rig.told.notes.filter((kind) => kind === 'fleet.id_conflict').length, 1);
    t.equal(air.verb(id, 'takeoff')?.reason, 'id_conflict');
    t.equal(fleet.vehicleOf(UID)?.sysid, 1);

    clone.link.down = true;
    await air.until(() => air.verb(id, 'takeoff')?.available === true, 10, 'it is over');
    await air.until(() => air.rig.told.conflicts.at(-1)?.text === null, 2, 'and its alert');
  });
}

t.test('a name that only the asset of a vehicle carries is claimed by no other system', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const { assets } = air.registry.registry;
  const person = { type: 'user', id: 'u1', name: 'anna', address: null } as const;
  const copter = new ArduCopter({ ...claims(address) });
  const id = await air.adopt(copter, 'Heron');
  assets.learnAlias(id, SERIAL, person);
  const clone = new ArduCopter({ ...claims(address), sysid: 9, uid2: uid2.toReversed(), remoteId: SERIAL });
  await air.join(clone);
  await air.pass(8);
  t.equal(rowsOf(air, id).length, 1);
  t.equal(air.rig.fleet.assetOf(other(air.rig, 9)), null);
  t.match(air.rig.told.conflicts, [{ name: 'Heron', text: /system id 9/ }]);
});

t.test('a vehicle whose system id was changed has its names again a minute after its last word', async (t) => {
  const { air, id, copter } = await ours(t);
  copter.link.down = true;
  const { address } = await air.link();
  await air.join(new ArduCopter({ ...claims(address), sysid: 2, remoteId: SERIAL }));
  await air.pass(50);
  t.equal(air.row(id).sysid, 1);
  await air.until(() => air.row(id).sysid === 2, 15, 'it is the vehicle of the asset');
  t.equal(rowsOf(air, id).length, 1);
  await air.until(() => air.verb(id, 'takeoff')?.available === true, 10, 'it can be commanded');
});

/** The vehicle of `ours` on a second link, or what says to be it. */
async function onSecond(air: Air, options: Partial<ArduCopterOptions>): Promise<ArduCopter> {
  const { address } = await air.link('second');
  const copter = new ArduCopter({ ...claims(address), remoteId: SERIAL, ...options });
  await air.join(copter);
  return copter;
}

const alarms = (air: Air): (string | null)[] =>
  air.rig.told.conflicts.map(({ text }) => text).filter((text) => text !== null);

t.test(
  'a second link with the names of a vehicle joins it where its position goes on, else is a conflict',
  async (t) => {
    const { air, id } = await ours(t);
    const far = await onSecond(air, { at: moved(HOME, 0, 2_000) });
    await air.pass(6);
    t.strictSame(air.row(id).link_ids, ['air']);
    t.equal(rowsOf(air, id).length, 1);
    t.match(air.rig.told.conflicts, [{ name: 'Heron', text: /system id 1 at 127\.0\.0\.1:.*(hardware id|serial)/ }]);
    t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
    t.equal(air.rig.told.notes.filter((kind) => kind === 'fleet.id_conflict').length, 1);
    far.stop();
    await air.pass(12);
    t.equal(air.rig.told.conflicts.at(-1)?.text, null, 'it is over');
  },
);

t.test(
  'a second link of a vehicle joins it as soon as both know where it is, and raises no alarm before',
  async (t) => {
    const air = new Air(t);
    const boot = { fixS: 30, positionS: 30 };
    const { id, copter } = await ours(t, air, { boot });
    const second = await onSecond(air, { boot });
    second.bootS = copter.bootS;
    await air.pass(6);
    t.strictSame(air.row(id).link_ids, ['air'], 'nobody can say that it is the same');
    t.equal(rowsOf(air, id).length, 1);
    await air.until(() => air.row(id).link_ids.length === 2, 20, 'it is heard on both');
    t.equal(air.rows().length, 1);
    t.strictSame(alarms(air), []);
  },
);

t.test('a vehicle that was adopted by its address on a second link stays adopted once the links are one', async (t) => {
  const air = new Air(t);
  const { address } = await air.link();
  const boot = { fixS: 30, positionS: 30 };
  const copter = new ArduCopter({ ...claims(address), boot });
  await air.join(copter);
  await air.pass(4);
  const second = await onSecond(air, { boot, remoteId: null });
  second.bootS = copter.bootS;
  await air.pass(4);
  const key = air.rows().find(({ key }) => key.startsWith('mavlink:second'))?.key ?? '';
  const { assets } = air.registry.registry;
  const person = { type: 'user', id: 'u1', name: 'anna', address: null } as const;
  const { id } = assets.create({ name: 'Heron', spec: {} }, person);
  assets.bind(id, { key }, person);
  await air.until(() => air.rows().find(({ asset_id }) => asset_id === id)?.link_ids.length === 2, 40, 'it is one');
  t.equal(air.rows().length, 1);
  const [vehicle] = air.rig.fleet.vehicles();
  t.ok(vehicle);
  const names = (linkId: string): string[] => (vehicle ? linkNames(air, vehicle, linkId) : []);
  t.strictSame(names('air'), [UID, 'mavlink:second:1:1'], 'telemetry on each link names the address on the other');
  t.strictSame(names('second'), [UID, 'mavlink:air:1:1']);
});

function linkNames({ rig }: Air, vehicle: Vehicle, linkId: string): string[] {
  const from = vehicle.endpoints.on(linkId)?.from ?? '';
  return rig.fleet.identitiesOf(linkId, from, vehicle.sysid).map(({ value }) => value);
}
