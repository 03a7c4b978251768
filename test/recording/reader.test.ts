import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { segmentName } from '../../src/recording/format.ts';
import { RecordingReader } from '../../src/recording/reader.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { folderOf, gapsIn, offsetMs, Pen, recordsIn, seed, textsOf } from './rig.ts';

/** Three segments, of ten, then twenty, then thirty seconds, with a word a second. */
function threeSegments(folder: string): string[] {
  const pen = new Pen(folder);
  const words: string[] = [];
  for (let second = 0; second < 60; second++) {
    if ([0, 10, 30].includes(second)) pen.segment(second * 1000);
    if (second === 5) pen.zone(5_000, 'z', 'fence');
    if (second === 40) pen.zone(40_000, 'z', 'another fence');
    words.push(`word ${second}`);
    pen.bytes(second * 1000 + 1, Buffer.from(`word ${second}`), 'rid', `10.0.0.${second % 3}:1`);
    pen.write();
  }
  pen.close();
  return words;
}

t.test('what was written is read, once, in its order and with its times', async (t) => {
  const folder = folderOf(t);
  const words = threeSegments(folder);
  const records = recordsIn(folder);
  t.same(textsOf(records), words);
  t.match(
    records.find(({ kind }) => kind === 'bytes'),
    { linkId: 'rid', from: '10.0.0.0:1', atMs: 1, utcMs: offsetMs + 1 },
  );
  t.equal(records.filter(({ kind }) => kind === 'registry').length, 2, 'what segments say again is no news');
  t.same(RecordingReader.open(folder).span, { fromMs: 0, toMs: 59_001 });
  t.equal(RecordingReader.open(folder).utcOffsetMs, offsetMs);
});

t.test('it can be read from any time, and says what held then', async (t) => {
  const folder = folderOf(t);
  const words = threeSegments(folder);
  const reader = RecordingReader.open(folder);
  for (const second of [0, 9, 10, 11, 29, 35, 59, 60])
    t.same(textsOf([...reader.records(second * 1000)]), words.slice(second), `from ${second} s`);
  const zoneAt = (ms: number): unknown => reader.snapshotAt(ms).tables.rows('zones')[0]?.name;
  t.equal(zoneAt(4_999), undefined);
  t.equal(zoneAt(5_000), 'fence');
  t.equal(zoneAt(39_000), 'fence', 'from what the segment says again');
  t.equal(zoneAt(40_000), 'another fence');
  t.equal(reader.seek(39_000), 30_000);
  const { core } = reader.snapshotAt(reader.span.fromMs);
  t.match(core, { lastNumber: 41, restored: [] });
  t.equal(Buffer.from(core.seed).toString('hex'), seed);
});

t.test('a ring that was cut still plays, and knows what was said before its beginning', async (t) => {
  const folder = folderOf(t);
  const words = threeSegments(folder);
  rmSync(join(folder, segmentName(1)));
  t.same(textsOf(recordsIn(folder)), words.slice(10));
  const reader = RecordingReader.open(folder);
  t.equal(reader.snapshotAt(0).tables.rows('zones')[0]?.name, 'fence');
  t.equal(reader.span.fromMs, 10_000);
});

t.test('a tail torn at any byte is cut, and everything before it is there', async (t) => {
  const folder = folderOf(t);
  const words = threeSegments(folder);
  const last = join(folder, segmentName(3));
  const whole = readFileSync(last);
  const lastRecord = 8 + 17 + 2 + 'word 59'.length;
  for (let torn = 1; torn <= lastRecord; torn++) {
    writeFileSync(last, whole.subarray(0, whole.length - torn));
    const records = recordsIn(folder);
    t.same(textsOf(records), words.slice(0, -1), `${torn} bytes less`);
    t.same(
      records.filter(({ kind }) => kind === 'gap'),
      [],
    );
  }
});

t.test('where a segment in the middle is damaged, a gap says so and the next tells all that holds', async (t) => {
  const folder = folderOf(t);
  const words = threeSegments(folder);
  const middle = join(folder, segmentName(2));
  const bytes = readFileSync(middle);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0x10;
  writeFileSync(middle, bytes);
  const records = recordsIn(folder);
  const read = textsOf(records);
  t.same(read.slice(0, 10), words.slice(0, 10));
  t.same(read.slice(-30), words.slice(30));
  t.ok(read.length < 60);
  const at = records.findIndex(({ kind }) => kind === 'gap');
  t.match(records[at], { sentence: /is damaged at byte \d+: .*; reading continues with the next segment/ });
  t.ok(
    records.slice(at).some((record) => record.kind === 'registry' && record.table === 'zones' && record.op === 'all'),
    'zones are told whole after it',
  );
  truncateSync(middle, bytes.length >> 2);
  t.match(gapsIn(RecordingReader.open(folder)), [{ sentence: /the end of a segment is missing|damaged/ }]);
});

t.test('whatever is done to its bytes, reading ends, and what was not touched is read', async (t) => {
  const folder = folderOf(t);
  const words = threeSegments(folder);
  const other = join(folderOf(t), 'copy');
  mkdirSync(other);
  const change = fc.record({
    index: fc.integer({ min: 1, max: 3 }),
    at: fc.nat(),
    xor: fc.integer({ min: 1, max: 255 }),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      for (const index of [1, 2, 3]) copyFileSync(join(folder, segmentName(index)), join(other, segmentName(index)));
      for (const { index, at, xor } of changes) {
        const path = join(other, segmentName(index));
        const bytes = readFileSync(path);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ xor;
        writeFileSync(path, bytes);
      }
      const touched = new Set(changes.map(({ index }) => index));
      let read: string[] = [];
      try {
        read = textsOf(recordsIn(other));
      } catch (thrown) {
        // Only where nothing of it can be read.
        if (touched.size < 3) throw thrown;
      }
      const texts = new Set(words);
      if (!read.every((word) => texts.has(word))) throw new Error('read what was never written');
      const ranges = { 1: words.slice(0, 10), 2: words.slice(10, 30), 3: words.slice(30) };
      for (const [index, mine] of Object.entries(ranges))
        if (!touched.has(Number(index)) && !mine.every((word) => read.includes(word)))
          throw new Error(`segment ${index} was not touched and not read`);
    }),
    { seed: seedOf(t), numRuns: sized(300) },
  );
});

t.test('files that somebody made end with a sentence', async (t) => {
  const folder = folderOf(t);
  t.throws(() => RecordingReader.open(join(folder, 'nowhere')), { code: 'not_found' });
  t.throws(() => RecordingReader.open(folder), { code: 'invalid_input', message: /contains no readable data/ });
  const path = join(folder, segmentName(1));
  const huge = Buffer.alloc(30, 0xff);
  for (const text of ['', 'x', 'DUNLIN', 'DUNLINR2', 'DUNLINR1', 'DUNLINR1'.repeat(1000)]) {
    writeFileSync(path, text);
    t.throws(() => RecordingReader.open(folder), { code: 'invalid_input' }, text.slice(0, 20));
    appendFileSync(path, huge);
    t.throws(() => RecordingReader.open(folder), { code: 'invalid_input' }, `${text.slice(0, 20)} and more`);
  }
  rmSync(path);
  threeSegments(folder);
  appendFileSync(join(folder, segmentName(3)), huge);
  t.match(gapsIn(RecordingReader.open(folder)), [
    { sentence: /impossible length of 4294967295 bytes; the recording ends here/ },
  ]);
});
