import t from 'tap';
import { fuzzLines } from '../../../scripts/fuzz/lines.ts';

t.test('twenty thousand damaged lines break no promise of the codecs', async (t) => {
  const seed = 20_000;
  t.comment(`seed ${seed}`);
  const { inputs, messages, refused } = fuzzLines(20_000, seed);
  t.equal(inputs, 20_000);
  t.ok(messages > 20_000, `${messages} messages: the good line after each input, and what the damage left whole`);
  t.ok(refused > 5_000, `${refused} refused`);
});
