import fc from 'fast-check';
import t from 'tap';
import { writeEvent } from '../../../src/edge/wire/cot/event.ts';
import { writeXml, xmlText } from '../../../src/edge/wire/cot/xml.ts';
import { readXml } from '../../support/outlet/xml.ts';

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

t.test(
  'any text is well-formed in an attribute and in an element, and reads back without illegal characters',
  async (t) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (attribute, text) => {
        const written = writeXml({ name: 'a', attributes: { b: attribute }, children: [text] });
        const read = readXml(head + written);
        return read.attributes.b === xmlText(attribute) && read.text === xmlText(text);
      }),
    );
    t.equal(xmlText('a\u0000b\uD800c\uFFFEd\u{1F6F8}'), 'abcd\u{1F6F8}');
  },
);

t.test('an event is the head and one element, with unknown errors as TAK writes them', async (t) => {
  const at = Date.parse('2026-03-04T12:00:00.000Z');
  const times = { timeMs: at, startMs: at, staleMs: at + 30_000 };
  const bytes = writeEvent({
    uid: 'u',
    type: 'a-u-A',
    how: 'm-f',
    ...times,
    point: { lat: -1, lon: 2.00000004 },
    detail: [],
  });
  t.equal(
    Buffer.from(bytes).toString('utf8'),
    `${head}<event version="2.0" uid="u" type="a-u-A" how="m-f" time="2026-03-04T12:00:00.000Z" start="2026-03-04T12:00:00.000Z" stale="2026-03-04T12:00:30.000Z">` +
      '<point lat="-1.0000000" lon="2.0000000" hae="9999999.0" ce="9999999.0" le="9999999.0"/><detail/></event>',
  );
});
