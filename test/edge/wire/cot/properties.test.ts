import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { createCotCodec } from '../../../../src/edge/wire/cot/codec.ts';
import { writeProtobufEvent } from '../../../../src/edge/wire/cot/write_protobuf.ts';
import { collectGarbage } from '../../../support/basics/garbage.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import { foreignEvent } from '../../../support/links/cot_events.ts';

const timeMs = 1_780_000_000_000;
const plain = foreignEvent({ uid: 'p.1', callsign: 'P é', timeMs, lat: 1, lon: 2, course: 3, speed: 4 });

type Read = { uids: string[]; rejects: object };

function readStream(chunks: readonly Uint8Array[]): Read {
  const codec = createCotCodec();
  const uids: string[] = [];
  for (const chunk of chunks) codec.decode(chunk, 'peer', 0, ({ uid }) => uids.push(uid));
  return { uids, rejects: { ...codec.rejects } };
}

/** Text of a hostile stream: good events, halves of them, marks, noise and long runs. */
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.nat(9).map((n) => Buffer.from(foreignEvent({ uid: `e${n}`, timeMs, lat: n + 1, lon: 2 }))),
  },
  fc.nat(plain.length).map((length) => Buffer.from(plain.subarray(0, length))),
  fc
    .constantFrom('<event ', '</event>', '<event', '<events/>', '\n', '\0', 'noise', '<?xml?>', '<')
    .map((s) => Buffer.from(s)),
  { weight: 1, arbitrary: fc.integer({ min: 30_000, max: 70_000 }).map((length) => Buffer.alloc(length, 'x')) },
);

t.test('a stream gives the same events and rejects however it is cut', async (t) => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), cuts, (pieces, at) => {
      const bytes = Buffer.concat(pieces);
      const places = [0, ...at.map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
      t.strictSame(readStream(chunks), readStream([bytes]));
    }),
    { seed: seedOf(t), numRuns: sized(150) },
  );
});

t.test('a stream gives the same, byte by byte', async (t) => {
  const bytes = Buffer.concat([
    Buffer.from('<event <event'),
    plain,
    Buffer.from('x</event>'),
    plain,
    plain.subarray(0, 30),
  ]);
  const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
  t.strictSame(readStream(single), readStream([bytes]));
  t.equal(readStream(single).uids.length, 2);
});

t.test('each damaged datagram is one event or is refused for one reason, and nothing is thrown', async (t) => {
  const protobuf = writeProtobufEvent({
    ...{ uid: 'p.1', type: 'a-u-A', how: 'm-g', timeMs, startMs: timeMs, staleMs: timeMs, point: { lat: 1, lon: 2 } },
    detail: [{ name: 'remarks', attributes: {}, children: ['r'] }],
  });
  const damage = fc.record({
    of: fc.constantFrom(plain, protobuf),
    flips: fc.array(fc.tuple(fc.nat(), fc.nat(7)), { minLength: 1, maxLength: 6 }),
    keep: fc.double({ min: 0, max: 1, noNaN: true }),
    isCut: fc.boolean(),
  });
  fc.assert(
    fc.property(damage, ({ of, flips, keep, isCut }) => {
      const bytes = Buffer.from(isCut ? of.subarray(0, Math.floor(keep * of.length)) : of);
      for (const [at, bit] of flips)
        if (bytes.length > 0) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
      const codec = createCotCodec({ datagrams: true });
      let events = 0;
      codec.decode(bytes, 'peer', 0, () => events++);
      const refused = Object.values(codec.rejects).reduce((sum, count) => sum + count, 0);
      return events + refused === 1;
    }),
    { seed: seedOf(t), numRuns: sized(3_000) },
  );
});

t.test('halves of events from many senders need a limited memory', async (t) => {
  const codec = createCotCodec();
  const half = Buffer.from(`<event ${'x'.repeat(60_000)}`);
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 2_000; i++) codec.decode(half, `10.0.0.1:${i}`, 0, () => {});
  // Buffers are freed by a thread beside, some time after the collection.
  const grownMb = (): number => (process.memoryUsage().arrayBuffers - before) / 2 ** 20;
  for (let look = 0; look < 100 && grownMb() >= 16; look++) {
    collectGarbage();
    await setImmediate();
  }
  t.ok(grownMb() < 16, `${grownMb().toFixed(1)} MB after 120 MB of halves`);
  t.equal(codec.rejects.malformed, 2_000 - 64, 'each evicted half is counted');
});
