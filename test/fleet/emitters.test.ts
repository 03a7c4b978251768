import t from 'tap';
import { onlyInFull } from '../support/basics/patience.ts';
import { Air } from '../support/fleet/air.ts';
import { ArduCopter } from '../support/vehicles/arducopter.ts';

onlyInFull(t);

const anna = { type: 'user', id: 'u1', name: 'anna', address: null } as const;

for (const affiliation of ['hostile', 'unknown'] as const)
  t.test(`a vehicle that a person confirmed as ${affiliation} is not adopted, and takes no command`, async (t) => {
    const air = new Air(t);
    const { address } = await air.link();
    await air.join(new ArduCopter({ groundStation: address, manual: true, ready: true }));
    await air.until(() => air.rows().length === 1, 20);
    const key = air.rows()[0]?.key ?? '';
    const { asset_id } = air.registry.registry.assignments.confirm(
      { serial: key, affiliation, expires_at: null },
      anna,
    );
    await air.pass(6);
    t.match(air.rows(), [{ key, adopted: false, asset_id: null }]);
    await t.rejects(air.command(asset_id, 'return_home'));
  });
