import t from 'tap';
import { fuzzMqtt } from '../../../../scripts/fuzz/mqtt.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';

t.test('damaged publishes break no promise of the codec', async (t) => {
  const wanted = sized(12_000);
  const { inputs, messages, refused } = fuzzMqtt(wanted, seedOf(t));
  t.equal(inputs, wanted);
  t.ok(messages > wanted / 4, `${messages} messages: what the damage left whole`);
  t.ok(refused > wanted / 4, `${refused} refused`);
});
