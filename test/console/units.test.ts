import t from 'tap';
import { durationText, momentText } from '../../src/console/words/units.ts';

t.test('a time of another day is shown with its date', async (t) => {
  const at = '2026-06-01T23:59:58.000Z';
  t.equal(momentText(at, '2026-06-01T23:59:59.000Z'), '23:59:58Z');
  t.equal(momentText(at, '2026-06-02T00:00:01.000Z'), '2026-06-01 23:59:58Z');
});

t.test('a duration has the two units that matter', async (t) => {
  t.same([41, 245, 7_800].map(durationText), ['41 s', '4 min 05 s', '2 h 10 min']);
});
