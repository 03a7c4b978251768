import t from 'tap';
import { copterUp, place } from '../../support/air_up.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { moved } from '../../support/vehicles/flight.ts';
import { Forger } from '../../support/vehicles/forger.ts';

const OWN_SYSID = 245;

t.test('one forged heartbeat of a station with our system id takes no hold and no way home', async (t) => {
  const { air, copter, id } = await copterUp(t);
  const station = await Forger.open(t, copter.options.groundStation, { sysid: OWN_SYSID });
  await station.station();
  await air.until(() => air.verb(id, 'goto')?.reason === 'id_conflict', 3, 'movements are refused');
  t.ok(air.rig.told.notes.includes('fleet.own_id_taken'));
  t.equal((await air.fly(id, 'hold')).state, 'done');
  t.equal(copter.mode, COPTER_MODE.brake);
  await station.station();
  await air.pass(0.2);
  t.equal(air.verb(id, 'goto')?.reason, 'id_conflict');
  await air.command(id, 'return_home');
  await air.until(() => copter.mode === COPTER_MODE.rtl, 3, 'it comes home');
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
  t.match(air.rig.told.conflicts, [{ name: 'Heron', text: /not believed/ }]);
  await air.command(id, 'hold');
  await speak(2);
  t.equal(copter.mode, COPTER_MODE.brake);
  await air.command(id, 'return_home');
  await speak(2);
  t.equal(copter.mode, COPTER_MODE.rtl);
});
