import t from 'tap';
import { fuzzRadio } from '../../../../scripts/fuzz/radio.ts';
import { sized } from '../../../support/basics/size.ts';

t.test('damaged frames break no promise of the codecs, and no bad check sum gives a message', async (t) => {
  const seed = 30_000;
  t.comment(`seed ${seed}`);
  const wanted = sized(12_000);
  const { inputs, messages, refused } = fuzzRadio(wanted, seed);
  t.equal(inputs, wanted);
  t.ok(messages > wanted / 3, `${messages} messages: what the damage left whole`);
  t.ok(refused > wanted / 3, `${refused} refused`);
});
