import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { readCursor, writeCursor } from '../../../src/store/log/cursor.ts';
import { createReader, type HistoryReader, type Page } from '../../../src/store/log/reader.ts';
import { sized } from '../../support/basics/size.ts';
import { EngineBench, hourMs, noonMs, packed } from '../../support/store/history_engine.ts';
import { detectionAt, detectionRow, eventAt, pointAt } from '../../support/store/history_rows.ts';

const seed = 20_260_305;
const trackIds = [randomUUID(), randomUUID()];
const sensorIds = [randomUUID(), randomUUID()];

/** Times within three days, so few that many rows share a millisecond. */
const times = fc
  .array(fc.integer({ min: 0, max: 15 }), { minLength: 0, maxLength: 60 })
  .map((steps) => steps.map((step) => noonMs - 36 * hourMs + step * 4 * hourMs));

function readerOf(bench: EngineBench): HistoryReader {
  return createReader(
    async (question) => bench.engine.ask(question),
    () => {},
  );
}

/** Every row of every page; between pages `disturb` is called. */
async function walk<T>(
  page: (cursor: string | null) => Promise<Page<T>>,
  disturb: () => void = () => {},
): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | null = null;
  do {
    const { rows: more, next }: Page<T> = await page(cursor);
    rows.push(...more);
    cursor = next;
    disturb();
  } while (cursor !== null);
  return rows;
}

function newestFirst(texts: readonly string[]): boolean {
  return texts.every((text, i) => i === 0 || text <= (texts[i - 1] ?? ''));
}

t.test('pages of detections give every row exactly once, the newest first, while newer rows arrive', async (t) => {
  t.comment(`seed ${seed}`);
  let round = 0;
  const root = t.testdir();
  await fc.assert(
    fc.asyncProperty(
      times,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 3 }),
      async (atMs, limit, filter) => {
        const bench = new EngineBench(`${root}/${round++}`);
        const made = atMs.map((ms, i) =>
          detectionAt(ms, { track_id: trackIds[i % 3] ?? null, sensor_id: sensorIds[i % 2] ?? '' }),
        );
        bench.put(...made.map((row) => packed('detection', detectionRow(row))));
        const trackId = (filter & 1) === 1 ? trackIds[0] : undefined;
        const sensorId = (filter & 2) === 2 ? sensorIds[1] : undefined;
        const reader = readerOf(bench);
        const seen = await walk(
          (cursor) => reader.detections({ limit, cursor, trackId, sensorId }),
          () =>
            bench.put(
              packed('detection', detectionRow(detectionAt(noonMs + 24 * hourMs, { track_id: trackIds[0] ?? null }))),
            ),
        );
        bench.engine.close();
        const wanted = made.filter(
          (row) =>
            (trackId === undefined || row.track_id === trackId) &&
            (sensorId === undefined || row.sensor_id === sensorId),
        );
        const ids = seen.map(({ id }) => id);
        return (
          newestFirst(seen.map((row) => row.received_at)) &&
          new Set(ids).size === ids.length &&
          ids.length === wanted.length &&
          wanted.every(({ id }) => ids.includes(id))
        );
      },
    ),
    { seed, numRuns: sized(60) },
  );
  t.pass('holds');
});

t.test('pages of events hold to their filters and bounds, each row once', async (t) => {
  t.comment(`seed ${seed}`);
  let round = 0;
  const root = t.testdir();
  await fc.assert(
    fc.asyncProperty(times, fc.integer({ min: 1, max: 7 }), fc.nat(60), async (atMs, limit, sinceSeq) => {
      const bench = new EngineBench(`${root}/${round++}`);
      const made = atMs.map((ms, i) =>
        eventAt(ms, i + 1, {
          kind: i % 2 === 0 ? 'track.new' : 'link.down',
          severity: i % 3 === 0 ? 'warning' : 'info',
        }),
      );
      bench.put(...made.map((row) => packed('event', row)));
      const [sinceMs, untilMs] = [noonMs - 20 * hourMs, noonMs + 12 * hourMs];
      const reader = readerOf(bench);
      const all = await walk((cursor) => reader.events({ limit, cursor }));
      const some = await walk((cursor) =>
        reader.events({ limit, cursor, kind: 'link.down', severity: 'notice', sinceSeq, sinceMs, untilMs }),
      );
      bench.engine.close();
      const wanted = made.filter((event) => {
        const ms = Date.parse(event.at);
        const inBounds = event.seq > sinceSeq && ms >= sinceMs && ms < untilMs;
        return inBounds && event.kind === 'link.down' && event.severity === 'warning';
      });
      const seqs = (rows: readonly { seq: number }[]): number[] => rows.map(({ seq }) => seq).sort((a, b) => a - b);
      t.same(
        all.toSorted((a, b) => a.seq - b.seq),
        made,
      );
      t.same(seqs(some), seqs(wanted));
      return newestFirst(all.map(({ at }) => at)) && newestFirst(some.map(({ at }) => at));
    }),
    { seed, numRuns: sized(40) },
  );
});

