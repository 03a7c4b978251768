import { readdirSync } from 'node:fs';
import t from 'tap';
import { RecordingReader } from '../../src/recording/reader.ts';
import { folderOf, manyBytes, Pen, recordsIn, textsOf } from './rig.ts';

const block = Buffer.alloc(1_000, 'x');

/** A segment every ten seconds, a kilobyte a second. */
function write(pen: Pen, fromS: number, toS: number): void {
  for (let second = fromS; second < toS; second++) {
    if (second % 10 === 0) pen.segment(second * 1000);
    if (second === 3) pen.zone(3_000, 'z', 'fence');
    pen.bytes(second * 1000, block);
    pen.write();
  }
}

t.test('a ring of so many bytes lets its oldest segments go, whole, and never takes more', async (t) => {
  const pen = new Pen(folderOf(t), { ...manyBytes, maxBytes: 50_000 });
  for (let second = 0; second < 300; second += 5) {
    write(pen, second, second + 5);
    t.ok(pen.writer.written.bytes <= 50_000, `${pen.writer.written.bytes} after ${second} s`);
  }
  pen.close();
  const { segments, bytes } = pen.writer.written;
  t.ok(bytes > 35_000 && segments === readdirSync(pen.folder).length);
  const reader = RecordingReader.open(pen.folder);
  t.equal(reader.span.fromMs % 10_000, 0);
  t.equal(textsOf([...reader.records()]).length, 300 - reader.span.fromMs / 1000);
  t.equal(
    reader.snapshotAt(reader.span.fromMs).tables.rows('zones')[0]?.name,
    'fence',
    'said long before its beginning',
  );
});

t.test('a ring of so many seconds keeps them, and not much more', async (t) => {
  const pen = new Pen(folderOf(t), { ...manyBytes, maxMs: 60_000 });
  write(pen, 0, 300);
  pen.close();
  const { fromMs, toMs } = RecordingReader.open(pen.folder).span;
  t.equal(toMs, 299_000);
  t.ok(toMs - fromMs >= 60_000 && toMs - fromMs <= 80_000, `${toMs - fromMs} ms`);
});

t.test('a segment alone that is larger than the ring stays until there is another', async (t) => {
  const pen = new Pen(folderOf(t), { ...manyBytes, maxBytes: 5_000 });
  write(pen, 0, 10);
  t.equal(textsOf(recordsIn(pen.folder)).length, 10);
  write(pen, 10, 12);
  pen.close();
  t.equal(textsOf(recordsIn(pen.folder)).length, 2);
});
