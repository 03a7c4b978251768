import t from 'tap';
import { measure, measurement, toggleMeasurement } from '../../src/console/state/measure.ts';

const place = (lat: number) => ({ lat, lon: 4, name: null });

t.test('two clicks measure, a third begins anew, and nothing is taken when nobody measures', async (t) => {
  t.equal(measure(place(1)), false);
  toggleMeasurement();
  t.equal(measure(place(1)), true);
  t.same(measurement.value, { from: place(1), to: null });
  measure(place(2));
  t.same(measurement.value, { from: place(1), to: place(2) });
  measure(place(3));
  t.same(measurement.value, { from: place(3), to: null });
  toggleMeasurement();
  t.equal(measurement.value, null);
});
