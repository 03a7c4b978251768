import fc from 'fast-check';
import t from 'tap';
import { createCotCodec } from '../../../../src/edge/wire/cot/codec.ts';
import type { CotEvent } from '../../../../src/edge/wire/cot/event.ts';
import { writeProtobufEvent } from '../../../../src/edge/wire/cot/write_protobuf.ts';
import type { CotMessage } from '../../../../src/edge/wire/message.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';

const event: CotEvent = {
  ...{ uid: 'x.1', type: 'a-u-A', how: 'm-g', timeMs: 1_772_625_600_000, startMs: 1_772_625_599_000 },
  ...{ staleMs: 1_772_625_630_000, point: { lat: 47.5, lon: -8.25, haeM: 500.5, ceM: 6, leM: null } },
  detail: [
    { name: 'contact', attributes: { callsign: 'T-0042' } },
    { name: 'track', attributes: { course: 293.5, speed: 8 } },
    { name: 'remarks', attributes: {}, children: ['a < b'] },
  ],
};

/** Reads one datagram. */
function read(bytes: Uint8Array): { events: CotMessage[]; rejects: object } {
  const codec = createCotCodec({ datagrams: true });
  const events: CotMessage[] = [];
  codec.decode(bytes, 'peer', 0, (message) => events.push(message));
  return { events, rejects: Object.fromEntries(Object.entries(codec.rejects).filter(([, count]) => count > 0)) };
}

const f64 = (value: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString('hex');
};
const ascii = (value: string): string => Buffer.from(value, 'latin1').toString('hex');

t.test('an event has the bytes of TAK protocol 1', async (t) => {
  // Written by hand from protocol.txt: tag = field number × 8 + wire type; 0 varint, 1 double, 2 with a length.
  const varint = { time: '80bce0c5cb33', start: '98b4e0c5cb33', stale: 'b0a6e2c5cb33' };
  const remarks = '<remarks>a &lt; b</remarks>';
  const detail =
    `0a${remarks.length.toString(16)}${ascii(remarks)}` +
    `1208${'1206'}${ascii('T-0042')}` +
    `3a12${`11${f64(293.5)}`}${`09${f64(8)}`}`;
  const cot =
    `0a05${ascii('a-u-A')}2a03${ascii('x.1')}30${varint.time}38${varint.start}40${varint.stale}4a03${ascii('m-g')}` +
    `51${f64(47.5)}59${f64(-8.25)}61${f64(500.5)}69${f64(6)}71${f64(999_999)}` +
    `7a${(detail.length / 2).toString(16)}${detail}`;
  const length = Buffer.from([((cot.length / 2) & 0x7f) | 0x80, (cot.length / 2) >> 7]).toString('hex');
  t.equal(Buffer.from(writeProtobufEvent(event)).toString('hex'), `bf01bf12${length}${cot}`);
});

t.test('what the outlet writes, the reader of links reads', async (t) => {
  const { events, rejects } = read(writeProtobufEvent(event));
  t.same(rejects, {});
  t.strictSame(events, [
    {
      ...{ kind: 'cot', uid: 'x.1', type: 'a-u-A', how: 'm-g' },
      ...{ timeMs: event.timeMs, startMs: event.startMs, staleMs: event.staleMs },
      ...{ latDeg: 47.5, lonDeg: -8.25, altHaeM: 500.5, ceM: 6, leM: null },
      ...{ courseDeg: 293.5, speedMps: 8, callsign: 'T-0042', remarks: 'a < b' },
    },
  ]);
});

t.test('an element with more than its message has stays XML', async (t) => {
  const more = { name: 'contact', attributes: { callsign: 'A', phone: '1' } };
  const bytes = writeProtobufEvent({ ...event, detail: [more] });
  t.match(Buffer.from(bytes).toString('latin1'), '<contact callsign="A" phone="1"/>');
  t.match(read(bytes).events, [{ callsign: 'A' }]);
});

t.test('a place on the equator or the meridian comes through', async (t) => {
  for (const point of [
    { lat: 0, lon: 8.5 },
    { lat: 47, lon: 0 },
  ])
    t.match(read(writeProtobufEvent({ ...event, point })).events, [{ latDeg: point.lat, lonDeg: point.lon }]);
});

t.test('any event comes through both ways, with its numbers exactly', async (t) => {
  const times = fc.integer({ min: 1_000_000_000_000, max: 4_000_000_000_000 });
  const word = fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'abcXYZ0189 <>&"\'é漢🚁') });
  const any = fc.record({
    ...{ uid: word.map((value) => `u${value.trim()}`), timeMs: times, startMs: times, staleMs: times },
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: 0.001, max: 180, noNaN: true }),
    haeM: fc.option(fc.double({ min: -1_000, max: 100_000, noNaN: true })),
    callsign: word.map((value) => `c${value.trim()}`),
    remarks: word.map((value) => `r${value.trim()}`),
  });
  fc.assert(
    fc.property(any, ({ uid, timeMs, startMs, staleMs, lat, lon, haeM, callsign, remarks }) => {
      const detail = [
        { name: 'contact', attributes: { callsign } },
        { name: 'remarks', attributes: {}, children: [remarks] },
      ];
      const sent = {
        uid,
        type: 'a-n-A-M-F-Q',
        how: 'm-f',
        timeMs,
        startMs,
        staleMs,
        point: { lat, lon, haeM },
        detail,
      };
      const { events } = read(writeProtobufEvent(sent));
      t.match(events, [{ uid, timeMs, startMs, staleMs, latDeg: lat, lonDeg: lon, altHaeM: haeM, callsign, remarks }]);
      return events.length === 1;
    }),
    { seed: seedOf(t), numRuns: sized(300) },
  );
});
