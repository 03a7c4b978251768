import t from 'tap';
import { vehicleOf } from '../../src/console/state/alert_vehicle.ts';
import { sampleAlert } from '../../src/http/openapi/alert_samples.ts';

const fleet = ['Heron', 'Heron 2', 'Wren'].map((name) => ({ key: `key of ${name}`, name, asset_id: `id of ${name}` }));
const text = 'Crewed aircraft T-0001 is 1.0 km from Heron 2. Give way: order hold or return home in Fleet.';

t.test('an alert about a vehicle of ours leads to its card', async (t) => {
  t.equal(vehicleOf({ ...sampleAlert, rule_id: 'crewed_aircraft_near', text }, fleet), 'key of Heron 2');
  t.equal(vehicleOf({ ...sampleAlert, rule_id: 'zone_entry', text }, fleet), null, 'a zone may have its name');
  const subject = { type: 'asset' as const, id: 'id of Wren', label: 'Wren' };
  t.equal(vehicleOf({ ...sampleAlert, subject, text: 'no telemetry' }, fleet), 'key of Wren');
});
