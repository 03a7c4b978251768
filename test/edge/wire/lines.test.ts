import fc from 'fast-check';
import t from 'tap';
import { LineSplitter } from '../../../src/edge/wire/lines.ts';
import { sized } from '../../support/basics/size.ts';

type Seen = { lines: string[]; tooLong: number; evicted: number };

function collect(splitter: LineSplitter, pieces: readonly string[], from = 'a'): Seen {
  const seen: Seen = { lines: [], tooLong: 0, evicted: 0 };
  for (const piece of pieces) {
    splitter.push(Buffer.from(piece, 'latin1'), from, {
      line: (bytes) => seen.lines.push(bytes.toString('latin1')),
      lost: (why) => (why === 'length' ? seen.tooLong++ : seen.evicted++),
    });
  }
  return seen;
}

const limits = { maxBytes: 8, maxSenders: 3, datagrams: false };

t.test('CR, LF, CRLF and NUL end lines, and empty lines are nothing', async (t) => {
  const seen = collect(new LineSplitter(limits), ['a\rb\nc\r\nd\0\0e\n\n\r\0f']);
  t.same(seen, { lines: ['a', 'b', 'c', 'd', 'e'], tooLong: 0, evicted: 0 });
});

t.test('a line at the limit passes and one byte more is counted once and skipped to its end', async (t) => {
  t.same(collect(new LineSplitter(limits), ['12345678\n123456789\nok\n']), {
    lines: ['12345678', 'ok'],
    tooLong: 1,
    evicted: 0,
  });
  const byteByByte = [...`${'x'.repeat(1000)}\nok\n`];
  t.same(collect(new LineSplitter(limits), byteByByte), { lines: ['ok'], tooLong: 1, evicted: 0 });
});

t.test('senders do not mix, and a forgotten one begins anew', async (t) => {
  const splitter = new LineSplitter(limits);
  collect(splitter, ['one'], 'a');
  collect(splitter, ['two'], 'b');
  t.same(collect(splitter, ['1\n'], 'a').lines, ['one1']);
  splitter.forget('b');
  t.same(collect(splitter, ['2\n'], 'b').lines, ['2']);
  t.equal(splitter.senders, 0);
});

t.test('half-received lines are kept for so many senders, and the oldest gives way', async (t) => {
  const splitter = new LineSplitter(limits);
  for (const from of ['a', 'b', 'c']) collect(splitter, ['half'], from);
  t.equal(collect(splitter, ['half'], 'd').evicted, 1);
  t.equal(splitter.senders, 3);
  t.same(collect(splitter, ['!\n'], 'a').lines, ['!']);
  t.same(collect(splitter, ['!\n'], 'd').lines, ['half!']);
});

t.test('a datagram ends its line and leaves nothing behind', async (t) => {
  const splitter = new LineSplitter({ ...limits, datagrams: true });
  t.same(collect(splitter, ['a\nb', 'c', '123456789']), { lines: ['a', 'b', 'c'], tooLong: 1, evicted: 0 });
  t.equal(splitter.senders, 0);
});

t.test('however the bytes are cut, the lines are those of the whole', async (t) => {
  const seed = 20_250_601;
  t.comment(`seed ${seed}`);
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n', '\0', '\xff'), maxLength: 80 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(80)), (whole, cuts) => {
      const ends = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
      const pieces = ends.slice(1).map((end, i) => whole.slice(ends[i], end));
      const segments = whole.split(/[\r\n\0]/);
      const closed = segments.slice(0, -1);
      const seen = collect(new LineSplitter(limits), pieces);
      return (
        JSON.stringify(seen.lines) === JSON.stringify(closed.filter((s) => s.length > 0 && s.length <= 8)) &&
        seen.tooLong === segments.filter((s) => s.length > 8).length
      );
    }),
    { seed, numRuns: sized(2000) },
  );
});
