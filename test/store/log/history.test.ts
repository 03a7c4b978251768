import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Fault } from '../../../src/model/fault.ts';
import { createHistoryLog, type HistoryLog, type HistoryOptions } from '../../../src/store/log/history.ts';
import { until } from '../../support/basics/deadline.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { detectionAt, detectionRow, eventAt, pointAt, trackAt } from '../../support/store/history_rows.ts';

onlyInFull(t);

const dyingThread = new URL('./dying_thread.js', import.meta.url);

type Opened = { log: HistoryLog; faults: Fault[]; dataDir: string };

async function open(t: Test, change: Partial<HistoryOptions> = {}, marks: string[] = []): Promise<Opened> {
  const dataDir = change.dataDir ?? t.testdir();
  mkdirSync(join(dataDir, 'history'), { recursive: true });
  for (const mark of marks) writeFileSync(join(dataDir, 'history', mark), '');
  const faults: Fault[] = [];
  const log = createHistoryLog({
    dataDir,
    retention: { prunedBefore: null, bytes: 1e9 },
    onFault: (fault) => faults.push(fault),
    ...change,
  });
  await log.start();
  t.teardown(() => log.stop());
  return { log, faults, dataDir };
}

t.test('a question sees everything appended before it, and the answers are the documents that went in', async (t) => {
  const { log } = await open(t);
  const nowMs = Date.now();
  const trackId = randomUUID();
  const detection = detectionAt(nowMs, { track_id: trackId });
  const event = eventAt(nowMs, 12);
  const track = trackAt(nowMs, trackId);
  log.append('detection', detectionRow(detection));
  log.append('event', event);
  log.append('track', { document: track, sighting: null });
  log.append('point', pointAt(nowMs, trackId));
  t.same((await log.detections({ trackId })).rows, [detection]);
  t.same((await log.events({})).rows, [event]);
  t.same(await log.lastTracks({ sinceMs: nowMs - 1 }), [track]);
  t.match((await log.trackPoints({ trackId })).rows, [{ at: detection.received_at, lat: 51.477123, h_m: 3.2 }]);
  t.equal(await log.lastEventSeq(), 12);
  t.match(log.status(), { state: 'ok', text: null, queued: 0, written: 4, dropped: 0, unreadable: 0 });
});

t.test('rows are committed within a second or so, without being asked', async (t) => {
  const { log } = await open(t);
  log.append('event', eventAt(Date.now(), 1));
  t.equal(log.status().queued, 1);
  await until('the row is committed', () => log.status().written === 1, 5_000);
  t.ok((log.status().lastCommitMs ?? 0) > 0);
});

t.test('a document that changes after it was appended is stored as it was', async (t) => {
  const { log } = await open(t);
  const track = trackAt(Date.now(), randomUUID());
  log.append('track', { document: track, sighting: null });
  track.quality = 15;
  t.equal((await log.lastTracks({ sinceMs: 0 }))[0]?.quality, 3);
});

t.test('stop commits what waits; a row that comes later counts as dropped, and nothing throws', async (t) => {
  const dataDir = t.testdir();
  const { log } = await open(t, { dataDir });
  for (let seq = 1; seq <= 3_000; seq++) log.append('event', eventAt(Date.now(), seq));
  await log.stop();
  t.match(log.status(), { written: 3_000, queued: 0, dropped: 0, state: 'degraded' });
  log.append('event', eventAt(Date.now(), 3_001));
  t.equal(log.status().dropped, 1);
  await t.rejects(log.events({}), { code: 'unavailable' });
  await log.stop();

  const next = await open(t, { dataDir });
  t.equal(await next.log.lastEventSeq(), 3_000);
});

t.test('a burst larger than the queue loses the oldest detections and no event', async (t) => {
  const { log } = await open(t, { queueRows: 2_000 });
  const nowMs = Date.now();
  for (let i = 0; i < 10_000; i++) {
    log.append('detection', detectionRow(detectionAt(nowMs + i)));
    if (i % 10 === 0) log.append('event', eventAt(nowMs + i, i + 1));
  }
  await until('the queue is empty', () => log.status().queued === 0);
  const { written, dropped, droppedByKind } = log.status();
  t.equal(written + dropped, 11_000, 'every row is written or counted');
  t.ok(droppedByKind.detection > 0);
  t.match(droppedByKind, { event: 0, track: 0, point: 0 });
  t.equal(Date.parse((await log.detections({ limit: 1 })).rows[0]?.received_at ?? ''), nowMs + 9_999);
});

t.test('a row that cannot be packed counts as dropped', async (t) => {
  const { log } = await open(t);
  const loop: { self?: unknown } = {};
  loop.self = loop;
  log.append('track', loop as never);
  log.append('event', null as never);
  t.match(log.status().droppedByKind, { track: 1, event: 1 });
});

for (const mark of ['die-on-batch', 'die-on-commit']) {
  t.test(`rows of a thread that ends (${mark}) are stored exactly once by the next`, async (t) => {
    const { log, faults } = await open(t, { thread: dyingThread }, [mark]);
    const nowMs = Date.now();
    const made = Array.from({ length: 1_700 }, (_, i) => detectionAt(nowMs + i));
    for (const detection of made) log.append('detection', detectionRow(detection));
    await until('all rows are committed', () => log.status().written === made.length);
    t.match(faults[0]?.message, 'The history writer ended unexpectedly');
    t.equal(faults.length, 1);
    t.match(log.status(), { state: 'ok', dropped: 0, queued: 0 });
    const seen = new Set<string>();
    let cursor: string | null = null;
    let rows = 0;
    do {
      const page: Awaited<ReturnType<HistoryLog['detections']>> = await log.detections({ limit: 1_000, cursor });
      for (const { id } of page.rows) seen.add(id);
      rows += page.rows.length;
      cursor = page.next;
    } while (cursor !== null);
    t.equal(rows, made.length);
    t.equal(seen.size, made.length);
  });
}

t.test('a question that a dying thread held is refused, not left open', async (t) => {
  const { log } = await open(t, { thread: dyingThread }, ['die-on-batch']);
  log.append('event', eventAt(Date.now(), 1));
  await t.rejects(log.events({}), { code: 'unavailable', message: /repeat the request/ });
  await until('a new thread answers', async () => (await log.events({}).catch(() => null))?.rows.length === 1);
});

t.test('a thread that always dies is started three times a minute, and the rows it dies of are given up', async (t) => {
  const { log, faults } = await open(t, { thread: dyingThread }, ['die-always']);
  log.append('event', eventAt(Date.now(), 1));
  await until('the rows are given up', () => log.status().dropped === 1);
  log.append('event', eventAt(Date.now(), 2));
  const started = (): number => faults.filter(({ message }) => message.endsWith('started again at once.')).length;
  await until('it waits', () => faults.some(({ message }) => /started again in \d+ s/.test(message)));
  t.equal(started(), 3);
  t.match(log.status(), { state: 'degraded', text: /is started again in \d+ s/ });
  t.ok(faults.some(({ message }) => message.includes('these rows were dropped')));
});

t.test('a thread that cannot run at all is a fault at start', async (t) => {
  const faults: Fault[] = [];
  const log = createHistoryLog({
    dataDir: t.testdir(),
    retention: { prunedBefore: null, bytes: 1e9 },
    onFault: (fault) => faults.push(fault),
    thread: new URL('./no_such_thread.js', import.meta.url),
  });
  await t.rejects(log.start(), { code: 'unavailable', message: /^The history writer did not start/ });
  log.append('event', eventAt(Date.now(), 1));
  await log.stop();
  t.equal(log.status().dropped, 1);
});
