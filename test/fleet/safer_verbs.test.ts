import t from 'tap';
import { copterUp, place } from '../support/fleet/air_up.ts';
import { COPTER_MODE } from '../support/vehicles/arducopter.ts';
import { moved } from '../support/vehicles/flight.ts';
import { Forger } from '../support/vehicles/forger.ts';

const OWN_SYSID = 245;

t.test('one heartbeat of a station with our system id refuses nothing, and neither do several at once', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const station = await Forger.open(t, copter.options.groundStation, { sysid: OWN_SYSID });
  const reasons = new Set<string | null | undefined>();
  air.watches.push(() => reasons.add(air.verb(id, 'goto')?.reason));
  for (let copies = 0; copies < 5; copies++) await station.station();
  await air.pass(6);
  await station.station();
  await air.pass(12);
  t.strictSame([...reasons], [null]);
  t.strictSame(air.rig.told.conflicts, []);
  t.notOk(air.rig.told.notes.includes('fleet.own_id_taken'));
});

t.test('a station with our system id that goes on is an alert, and takes no hold and no way home', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const station = await Forger.open(t, copter.options.groundStation, { sysid: OWN_SYSID });
  const beat = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await station.station();
      await air.pass(1);
    }
  };
  await beat(4);
  t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
  const where = new RegExp(`127\\.0\\.0\\.2:${station.port} .*system id ${OWN_SYSID}`);
  t.match(air.verb(id, 'goto')?.text, where);
  t.match(air.rig.told.conflicts, [{ name: 'Heron', text: where }]);
  const noted = (kind: string): number => air.rig.told.notes.filter((one) => one === kind).length;
  t.equal(noted('fleet.own_id_taken'), 1);
  t.equal(noted('fleet.id_conflict'), 1);
  t.equal((await air.fly(id, 'hold')).state, 'done');
  t.equal(copter.mode, COPTER_MODE.brake);
  await beat(3);
  t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
  await air.command(id, 'return_home');
  await air.until(() => copter.mode === COPTER_MODE.rtl, 3, 'it comes home');
  await air.until(() => air.rig.told.conflicts.at(-1)?.text === null, 12, 'it is over');
  await beat(4);
  t.equal(noted('fleet.own_id_taken'), 1, 'a row a minute at most');
});

t.test('while another address says to be the vehicle, the believed one is told to hold and to come home', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const forger = await Forger.open(t, copter.options.groundStation);
  const speak = async (seconds: number): Promise<void> => {
    for (let turn = 0; turn < seconds * 4; turn++) {
      await forger.beat();
      await forger.position(moved(copter.body, 0, 157), 600_000 + Math.round(air.nowMs - 1_000_000));
      await air.pass(0.25);
    }
  };
  await air.command(id, 'goto', place(moved(copter.body, 500, 0)));
  await speak(3);
  t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
  t.match(air.rig.told.conflicts, [{ name: 'Heron', text: /not accepted/ }]);
  await air.command(id, 'hold');
  await speak(2);
  t.equal(copter.mode, COPTER_MODE.brake);
  await air.command(id, 'return_home');
  await speak(2);
  t.equal(copter.mode, COPTER_MODE.rtl);
});
