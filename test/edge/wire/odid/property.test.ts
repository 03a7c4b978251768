import fc from 'fast-check';
import t from 'tap';
import { createOdidRawCodec } from '../../../../src/edge/wire/odid/codec.ts';
import { decodeMessage25 } from '../../../../src/edge/wire/odid/decode25.ts';
import { fieldsOf } from '../../../../src/edge/wire/odid/fields.ts';
import type { OdidLocation } from '../../../../src/edge/wire/odid/message.ts';
import { sized } from '../../../support/basics/size.ts';
import { encodeMessage25, encodePack } from '../../../support/links/odid25.ts';
import { broadcastMessages, locations } from './arbitraries.ts';

const seed = 20_260_302;
t.comment(`seed ${seed}`);

t.test('decoding what was encoded gives the same message', async (t) => {
  const property = fc.property(broadcastMessages, (message) => {
    t.same(decodeMessage25(fieldsOf(encodeMessage25(message)), 0), message);
  });
  fc.assert(property, { seed, numRuns: sized(500) });
});

t.test('any message is within half a step of the standard after a turn through 25 bytes', async () => {
  const property = fc.property(locations('mavlink'), (location) => {
    const decoded = decodeMessage25(fieldsOf(encodeMessage25(location)), 0) as OdidLocation;
    const near = (a: number | null, b: number | null, step: number) =>
      a === null || b === null ? a === b : Math.abs(a - b) <= step + 1e-6;
    const course = location.directionDeg === null ? null : Math.round(location.directionDeg) % 360;
    return (
      !decoded.implausible &&
      near(decoded.latDeg, location.latDeg, 0) &&
      near(decoded.lonDeg, location.lonDeg, 0) &&
      decoded.directionDeg === course &&
      near(decoded.speedHMps, location.speedHMps, (location.speedHMps ?? 0) > 63.75 ? 0.375 : 0.125) &&
      near(decoded.speedVMps, location.speedVMps, 0.5) &&
      // The sentinel stands half a step below the lowest altitude.
      near(decoded.altGeoM, location.altGeoM, (location.altGeoM ?? 0) < -999.5 ? 0.5 : 0.25) &&
      near(decoded.secondsAfterHour, location.secondsAfterHour, 0.05)
    );
  });
  fc.assert(property, { seed, numRuns: sized(1000) });
});

t.test('a pack gives back its messages', async (t) => {
  const contents = fc
    .array(broadcastMessages, { minLength: 1, maxLength: 9 })
    .filter((messages) => messages.filter(({ type }) => type === 'location').length <= 1);
  const property = fc.property(contents, (messages) => {
    const codec = createOdidRawCodec({ datagrams: true });
    codec.decode(encodePack(messages), 'a:1', 0, (report) =>
      t.same(report, { kind: 'odid_raw', pack: true, messages }),
    );
    t.equal(codec.messages, 1);
  });
  fc.assert(property, { seed, numRuns: sized(200) });
});

t.test('any datagram is one report or one refusal', async () => {
  const random = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
    fc.uint8Array({ minLength: 25, maxLength: 25 }),
    fc
      .tuple(fc.integer({ min: 1, max: 11 }), fc.uint8Array({ minLength: 250, maxLength: 250 }))
      .map(([count, body]) => Uint8Array.from([0xf2, 25, count, ...body.subarray(0, count * 25)])),
  );
  const codec = createOdidRawCodec({ datagrams: true });
  let sent = 0;
  let emitted = 0;
  const isText = (bytes: Uint8Array): boolean => /^[\s0-9a-f]*$/i.test(Buffer.from(bytes).toString('latin1'));
  const binary = random.filter((bytes) => !isText(bytes));
  const property = fc.property(binary, (bytes) => {
    codec.decode(bytes, 'a:1', 0, () => emitted++);
    sent++;
    const refused = Object.values(codec.rejects).reduce((sum, count) => sum + count, 0);
    return codec.messages === emitted && emitted + refused === sent;
  });
  fc.assert(property, { seed, numRuns: sized(5000) });
});
