import t from 'tap';
import { remarksOf } from '../../../src/edge/wire/cot/remarks.ts';
import { sampleTrack } from '../../../src/http/openapi/samples.ts';

t.test('remarks name an identity once, however many radios brought it', async (t) => {
  const [first] = sampleTrack.identities;
  if (first === undefined) throw new Error('the sample has no identity');
  const identities = (['bt4', 'bt5', 'wifi_beacon'] as const).map((transport) => ({ ...first, transport }));
  const remarks = remarksOf({ track: { ...sampleTrack, identities }, threat: null, asset: null, sensors: [] });
  t.equal(remarks, `${sampleTrack.number}; ${first.type} ${first.value} (claimed)`);
});
