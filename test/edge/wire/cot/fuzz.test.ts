import t from 'tap';
import { fuzzCot } from '../../../../scripts/fuzz/cot.ts';
import { sized } from '../../../support/basics/size.ts';

t.test('damaged events break no promise of the codec', async (t) => {
  const seed = 40_000;
  t.comment(`seed ${seed}`);
  const wanted = sized(6_000);
  const { inputs, messages, refused } = fuzzCot(wanted, seed);
  t.equal(inputs, wanted);
  t.ok(messages > wanted / 3, `${messages} events: what the damage left whole, and those after it`);
  t.ok(refused > wanted / 3, `${refused} refused`);
});
