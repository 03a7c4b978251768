import t from 'tap';
import { silencesOf } from '../../src/console/state/silences.ts';

const atMs = (clock: string): number => Date.parse(`2026-06-01T${clock}Z`);
const row = (kind: string, clock: string, sensor = 'S') => ({
  ...{ id: `${kind} ${clock} ${sensor}`, at: `2026-06-01T${clock}Z`, kind },
  subject: { type: 'sensor' as const, id: sensor, label: sensor },
});
const silent = row('sensor.silent', '10:00:00');
const received = row('sensor.heard', '10:04:00');

t.test('a silence that is over is told with its begin and end, in whatever order its rows come', async (t) => {
  const silence = { count: 1, last: { from: silent.at, to: received.at } };
  t.same([...silencesOf([received, silent, received], atMs('11:00:00'))], [['S', silence]]);
});

t.test('a silence that goes on is none of the past, and neither is one of another sensor', async (t) => {
  t.equal(silencesOf([silent], atMs('11:00:00')).size, 0);
  t.equal(silencesOf([silent, row('sensor.heard', '10:04:00', 'other')], atMs('11:00:00')).size, 0);
});

t.test('silences of a day are counted, and the latest is shown', async (t) => {
  const again = [row('sensor.silent', '12:00:00'), row('sensor.not_silent', '12:01:00')];
  t.match(silencesOf([silent, received, ...again], atMs('13:00:00')).get('S'), {
    count: 2,
    last: { from: again[0]?.at, to: again[1]?.at },
  });
});

t.test('a silence that ended more than a day ago is left out', async (t) => {
  t.equal(silencesOf([silent, received], atMs('10:04:01') + 86_400_000).size, 0);
});
