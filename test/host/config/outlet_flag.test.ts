import t from 'tap';
import { parseOutletSpec } from '../../../src/host/config/outlet_flag.ts';

const sentenceOf = (text: string): string => {
  try {
    parseOutletSpec(text);
    return '';
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

t.test('a missing option of an outlet is named as missing', async (t) => {
  const asterix = 'name=atc,kind=asterix,transport=udp,address=239.1.2.3:8600';
  t.equal(
    sentenceOf(asterix),
    `--outlet ${asterix}: options.sac: expected a number, received nothing; options.sic: expected a number, received nothing`,
  );
  t.match(sentenceOf(`${asterix},options.sac=text,options.sic=1`), /options\.sac: expected a number, received text$/);
  t.match(sentenceOf(`${asterix},options.sac=256,options.sic=1`), /options\.sac: must be at most 255; received 256$/);
  t.equal(sentenceOf(`${asterix},options.sac=1,options.sic=1`), '');
});
