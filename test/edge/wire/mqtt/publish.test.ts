import fc from 'fast-check';
import t from 'tap';
import { PacketLimit } from '../../../../src/edge/link/mqtt/packet_limit.ts';
import { jsonObjects } from '../../../../src/edge/wire/mqtt/json_objects.ts';
import { isTopicName, readPublishes, writePublish } from '../../../../src/edge/wire/mqtt/publish.ts';
import { sized } from '../../../support/basics/size.ts';

const publishes = fc.record({
  topic: fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((topic) => isTopicName(topic)),
  payload: fc.uint8Array({ maxLength: 20_000, size: 'max' }).map((bytes) => Buffer.from(bytes)),
  retain: fc.boolean(),
  qos: fc.constantFrom(0 as const, 1 as const),
});

t.test('publishes are read as they were written', async () => {
  fc.assert(
    fc.property(fc.array(publishes, { maxLength: 4 }), (given) => {
      const { publishes: read, fault } = readPublishes(Buffer.concat(given.map(writePublish)));
      return fault === null && JSON.stringify(read) === JSON.stringify(given);
    }),
    { numRuns: sized(100) },
  );
});

t.test('what is cut off or no publish is refused, and nothing throws', async (t) => {
  const whole = writePublish({ topic: 'a', payload: Buffer.from('b'), retain: false, qos: 0 });
  t.same(readPublishes(whole.subarray(0, -1)), { publishes: [], fault: 'length' });
  t.same(readPublishes(Buffer.from([0xc0, 0])), { publishes: [], fault: 'malformed' });
  t.same(readPublishes(Buffer.from([0x30, 3, 0, 1, 0x23])), { publishes: [], fault: 'malformed' }, 'a wildcard');
  t.same(readPublishes(Buffer.from([0x30, 3, 0, 1, 0xff])), { publishes: [], fault: 'malformed' }, 'no UTF-8');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      readPublishes(bytes);
    }),
    { numRuns: sized(500) },
  );
});

t.test('the limit of packets passes a stream on unchanged, however it is cut', async () => {
  const given = fc.tuple(fc.array(publishes, { maxLength: 3 }), fc.array(fc.integer({ min: 1, max: 900 })));
  fc.assert(
    fc.property(given, ([packets, cuts]) => {
      const stream = Buffer.concat(packets.map((one) => writePublish({ ...one, qos: 0 })));
      const limit = new PacketLimit();
      const passed: Uint8Array[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn++) {
        const size = cuts[turn % cuts.length] ?? stream.length;
        const { bytes, cut, fault } = limit.take(stream.subarray(at, at + size));
        if (cut.length > 0 || fault !== null) return false;
        passed.push(...bytes);
        at += size;
      }
      return Buffer.concat(passed).equals(stream);
    }),
    { numRuns: sized(100) },
  );
});

t.test('objects back to back are cut by their braces outside texts', async (t) => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant({ a: '}{' }))));
  const blanks = fc.constantFrom('', '\n', '\0', ' \r\n');
  fc.assert(
    fc.property(objects, blanks, (given, blank) => {
      const payload = Buffer.from(given.map((one) => JSON.stringify(one) + blank).join(''));
      return JSON.stringify(jsonObjects(payload, 1_000)) === JSON.stringify(given);
    }),
    { numRuns: sized(200) },
  );
  t.same(jsonObjects(Buffer.from('{"a":1}x{"b":2}'), 2), [{ a: 1 }, null], 'nothing after what is no object is read');
  t.same(jsonObjects(Buffer.from('{"a":'), 2), [null]);
  t.equal(jsonObjects(Buffer.from('{}'.repeat(100_000)), 64).length, 65, 'an excess is seen, and not read');
});
