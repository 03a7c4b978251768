import t from 'tap';
import { Air } from '../support/fleet/air.ts';
import { ArduCopter } from '../support/vehicles/arducopter.ts';

t.test(
  'a charge that a vehicle no longer reports becomes unknown after 30 s, but still forbids a flight',
  async (t) => {
    const air = new Air(t);
    const vehicle = new ArduCopter({ groundStation: (await air.link()).address, manual: true, ready: true });
    const id = await air.adopt(vehicle, 'Heron');
    await air.takeoff(id, 20);
    vehicle.battery.percent = 12;
    await air.until(() => air.row(id).energy_pct === 12, 3, 'its charge');
    vehicle.unsent.add('SYS_STATUS');
    await air.pass(25);
    t.equal(air.row(id).energy_pct, 12);
    t.match(air.verb(id, 'goto'), { available: false, reason: 'low_energy' });
    await air.until(() => air.row(id).energy_pct === null, 6, 'the charge is unknown');
    t.equal(air.row(id).endurance_s, null);
    t.match(air.verb(id, 'goto'), { available: false, reason: 'low_energy' });
    vehicle.unsent.delete('SYS_STATUS');
    await air.until(() => air.row(id).energy_pct !== null, 3, 'it is reported again');
  },
);
