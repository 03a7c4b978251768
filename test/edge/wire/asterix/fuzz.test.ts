import t from 'tap';
import { fuzzAsterix } from '../../../../scripts/fuzz/asterix.ts';
import { sized } from '../../../support/basics/size.ts';

t.test('damaged blocks break no promise of the codec', async (t) => {
  const seed = 40_000;
  t.comment(`seed ${seed}`);
  const wanted = sized(12_000);
  const { inputs, messages, refused } = fuzzAsterix(wanted, seed);
  t.equal(inputs, wanted);
  t.ok(messages > wanted / 2, `${messages} messages: what the damage left whole`);
  t.ok(refused > wanted / 2, `${refused} refused`);
});
