import t from 'tap';
import { person } from '../../src/console/words/person.ts';

t.test('a person is named as far as the box knows the name', async (t) => {
  t.equal(person('user:anna'), 'anna');
  t.equal(person('open:anna (anna)'), 'anna (not signed in)');
  t.equal(person('open:Ben'), 'Ben (not signed in)');
  t.equal(person('open:10.0.0.7'), 'somebody at 10.0.0.7');
  t.equal(person('open:fe80::1'), 'somebody at fe80::1');
  t.equal(person('key:gate'), 'key:gate');
  t.equal(person('rule zone_entry'), 'rule zone_entry');
});
