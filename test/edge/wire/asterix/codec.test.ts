import fc from 'fast-check';
import t from 'tap';
import { createAsterixCodec } from '../../../../src/edge/wire/asterix/codec.ts';
import type {
  AsterixMessage,
  RadarPlot,
  ServiceReport,
  SystemTrack,
} from '../../../../src/edge/wire/asterix/message.ts';
import { layoutOf } from '../../../../src/edge/wire/asterix/notation.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import {
  asterixBlock,
  asterixRecord,
  northRecord,
  plotRecord,
  trackRecord,
  wide,
} from '../../../support/links/asterix_blocks.ts';
import { type Fed, feed, rejected } from '../../../support/links/line_feeding.ts';

const timeS = 43_200.5;
const plot = { timeS, rangeM: 2_600, azimuthDeg: 72.2, track: 11 };
const flying = { timeS, track: 4711, lat: 47.2, lon: 8.74 };

const decode = (...blocks: Buffer[]): Fed<AsterixMessage> =>
  feed(createAsterixCodec({ datagrams: true }), Buffer.concat(blocks));
const plotOf = (more: Partial<Parameters<typeof plotRecord>[0]>): RadarPlot =>
  decode(asterixBlock(48, plotRecord({ ...plot, ...more }))).messages[0] as RadarPlot;
const trackOf = (more: Partial<Parameters<typeof trackRecord>[0]>): SystemTrack =>
  decode(asterixBlock(62, trackRecord({ ...flying, ...more }))).messages[0] as SystemTrack;

t.test('a plot has its place as the radar measured it, in steps of the wire', async (t) => {
  const { rangeM, azimuthDeg, altMslM, source, timeOfDayS, track } = plotOf({ altMslM: -38 });
  t.match({ source, timeOfDayS, track }, { source: '204/17', timeOfDayS: timeS, track: 11 });
  t.ok(Math.abs((rangeM ?? 0) - 2_600) <= 1_852 / 512 && Math.abs((azimuthDeg ?? 0) - 72.2) <= 360 / 131_072);
  t.ok(Math.abs((altMslM ?? 0) + 38) <= 3.9, 'a height of 14 bits below the sea is negative');
});

t.test('velocity is that of a track: a plot without one has none', async (t) => {
  const speed = { mps: 12, courseDeg: 288 };
  t.ok(Math.abs((plotOf({ speed }).speedMps ?? 0) - 12) < 0.1);
  const { track: _track, ...alone } = plot;
  const [bare] = decode(asterixBlock(48, plotRecord({ ...alone, speed }))).messages as RadarPlot[];
  t.match(bare, { speedMps: null, courseDeg: null, isConfirmed: null, track: null });
});

t.test('status, warnings and addresses of a target', async (t) => {
  t.match(plotOf({ status: [0x80] }), { isConfirmed: false, isLast: false });
  t.match(plotOf({ status: [0x01, 0x80] }), { isConfirmed: true, isLast: true });
  t.match(plotOf({ codes: [19, 23], icao24: 0x4b5c6d }), { codes: [19, 23], icao24: '4B5C6D' });
  t.match(plotOf({ descriptor: [0x00] }), { isGuess: true });
  t.equal(plotOf({ icao24: 0 }).icao24, null, 'an address of zeros is nobody’s');
});

