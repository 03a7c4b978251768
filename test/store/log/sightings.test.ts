import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import type { SightingSummary } from '../../../src/model/sighting.ts';
import { formatTime } from '../../../src/model/time.ts';
import { createReader, type HistoryReader, type SightingsQuery } from '../../../src/store/log/reader.ts';
import { toVersion2 } from '../../support/store/earlier_day.ts';
import { EngineBench, hourMs, noonMs, packed } from '../../support/store/history_engine.ts';
import { eventAt, pointAt, trackAt } from '../../support/store/history_rows.ts';

const zone = randomUUID();
const quiet: SightingSummary = { level: 0, nearest: null, zones: [] };
const dayMs = 24 * hourMs;

type Put = { number: number; firstMs: number; lastMs: number; serial?: string; state?: 'closed' | 'lost' };

function put(bench: EngineBench, { number, firstMs, lastMs, serial, state = 'closed' }: Put, summary = quiet): string {
  const id = idOf(number);
  const identity = { type: 'serial' as const, value: serial ?? `S${number}`, transport: 'bt4' as const };
  const identities = [{ ...identity, first_seen_at: formatTime(firstMs), last_seen_at: formatTime(lastMs) }];
  const change = {
    number: `T-${String(number).padStart(4, '0')}`,
    state,
    first_seen_at: formatTime(firstMs),
    identities,
  };
  bench.put(packed('track', { document: trackAt(lastMs, id, change), sighting: summary }));
  return id;
}

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function readerOf(bench: EngineBench): HistoryReader {
  return createReader(
    async (question) => bench.engine.ask(question),
    () => {},
  );
}

async function numbers(bench: EngineBench, query: SightingsQuery = {}): Promise<number[]> {
  const found: number[] = [];
  let cursor: string | null = null;
  do {
    const page: { rows: { number: string }[]; next: string | null } = await readerOf(bench).sightings({
      ...query,
      cursor,
    });
    found.push(...page.rows.map(({ number }) => Number(number.slice(2))));
    cursor = page.next;
  } while (cursor !== null);
  return found;
}

t.test('a track of several days is listed once, with its last row, in the place of its first time', async (t) => {
  const bench = new EngineBench(t.testdir());
  bench.wallMs = noonMs + 2 * dayMs;
  const firstMs = noonMs + 11 * hourMs;
  put(bench, { number: 1, firstMs, lastMs: noonMs + 11.9 * hourMs, state: 'lost' });
  put(bench, { number: 2, firstMs: firstMs + 1, lastMs: firstMs + 2 });
  const entered: SightingSummary = {
    level: 3,
    nearest: { kind: 'zone', id: zone, name: 'Gate', distance_m: 0, at_ms: noonMs + 13 * hourMs },
    zones: [{ zone_id: zone, name: 'Gate', kind: 'protected', entered_ms: noonMs, left_ms: null, entries: 2 }],
  };
  put(bench, { number: 1, firstMs, lastMs: noonMs + 13 * hourMs }, entered);
  put(bench, { number: 3, firstMs: noonMs + 14 * hourMs, lastMs: noonMs + 15 * hourMs });
  for (const limit of [1, 2, 10]) t.same(await numbers(bench, { limit }), [3, 2, 1], `pages of ${limit}`);
  const { rows } = await readerOf(bench).sightings({ untilMs: noonMs + 12 * hourMs });
  t.match(rows[1], {
    number: 'T-0001',
    state: 'closed',
    highest_level: 'high',
    last_seen_at: formatTime(noonMs + 13 * hourMs),
    nearest: { name: 'Gate', distance_m: 0, inside: true },
    zones: [{ zone_id: zone, name: 'Gate', left_at: null, entries: 2 }],
  });
  t.same(await numbers(bench, { sinceMs: noonMs + 12.5 * hourMs }), [3, 1], 'seen then, though it came before');
  t.same(await numbers(bench, { sinceMs: noonMs + 13.5 * hourMs }), [3]);
  t.same(await numbers(bench, { untilMs: firstMs + 1 }), [1]);
});

