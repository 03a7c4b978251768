import t from 'tap';
import { fuzzLines } from '../../../scripts/fuzz/lines.ts';
import { timesOf } from '../../support/basics/size.ts';

t.test('thousands of damaged lines break no promise of the codecs', async (t) => {
  const seed = 20_000;
  t.comment(`seed ${seed}`);
  const wanted = timesOf({ usual: 6_000, full: 20_000 });
  const { inputs, messages, refused } = fuzzLines(wanted, seed);
  t.equal(inputs, wanted);
  t.ok(messages > wanted, `${messages} messages: the good line after each input, and what the damage left whole`);
  t.ok(refused > wanted / 4, `${refused} refused`);
});
