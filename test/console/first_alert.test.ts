import t from 'tap';
import { firstAlert, takeFirstAlert } from '../../src/console/state/first_alert.ts';
import type { Alert } from '../../src/model/alert.ts';

const alert = (id: string): Alert => ({ id }) as Alert;

t.test('a key acknowledges only what has been the first of the list for 700 ms', async (t) => {
  t.equal(firstAlert(0), null, 'no list is on the screen');
  takeFirstAlert(alert('a'), 'a warning', 1_000);
  t.match(firstAlert(1_699), { alert: { id: 'a' }, isNew: true });
  takeFirstAlert(alert('a'), 'a warning', 1_650);
  t.match(firstAlert(1_700), { alert: { id: 'a' }, isNew: false }, 'a new drawing alone changes nothing');
  takeFirstAlert(alert('a'), 'a critical', 2_000);
  t.match(firstAlert(2_100), { isNew: true }, 'an alert that became worse is new');
  takeFirstAlert(alert('b'), 'b critical', 3_000);
  t.match(firstAlert(3_100), { alert: { id: 'b' }, isNew: true }, 'so is another first alert');
  takeFirstAlert(null, '', 4_000);
  t.equal(firstAlert(9_000), null);
  takeFirstAlert(alert('b'), 'b critical', 10_000);
  t.match(firstAlert(10_100), { isNew: true }, 'and one that came back');
});
