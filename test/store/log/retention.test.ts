import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { PackedRow } from '../../../src/store/log/packed.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { EngineBench, hourMs, noonMs, packed } from '../../support/store/history_engine.ts';
import { detectionAt, detectionRow, eventAt, pointAt, trackAt } from '../../support/store/history_rows.ts';

onlyInFull(t);

const dayMs = 24 * hourMs;
const everything = { sinceMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY, after: null };

function days(bench: EngineBench): string[] {
  const names = readdirSync(bench.folder).filter((name) => name.endsWith('.db'));
  return names.map((name) => name.slice(0, 10)).sort();
}

/** What the folder holds, counted apart from the code under test. */
function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function manyDetections(atMs: number, count: number): PackedRow[] {
  return Array.from({ length: count }, (_, i) => packed('detection', detectionRow(detectionAt(atMs + i))));
}

t.test('days older than the limit go whole, with all that belongs to them, at start and at each new day', async (t) => {
  const dataDir = t.testdir();
  const bench = new EngineBench(dataDir, { days: 3, bytes: 1e9 });
  for (let day = 0; day < 6; day++) {
    bench.put(packed('event', eventAt(bench.wallMs, day + 1)));
    if (day === 0) writeFileSync(join(bench.folder, '2026-03-04.db.corrupt-1'), 'damaged');
    bench.tick(dayMs);
    bench.put(packed('event', eventAt(bench.wallMs, day + 100)));
    t.ok(days(bench).length <= 3);
  }
  t.same(days(bench), ['2026-03-08', '2026-03-09', '2026-03-10']);
  t.notOk(existsSync(join(bench.folder, '2026-03-04.db.corrupt-1')));
  t.same(
    readdirSync(bench.folder).filter((name) => name < '2026-03-08'),
    [],
  );
  bench.engine.close();

  const later = new EngineBench(dataDir, { days: 3, bytes: 1e9 });
  later.wallMs = noonMs + 8 * dayMs;
  later.look();
  t.same(days(later), ['2026-03-10']);
  later.engine.close();
});

t.test('the oldest days go until the rest fits; the size that is told is that of the files', async (t) => {
  const bench = new EngineBench(t.testdir(), { days: 365, bytes: 6_000_000 });
  for (let day = 0; day < 5; day++) {
    bench.put(...manyDetections(bench.wallMs, 2_000));
    bench.tick(dayMs);
  }
  bench.put(packed('event', eventAt(bench.wallMs, 1)));
  bench.tick(60_000);
  t.equal(days(bench).at(-1), '2026-03-09');
  t.ok(days(bench).length >= 2 && days(bench).length < 6, `${days(bench).length} days are left`);
  t.ok(bytesIn(bench.folder) <= 6_000_000, `${bytesIn(bench.folder)} bytes are left`);
  t.equal(bench.condition()?.bytes, bytesIn(bench.folder));
  t.equal(bench.condition()?.text, null);
  bench.engine.close();
});

t.test("today's file stays while it is too large, and loses its oldest detections first", async (t) => {
  const limit = 8_000_000;
  const bench = new EngineBench(t.testdir(), { days: 30, bytes: limit });
  const trackId = randomUUID();
  bench.put(
    packed('event', eventAt(noonMs, 1)),
    packed('track', { document: trackAt(noonMs, trackId), sighting: null }),
  );
  bench.put(packed('point', pointAt(noonMs, trackId)));
  for (let minute = 0; minute < 40; minute++) {
    bench.put(...manyDetections(bench.wallMs, 1_000));
    bench.tick(60_000);
    for (let step = 0; step < 20; step++) bench.tick(250);
  }
  t.same(days(bench), ['2026-03-04']);
  t.ok(bytesIn(bench.folder) < limit * 1.3, `${bytesIn(bench.folder)} bytes: room inside the file is used again`);
  const asked = { about: 'detections', trackId: null, sensorId: null, ...everything, limit: 1_000 } as const;
  const newest = bench.engine.ask(asked).rows;
  t.equal(newest.length, 1_000);
  t.ok(Number(newest[0]?.[0]) > noonMs + 39 * 60_000, 'the newest are there');
  const oldest = bench.engine.ask({ ...asked, untilMs: noonMs + 60_000 }).rows;
  t.same(oldest, [], 'the oldest are gone');
  t.same(bench.engine.ask({ about: 'last_seq' }).rows, [[1]], 'events stay');
  t.equal(bench.engine.ask({ about: 'tracks', sinceMs: 0, trackId: null, limit: 5 }).rows.length, 1);
  t.equal(bench.engine.ask({ about: 'points', trackId, stepMs: 0, ...everything, limit: 5 }).rows.length, 1);
  t.equal(bench.condition()?.text, null);
  bench.engine.close();
});