t.test('simulated and test targets are not allowed, in each category', async (t) => {
  const refused = (block: Buffer) => t.same(decode(block).rejects, rejected({ not_allowed: 1 }));
  refused(asterixBlock(48, plotRecord({ ...plot, descriptor: [0x30] })));
  refused(asterixBlock(48, plotRecord({ ...plot, descriptor: [0x21, 0x80] })));
  refused(asterixBlock(62, trackRecord({ ...flying, status: [0x01, 0x80] })));
  const report = (status: number[]) =>
    asterixRecord([
      [0, [204, 60]],
      [1, status],
      [10, [0x4b, 0x5c, 0x6d]],
    ]);
  refused(asterixBlock(21, report([0x01, 0x20])));
  refused(asterixBlock(21, report([0x01, 0x10])));
  t.equal(decode(asterixBlock(21, report([0x01, 0x40]))).messages.length, 1, 'one on the ground is allowed');
  // Fixed transponders that monitor the radar or the station, and tracks whose newest plot is simulated.
  refused(asterixBlock(48, plotRecord({ ...plot, descriptor: [0x22] })));
  refused(asterixBlock(21, report([0x02])));
  const simulatedPlot = asterixRecord([
    [0, [204, 50]],
    [3, wide(100, 3)],
    [11, [0, 9]],
    [12, [0]],
    [27, [0x04, 0x10]],
  ]);
  refused(asterixBlock(62, simulatedPlot));
});

t.test('a system track that coasts or ends says so', async (t) => {
  t.match(trackOf({ ageS: 1.75 }), { isCoasting: false, isLast: false, isConfirmed: true });
  t.match(trackOf({ ageS: 2.25 }), { isCoasting: true });
  t.match(trackOf({ status: [0x01, 0x01, 0x01, 0x80] }), { isCoasting: true });
  t.match(trackOf({ status: [0x03, 0x40] }), { isLast: true, isConfirmed: false });
  const inPlane = asterixRecord([
    [0, [204, 50]],
    [3, wide(100, 3)],
    [5, wide(1, 6)],
    [11, [0, 9]],
    [12, [0]],
  ]);
  t.same(decode(asterixBlock(62, inPlane)).rejects, rejected({ unknown_type: 1 }), 'a place in its plane is none');
});

t.test('a radar tells of north, its turn, its place and its fault', async (t) => {
  const site = { lat: 47.2, lon: -8.73, altMslM: -12 };
  const serviceOf = (more: object) =>
    decode(asterixBlock(34, northRecord({ timeS, ...more }))).messages[0] as ServiceReport;
  t.match(serviceOf({ turnS: 2 }), { event: 'north', turnS: 2, site: null });
  t.notOk('trouble' in serviceOf({}), 'a message without 050 says nothing of faults');
  t.match(serviceOf({ isNoGo: true }).trouble, { state: 'fault' });
  t.equal(serviceOf({ isNoGo: false }).trouble, null);
  t.match(serviceOf({ type: 2 }), { event: 'sector' });
  const placed = serviceOf({ site }).site;
  t.ok(placed && Math.abs(placed.latDeg - 47.2) < 2e-5 && Math.abs(placed.lonDeg + 8.73) < 2e-5);
  t.equal(placed?.altMslM, -12);
});

t.test('each wrong block has one reason, and the blocks before it are read', async (t) => {
  const good = asterixBlock(48, plotRecord(plot), plotRecord(plot));
  const wrong: [string, Buffer, object][] = [
    ['a length below the header', Buffer.from([48, 0, 2, 1]), { length: 1 }],
    ['a block that ends before its length', good.subarray(0, -1), { length: 1 }],
    ['another category', Buffer.from([250, 0, 8, 1, 2, 3, 4, 5]), { unknown_type: 1 }],
    ['a record that ends too early', asterixBlock(48, plotRecord(plot).slice(0, -1)), { malformed: 1 }],
    ['an unused bit', asterixBlock(62, [0x40, 1, 2]), { malformed: 1 }],
    ['a record without items', asterixBlock(48, [0, 0, 0]), { malformed: 1 }],
    ['a field specification without end', asterixBlock(48, new Array(9).fill(0xff)), { malformed: 1 }],
    ['a count beyond the block', asterixBlock(48, [0x01, 0x20, 0xff, 0, 0]), { malformed: 1 }],
    ['a record without a source', asterixBlock(48, asterixRecord([[1, [0, 0, 1]]])), { malformed: 1 }],
  ];
  for (const [what, block, counts] of wrong) {
    const { messages, rejects } = decode(good, block);
    t.same(rejects, rejected(counts), what);
    t.equal(messages.length, 2, `${what}: the good block`);
  }
});