t.test('pages of a path are in time order, each point once; a step thins it to the first point of each', async (t) => {
  t.comment(`seed ${seed}`);
  let round = 0;
  const root = t.testdir();
  const offsets = fc.uniqueArray(fc.integer({ min: 0, max: 200_000 }), { maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(
      offsets,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(0, 1, 7, 60),
      async (made, limit, stepS) => {
        const bench = new EngineBench(`${root}/${round++}`);
        const [trackId = '', other = ''] = trackIds;
        const times = made.map((offset) => noonMs - 12 * hourMs - 100_000 + offset);
        bench.put(
          ...times.flatMap((ms) => [packed('point', pointAt(ms, trackId)), packed('point', pointAt(ms + 1, other))]),
        );
        const reader = readerOf(bench);
        const seen = await walk((cursor) => reader.trackPoints({ trackId, limit, cursor, stepS }));
        bench.engine.close();
        const wanted = times
          .toSorted((a, b) => a - b)
          .filter((ms, i, sorted) => {
            const before = sorted[i - 1];
            return (
              stepS === 0 ||
              before === undefined ||
              Math.floor(ms / (stepS * 1_000)) > Math.floor(before / (stepS * 1_000))
            );
          });
        t.same(
          seen.map(({ at }) => Date.parse(at)),
          wanted,
        );
      },
    ),
    { seed, numRuns: sized(60) },
  );
});

t.test('a cursor that no list gave, or another one, is invalid input', async (t) => {
  const bench = new EngineBench(t.testdir());
  const reader = readerOf(bench);
  const good = writeCursor('detections', { ms: noonMs, number: 3 });
  t.same(readCursor('detections', good), { ms: noonMs, number: 3 });
  for (const bad of [
    '',
    'x',
    '../../etc',
    `${good}=`,
    `${good}A`,
    writeCursor('events', { ms: 1, number: 1 }),
    '\u0000',
  ]) {
    await t.rejects(reader.detections({ cursor: bad }), { code: 'invalid_input', message: /^cursor is not valid/ });
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      t.throws(() => readCursor('points', text), { code: 'invalid_input' });
    }),
    { seed, numRuns: sized(200) },
  );
  bench.engine.close();
});

t.test('the limit is 200 unless given, at least 1 and at most 1 000', async (t) => {
  const bench = new EngineBench(t.testdir());
  bench.put(...Array.from({ length: 1_100 }, (_, i) => packed('event', eventAt(noonMs, i + 1))));
  const reader = readerOf(bench);
  const sizes = [undefined, 0, -5, 1_000_000].map(async (limit) => (await reader.events({ limit })).rows.length);
  t.same(await Promise.all(sizes), [200, 1, 1, 1_000]);
  bench.engine.close();
});

t.test('a stored document that does not read is left out and counted', async (t) => {
  const bench = new EngineBench(t.testdir());
  const good = detectionAt(noonMs);
  const [kind, atMs, ...values] = packed('detection', detectionRow(detectionAt(noonMs)));
  bench.put(packed('detection', detectionRow(good)), [kind, atMs, ...values.slice(0, -1), '{"report":']);
  let unreadable = 0;
  const reader = createReader(
    async (question) => bench.engine.ask(question),
    (rows) => {
      unreadable += rows;
    },
  );
  t.same((await reader.detections({})).rows, [good]);
  t.equal(unreadable, 1);
  bench.engine.close();
});
