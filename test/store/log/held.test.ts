import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { HeldSpan } from '../../../src/store/log/held.ts';
import type { PackedRow } from '../../../src/store/log/packed.ts';
import { EngineBench, hourMs, noonMs, packed } from '../../support/store/history_engine.ts';
import { detectionAt, detectionRow, eventAt, pointAt } from '../../support/store/history_rows.ts';

const dayMs = 24 * hourMs;
const always = { sinceMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY };
const everything = { ...always, after: null, limit: 1_000 };

function days(bench: EngineBench): string[] {
  return readdirSync(bench.folder)
    .filter((name) => name.endsWith('.db'))
    .map((name) => name.slice(0, 10))
    .sort();
}

function manyDetections(atMs: number, count: number): PackedRow[] {
  return Array.from({ length: count }, (_, i) => packed('detection', detectionRow(detectionAt(atMs + i))));
}

/** A week of history with one track on its second and fourth day. */
function week(dataDir: string, trackId: string): EngineBench {
  const bench = new EngineBench(dataDir, { days: 30, bytes: 1e9 });
  for (let day = 0; day < 7; day++) {
    bench.put(packed('event', eventAt(bench.wallMs, day + 1)));
    if (day === 1 || day === 3) bench.put(packed('point', pointAt(bench.wallMs, trackId)));
    bench.tick(dayMs);
  }
  bench.put(packed('event', eventAt(bench.wallMs, 100)));
  return bench;
}

t.test('the days of a track under hold stay when their time is over, the others go', async (t) => {
  const trackId = randomUUID();
  const bench = week(t.testdir(), trackId);
  bench.keep({ days: 1, bytes: 1e9 }, [{ trackId, ...always }]);
  t.same(days(bench), ['2026-03-05', '2026-03-07', '2026-03-11']);
  t.match(bench.condition(), {
    text: null,
    note: /over its limit of days: 2 days from 2026-03-05 on, .* are under hold/,
  });
  t.ok((bench.condition()?.heldBytes ?? 0) > 0);
  bench.keep({ days: 1, bytes: 1e9 }, []);
  t.same(days(bench), ['2026-03-11'], 'and go when the hold does');
  t.match(bench.condition(), { note: null, heldBytes: 0 });
  bench.engine.close();
});

t.test('a period under hold keeps each day that it touches, and no other', async (t) => {
  const bench = week(t.testdir(), randomUUID());
  const sinceMs = noonMs + 2 * dayMs;
  bench.keep({ days: 1, bytes: 1e9 }, [{ trackId: null, sinceMs, untilMs: sinceMs + 13 * hourMs }]);
  t.same(days(bench), ['2026-03-06', '2026-03-07', '2026-03-11']);
  bench.engine.close();
});

t.test('a track in a period is held in that period alone', async (t) => {
  const trackId = randomUUID();
  const bench = week(t.testdir(), trackId);
  const span: HeldSpan = { trackId, sinceMs: noonMs + 2 * dayMs, untilMs: Number.POSITIVE_INFINITY };
  bench.keep({ days: 1, bytes: 1e9 }, [span]);
  t.same(days(bench), ['2026-03-07', '2026-03-11']);
  bench.engine.close();
});

t.test('a hold is known at the start, before the first day goes', async (t) => {
  const trackId = randomUUID();
  const dataDir = t.testdir();
  const bench = week(dataDir, trackId);
  bench.engine.close();
  const held = [{ trackId, ...always }];
  const again = new EngineBench(dataDir, { days: 1, bytes: 1e9 }, 'session-2', held);
  again.wallMs = bench.wallMs;
  again.tick(0);
  t.same(days(again), ['2026-03-05', '2026-03-07', '2026-03-11']);
  again.engine.close();
});

t.test('a day that does not read stays while it may hold what is held', async (t) => {
  const trackId = randomUUID();
  const bench = week(t.testdir(), trackId);
  bench.engine.close();
  writeFileSync(join(bench.folder, '2026-03-06.db'), 'x'.repeat(9_000));
  const again = new EngineBench(join(bench.folder, '..'), { days: 1, bytes: 1e9 }, 's2', [{ trackId, ...always }]);
  again.wallMs = bench.wallMs;
  again.tick(0);
  t.ok(readdirSync(bench.folder).some((name) => name.startsWith('2026-03-06.db.corrupt')));
  again.engine.close();
});

t.test('what is under hold does not crowd out what is not, and that the limit is passed is told', async (t) => {
  const bench = new EngineBench(t.testdir(), { days: 30, bytes: 1e9 });
  for (let day = 0; day < 4; day++) {
    bench.put(...manyDetections(bench.wallMs, 3_000));
    bench.tick(dayMs);
  }
  bench.put(...manyDetections(bench.wallMs, 1_000));
  const sinceMs = noonMs - 12 * hourMs;
  bench.keep({ days: 30, bytes: 3_000_000 }, [{ trackId: null, sinceMs, untilMs: sinceMs + 2 * dayMs }]);
  t.same(days(bench), ['2026-03-04', '2026-03-05', '2026-03-08'], 'what is held and today');
  const asked = { about: 'detections', trackId: null, sensorId: null, ...everything } as const;
  t.equal(bench.engine.ask({ ...asked, sinceMs: noonMs + 3 * dayMs + 12 * hourMs }).rows.length, 1_000);
  t.match(bench.condition()?.note, /over its limit of 3.0 MB: 2 days from 2026-03-04 on, .* are under hold/);
  bench.engine.close();
});

t.test('what is under hold of today stays while the rest of today is pruned', async (t) => {
  const bench = new EngineBench(t.testdir(), { days: 30, bytes: 4_000_000 });
  const trackId = randomUUID();
  const held = Array.from({ length: 300 }, (_, i) =>
    packed('detection', detectionRow(detectionAt(noonMs + i, { track_id: trackId }))),
  );
  const points = Array.from({ length: 300 }, (_, i) => packed('point', pointAt(noonMs + i, trackId)));
  bench.put(...held, ...points);
  bench.keep({ days: 30, bytes: 4_000_000 }, [{ trackId, ...always }]);
  for (let round = 0; round < 40; round++) {
    bench.put(...manyDetections(noonMs + 1_000 + round * 500, 500));
    bench.tick(60_000);
    for (let again = 0; again < 20; again++) bench.tick(250);
  }
  const detections = bench.engine.ask({ about: 'detections', trackId, sensorId: null, ...everything });
  t.equal(detections.rows.length, 300);
  t.equal(bench.engine.ask({ about: 'points', trackId, stepMs: 0, ...everything }).rows.length, 300);
  const all = bench.engine.ask({
    about: 'detections',
    trackId: null,
    sensorId: null,
    ...everything,
    untilMs: noonMs + 1_500,
  });
  t.equal(all.rows.length, 300, 'and of the rest the oldest are gone');
  bench.engine.close();
});