t.test('parts of an item that a later edition added are passed over, and RE and SP by their length', async (t) => {
  const later = plotRecord({ ...plot, descriptor: [0x21, 1, 1, 1, 1, 1, 1, 0] });
  const reserved = asterixRecord([
    [0, [204, 17]],
    [2, [0x20]],
    [3, [1, 0, 1, 0]],
    [26, [3, 9, 9]],
    [27, [1]],
  ]);
  const { messages, rejects } = decode(asterixBlock(48, later, reserved));
  t.equal(messages.length, 2);
  t.same(rejects, rejected({}));
});

t.test('a stream gives what its datagrams give, however it is cut', async (t) => {
  const blocks = [
    asterixBlock(34, northRecord({ timeS, turnS: 2 })),
    asterixBlock(48, plotRecord(plot), plotRecord({ ...plot, track: 12 })),
    Buffer.from([250, 0, 8, 1, 2, 3, 4, 5]),
    asterixBlock(62, trackRecord(flying)),
  ];
  const bytes = Buffer.concat(blocks);
  const datagrams = decode(...blocks);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 30 }), (cuts) => {
      const stream = feed(createAsterixCodec({ datagrams: false }), bytes, cuts);
      return JSON.stringify(stream) === JSON.stringify(datagrams);
    }),
    { seed: seedOf(t), numRuns: sized(200) },
  );
});

t.test('a stream goes on at the next block after rubbish, which counts once', async (t) => {
  const good = asterixBlock(48, plotRecord(plot));
  const { messages, rejects } = feed(
    createAsterixCodec({ datagrams: false }),
    Buffer.concat([good, Buffer.from([9, 0, 1, 0, 0, 0, 255, 255, 255]), good, good]),
  );
  t.equal(messages.length, 3);
  t.same(rejects, rejected({ length: 1 }));
  const codec = createAsterixCodec({ datagrams: false });
  codec.decode(good.subarray(0, 5), 'gone', 0, () => {});
  codec.forget('gone');
  t.same(codec.rejects, rejected({ length: 1 }), 'a block that nobody completes is a wrong length');
  t.equal(feed(codec, good).messages.length, 1);
});

t.test('a bit that is turned over makes another message or a reason, never more than the records', async (t) => {
  const block = asterixBlock(48, plotRecord(plot), plotRecord({ ...plot, codes: [19] }));
  fc.assert(
    fc.property(fc.nat({ max: block.length * 8 - 1 }), (bit) => {
      const turned = Buffer.from(block);
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const { messages, rejects, counted } = decode(turned);
      const refused = Object.values(rejects).reduce((sum, count) => sum + count, 0);
      return messages.length === counted && messages.length + refused >= 1;
    }),
    { seed: seedOf(t), numRuns: sized(400) },
  );
});

t.test('a table that is wrong is refused at once', async (t) => {
  for (const text of ['(A:3 B:4)', ':x9', '(A:8', '<A:8 (B:4)>', 'A:8 B:8']) t.throws(() => layoutOf(text), text);
  t.doesNotThrow(() => layoutOf('[A:7 | B(C:3 D:3) .1]'));
});

t.test('the composed number of a track takes three octets a system, and the rest of the block is read', async (t) => {
  const composed = [0x05, 0x00, 0x57, 0x06, 0x00, 0x2a];
  const items = [
    ...([
      [0, [204, 50]],
      [3, [0, 0, 0]],
      [4, [0, 0x86, 0x41, 0xfe, 0, 0x18, 0, 0]],
      [11, [0, 7]],
      [12, [0]],
    ] as const),
    ...([[25, composed]] as const),
  ];
  const { messages, rejects } = decode(asterixBlock(62, asterixRecord(items), trackRecord(flying)));
  t.same(rejects, rejected({}));
  t.match(messages, [{ track: 7 }, { track: 4711 }]);
});