t.test('without detections the oldest points go; where nothing may go any more, that is said', async (t) => {
  const bench = new EngineBench(t.testdir(), { days: 30, bytes: 2_000_000 });
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (let minute = 0; minute < 30; minute++) {
    const points = Array.from({ length: 1_200 }, (_, i) => pointAt(bench.wallMs + 50 * i, ids[i % 20] ?? ''));
    bench.put(...points.map((point) => packed('point', point)));
    bench.tick(60_000);
    for (let step = 0; step < 20; step++) bench.tick(250);
  }
  const first = bench.engine.ask({
    about: 'points',
    trackId: ids[0] ?? '',
    stepMs: 0,
    ...everything,
    limit: 1_000,
  }).rows;
  t.ok(Number(first[0]?.[0]) > noonMs + 60_000, 'the oldest are gone');
  t.ok(Number(first.at(-1)?.[0]) > noonMs + 29 * 60_000, 'the newest are there');
  t.ok(bytesIn(bench.folder) < 2_000_000 * 1.5, `${bytesIn(bench.folder)} bytes`);
  t.equal(bench.condition()?.text, null);

  const text = 'x'.repeat(10_000);
  bench.put(...Array.from({ length: 400 }, (_, i) => packed('event', eventAt(bench.wallMs, i + 1, { text }))));
  bench.tick(60_000);
  for (let step = 0; step < 100; step++) bench.tick(250);
  t.match(bench.condition()?.text, 'more than its limit of 2.0 MB');
  t.same(bench.engine.ask({ about: 'last_seq' }).rows, [[400]]);
  bench.engine.close();
});

t.test('a file of the future goes before that of today', async (t) => {
  const bench = new EngineBench(t.testdir(), { days: 30, bytes: 1_000_000 });
  writeFileSync(join(bench.folder, '2031-01-01.db'), Buffer.alloc(2_000_000));
  bench.put(packed('event', eventAt(noonMs, 1)));
  bench.tick(60_000);
  t.same(days(bench), ['2026-03-04']);
  bench.engine.close();
});

t.test('over the limit of bytes the days written first go, whatever the clock said then', async (t) => {
  const bench = new EngineBench(t.testdir(), { days: 3_650, bytes: 3_000_000 });
  const begin = (wallMs: number): void => {
    bench.wallMs = wallMs;
    bench.put(...manyDetections(wallMs, 2_000));
    bench.tick(1_000);
  };
  // A clock that was a year ahead at first, then 1970, then right.
  begin(noonMs + 365 * dayMs);
  begin(12 * hourMs);
  begin(noonMs);
  begin(noonMs + dayMs);
  bench.tick(60_000);
  const left = days(bench);
  t.ok(left.includes('2026-03-05') && !left.includes('2027-03-04'), left.join(' '));
  const pruned = bench.sent.flatMap((message) => (message.type === 'pruned' ? message.days : []));
  t.equal(pruned[0], '2027-03-04');
  t.same([...pruned, ...left].sort(), ['1970-01-01', '2026-03-04', '2026-03-05', '2027-03-04']);
  bench.engine.close();
});

t.test('without a trusted clock no day goes by its age, and each pruning is reported with its reason', async (t) => {
  const bench = new EngineBench(t.testdir(), { days: 30, bytes: 1e9 });
  for (let day = 0; day < 3; day++) {
    bench.put(packed('event', eventAt(bench.wallMs, day + 1)));
    bench.tick(dayMs);
  }
  bench.engine.keep({ prunedBefore: null, bytes: 1e9 }, []);
  bench.wallMs += 45 * dayMs;
  bench.monotonicMs += 61_000;
  bench.engine.tick();
  t.same(days(bench), ['2026-03-04', '2026-03-05', '2026-03-06']);
  bench.engine.keep({ prunedBefore: '2026-03-06', bytes: 1e9 }, []);
  t.same(days(bench), ['2026-03-06']);
  const pruned = bench.sent.filter((message) => message.type === 'pruned');
  t.match(pruned, [{ why: 'age', days: ['2026-03-04', '2026-03-05'], whole: true }]);
  bench.engine.close();
});