t.test(
  'serial, zone and level each leave others out, and a track that was never confirmed is no sighting',
  async (t) => {
    const bench = new EngineBench(t.testdir());
    const inside = { zone_id: zone, name: null, kind: null, entered_ms: noonMs, left_ms: null, entries: 1 };
    put(bench, { number: 1, firstMs: noonMs, lastMs: noonMs + 1, serial: '1581F4BN' });
    put(bench, { number: 2, firstMs: noonMs, lastMs: noonMs + 1 }, { ...quiet, level: 2, zones: [inside] });
    put(bench, { number: 2, firstMs: noonMs, lastMs: noonMs + 2 }, { ...quiet, level: 2, zones: [inside] });
    put(bench, { number: 3, firstMs: noonMs, lastMs: noonMs + 1 }, { ...quiet, level: 4 });
    bench.put(packed('track', { document: trackAt(noonMs, randomUUID()), sighting: null }));
    t.same(bench.faults(), []);
    t.same(await numbers(bench, {}), [3, 2, 1]);
    t.same(await numbers(bench, { serial: '1581f4bn ' }), [1]);
    t.same(await numbers(bench, { zoneId: zone }), [2]);
    t.same(await numbers(bench, { level: 'medium' }), [3, 2]);
    t.same(await numbers(bench, { level: 'medium', zoneId: zone, serial: 'S2' }), [2]);
    t.same(await numbers(bench, { level: 'high', zoneId: zone }), []);
  },
);

t.test('a file of an earlier version gets sightings from its log, and heights that are null', async (t) => {
  const folder = t.testdir();
  const before = new EngineBench(folder);
  const [id, other] = [randomUUID(), randomUUID()];
  const subject = { type: 'track', id, label: 'T-0042' };
  const level = { before: { level: 'none' }, after: { level: 'high' } };
  const entry = { before: null, after: { zone_id: zone } };
  before.put(
    packed('track', { document: trackAt(noonMs, id, { state: 'closed' }), sighting: null }),
    packed('track', { document: trackAt(noonMs, other, { state: 'closed', number: 'T-0043' }), sighting: null }),
    packed('point', pointAt(noonMs, id)),
    packed('event', eventAt(noonMs, 1, { kind: 'threat.level', subject, ...level })),
    packed('event', eventAt(noonMs + 1, 2, { kind: 'zone.enter', subject, ...entry })),
    packed('event', eventAt(noonMs + 5, 3, { kind: 'zone.exit', subject, ...entry })),
  );
  before.engine.close();
  const file = new Database(join(before.folder, '2026-03-04.db'));
  file.exec(toVersion2);
  file.close();
  const reader = readerOf(new EngineBench(folder));
  const { rows } = await reader.sightings({ serial: '1581F4BN12345678', zoneId: zone, level: 'high' });
  t.equal(rows.length, 1, 'the other was never confirmed');
  t.match(rows[0], {
    track_id: id,
    number: 'T-0042',
    highest_level: 'high',
    nearest: null,
    zones: [
      { zone_id: zone, name: null, entered_at: formatTime(noonMs + 1), left_at: formatTime(noonMs + 5), entries: 1 },
    ],
  });
  const points = await reader.trackPoints({ trackId: id });
  t.match(points.rows, [{ alt_hae_m: 112.5, alt_msl_m: null, alt_agl_m: null }]);
});

t.test(
  'trails are thinned to their limit of points, and the latest tracks are given where there are too many',
  async (t) => {
    const bench = new EngineBench(t.testdir());
    for (let number = 1; number <= 4; number++) {
      const firstMs = noonMs + number * 1_000;
      const id = put(bench, { number, firstMs, lastMs: firstMs + 600_000 });
      bench.put(...Array.from({ length: 600 }, (_, i) => packed('point', pointAt(firstMs + i * 1_000, id))));
    }
    const span = { sinceMs: noonMs, untilMs: noonMs + hourMs, stepS: 2 };
    const whole = await readerOf(bench).trails({ ...span, mostPoints: 10_000, mostTracks: 10 });
    t.equal(whole.stepS, 2);
    for (const { points } of whole.trails) t.ok(points.length === 300 || points.length === 301, 'one in two seconds');
    t.match(whole.trails[0]?.points[0], { state: 'confirmed', alt_hae_m: 112.5, alt_msl_m: 66.9, alt_agl_m: null });
    const thin = await readerOf(bench).trails({ ...span, mostPoints: 100, mostTracks: 2 });
    t.equal(thin.tracks, 4);
    t.same(
      thin.trails.map(({ number }) => number),
      ['T-0004', 'T-0003'],
    );
    const given = thin.trails.reduce((sum, { points }) => sum + points.length, 0);
    t.ok(given <= 100 && given > 60, `${given} points`);
    t.ok(thin.stepS > 2);
  },
);
