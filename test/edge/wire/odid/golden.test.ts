import t from 'tap';
import { createOdidRawCodec } from '../../../../src/edge/wire/odid/codec.ts';
import { decodeMessage25 } from '../../../../src/edge/wire/odid/decode25.ts';
import { fieldsOf } from '../../../../src/edge/wire/odid/fields.ts';
import type { OdidMessage } from '../../../../src/edge/wire/odid/message.ts';
import { encodeMessage25 } from '../../../support/links/odid25.ts';
import { goldenLines, goldenMissing, isImplausible, normalisedWithType } from './golden.ts';

t.test('every golden 25-byte message decodes to its normalised values', { skip: goldenMissing }, async (t) => {
  for (const line of goldenLines('odid_raw25.jsonl')) {
    const decoded = decodeMessage25(fieldsOf(Buffer.from(line.hex, 'hex')), 0);
    if (line.si === null) {
      t.ok(decoded === 'unknown_type' || decoded === 'malformed', `${line.case}: refused`);
      continue;
    }
    if (typeof decoded === 'string') {
      t.fail(`${line.case}: ${decoded}`);
      continue;
    }
    t.same(normalisedWithType(decoded), line.si, line.case);
    t.notOk(isImplausible(decoded), `${line.case}: nothing in it is impossible`);
  }
});

t.test('golden messages are the same as datagrams and as lines of hex', { skip: goldenMissing }, async (t) => {
  const lines = goldenLines('odid_raw25.jsonl').filter((line) => line.si !== null);
  const asBytes: OdidMessage[] = [];
  const asText: OdidMessage[] = [];
  const datagrams = createOdidRawCodec({ datagrams: true });
  const stream = createOdidRawCodec({ datagrams: false });
  for (const { hex } of lines) {
    datagrams.decode(Buffer.from(hex, 'hex'), 'a:1', 0, ({ messages }) => asBytes.push(...messages));
    stream.decode(Buffer.from(`${hex}\r\n`), '', 0, ({ messages }) => asText.push(...messages));
  }
  t.equal(asBytes.length, lines.length);
  t.same(asText, asBytes);
});

t.test(
  'encoding a golden message again gives the bytes of the reference encoder',
  { skip: goldenMissing },
  async (t) => {
    for (const line of goldenLines('odid_raw25.jsonl')) {
      // Other spellings of the same values: old protocol versions, speeds with a needless multiplier, directions over 180.
      if (line.case.match(/^(proto version|speed enc|dir enc|vspeed enc|ts enc|type nibble 2)/)) continue;
      const decoded = decodeMessage25(fieldsOf(Buffer.from(line.hex, 'hex')), 0);
      if (typeof decoded === 'string' || decoded.type === 'system_update' || decoded.type === 'arm_status') continue;
      t.equal(encodeMessage25(decoded).toString('hex'), line.hex, line.case);
    }
  },
);
