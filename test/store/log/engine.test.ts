import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { unpackEvent } from '../../../src/store/log/rows.ts';
import { toVersion1 } from '../../support/store/earlier_day.ts';
import { EngineBench, hourMs, noonMs, packed } from '../../support/store/history_engine.ts';
import { detectionAt, detectionRow, eventAt, pointAt, trackAt } from '../../support/store/history_rows.ts';
import { batchOf } from '../../support/store/packed_rows.ts';

function countIn(folder: string, day: string, table: string): number {
  const db = new Database(join(folder, `${day}.db`), { readonly: true });
  const count = Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  db.close();
  return count;
}

const everything = { sinceMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY, limit: 1_000, after: null };

t.test('rows go to the file of the UTC day of their time', async (t) => {
  const bench = new EngineBench(t.testdir());
  const trackId = randomUUID();
  for (let hour = 0; hour < 20; hour++) {
    bench.put(
      packed('point', pointAt(noonMs + hour * hourMs, trackId)),
      packed('event', eventAt(noonMs + hour * hourMs, hour + 1)),
    );
    bench.tick(hourMs);
  }
  t.same(
    readdirSync(bench.folder).filter((name) => name.endsWith('.db')),
    ['2026-03-04.db', '2026-03-05.db'],
  );
  t.equal(countIn(bench.folder, '2026-03-04', 'points'), 12);
  t.equal(countIn(bench.folder, '2026-03-05', 'events'), 8);
  const { rows } = bench.engine.ask({ about: 'points', trackId, stepMs: 0, ...everything });
  t.equal(rows.length, 20, 'a question reads over both');
  bench.engine.close();
});

t.test('a row of an impossible time goes to the day of its arrival', async (t) => {
  const bench = new EngineBench(t.testdir(), { days: 5, bytes: 1e9 });
  const trackId = randomUUID();
  for (const atMs of [Number.NaN, -1, 0, noonMs - 6 * 24 * hourMs, noonMs + 25 * hourMs, 8.7e15]) {
    bench.put(packed('point', { ...pointAt(0, trackId), atMs }));
    bench.wallMs += 1_000;
  }
  t.same(
    readdirSync(bench.folder).filter((name) => name.endsWith('.db')),
    ['2026-03-04.db'],
  );
  t.equal(countIn(bench.folder, '2026-03-04', 'points'), 6);
  bench.engine.close();
});

t.test('rows wait for half a second or a thousand, and are answered when committed', async (t) => {
  const bench = new EngineBench(t.testdir());
  const committed = (): number[] =>
    bench.sent.flatMap((message) => (message.type === 'committed' ? [message.seq] : []));
  bench.engine.take(batchOf(1, [packed('event', eventAt(noonMs, 1))]));
  bench.engine.take(batchOf(2, [packed('event', eventAt(noonMs, 2))]));
  bench.tick(250);
  t.same(committed(), []);
  bench.tick(250);
  t.same(committed(), [2], 'one transaction for both');
  const points = Array.from({ length: 1_000 }, (_, i) => packed('point', pointAt(noonMs + i, randomUUID())));
  bench.engine.take(batchOf(3, points));
  t.same(committed(), [2, 3]);
  bench.engine.take(batchOf(4, [packed('event', eventAt(noonMs, 3))]));
  bench.engine.tick({ areDue: true });
  t.same(committed(), [2, 3, 4], 'rows that waited elsewhere are committed at once');
  t.notOk(bench.engine.hasWaiting);
  bench.engine.close();
});

t.test('a batch that is sent twice is stored once, also by a writer that opened the files anew', async (t) => {
  const dataDir = t.testdir();
  const rows = [
    packed('detection', detectionRow(detectionAt(noonMs))),
    packed('event', eventAt(noonMs, 1)),
    packed('detection', detectionRow(detectionAt(noonMs + 13 * hourMs))),
  ];
  const first = new EngineBench(dataDir);
  first.put(...rows);
  const second = new EngineBench(dataDir);
  second.put(...rows);
  second.put(packed('detection', detectionRow(detectionAt(noonMs))));
  t.equal(countIn(first.folder, '2026-03-04', 'detections'), 2);
  t.equal(countIn(first.folder, '2026-03-04', 'events'), 1);
  t.equal(countIn(first.folder, '2026-03-05', 'detections'), 1);
  second.engine.close();
  first.engine.close();

  const nextRun = new EngineBench(dataDir, undefined, 'session-2');
  nextRun.put(packed('detection', detectionRow(detectionAt(noonMs))));
  t.equal(
    countIn(first.folder, '2026-03-04', 'detections'),
    3,
    'the numbers of another run of the daemon mean nothing',
  );
  nextRun.engine.close();
});

t.test('a row that no table takes is counted and does not hold up the others', async (t) => {
  const bench = new EngineBench(t.testdir());
  const broken = { ...eventAt(noonMs, 2), text: null as unknown as string };
  const odd = { ...pointAt(noonMs, randomUUID()), state: null as unknown as 'lost' };
  bench.put(
    packed('event', eventAt(noonMs, 1)),
    packed('event', broken),
    packed('point', odd),
    packed('event', eventAt(noonMs, 3)),
  );
  const answer = bench.sent.find((message) => message.type === 'committed');
  t.match(answer, { seq: 1, refused: { event: 1, point: 1, detection: 0, track: 0 } });
  t.equal(countIn(bench.folder, '2026-03-04', 'events'), 2);
  t.equal(bench.faults().length, 1, 'told once');
  bench.engine.close();
});

t.test('the last document of each track is kept, the newest over all days', async (t) => {
  const bench = new EngineBench(t.testdir());
  const [a, b] = [randomUUID(), randomUUID()];
  bench.put(
    packed('track', { document: trackAt(noonMs, a, { quality: 1 }), sighting: null }),
    packed('track', { document: trackAt(noonMs, b, { quality: 2 }), sighting: null }),
  );
  bench.put(packed('track', { document: trackAt(noonMs + 13 * hourMs, a, { quality: 3 }), sighting: null }));
  bench.put(packed('track', { document: trackAt(noonMs + 1_000, b, { state: 'closed', quality: 4 }), sighting: null }));
  const last = (sinceMs: number, trackId: string | null = null): number[] =>
    bench.engine
      .ask({ about: 'tracks', sinceMs, trackId, limit: 10 })
      .rows.map(([text]) => JSON.parse(String(text)).quality)
      .sort();
  t.same(last(0), [3, 4]);
  t.same(last(noonMs + 2_000), [3]);
  t.same(last(0, b), [4]);
  bench.engine.close();
});

t.test('a damaged day file is set aside and begun anew, with a fault that names both', async (t) => {
  const dataDir = t.testdir();
  const before = new EngineBench(dataDir);
  before.put(...Array.from({ length: 500 }, () => packed('detection', detectionRow(detectionAt(noonMs)))));
  before.engine.close();
  const path = join(before.folder, '2026-03-04.db');
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4096);
  writeFileSync(path, bytes);

  const bench = new EngineBench(dataDir);
  bench.put(packed('detection', detectionRow(detectionAt(noonMs))));
  t.match(bench.faults(), [`The history file ${path} cannot be used`]);
  t.match(bench.faults()[0], `It was renamed to ${path}.corrupt-1; new rows go to a new file.`);
  t.same(readFileSync(`${path}.corrupt-1`), bytes, 'what can be rescued from it is still there');
  t.equal(countIn(bench.folder, '2026-03-04', 'detections'), 1);
  bench.engine.close();
});

t.test('a day file that an unclean stop left damaged is found before it is written', async (t) => {
  const dataDir = t.testdir();
  const before = new EngineBench(dataDir);
  before.put(...Array.from({ length: 500 }, () => packed('detection', detectionRow(detectionAt(noonMs)))));
  before.engine.close();
  const path = join(before.folder, '2026-03-04.db');
  const db = new Database(path);
  db.exec("UPDATE meta SET value = '0' WHERE key = 'clean'");
  db.pragma('journal_mode = DELETE');
  db.close();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, bytes.length - 3 * 4096);
  writeFileSync(path, bytes);

  const bench = new EngineBench(dataDir);
  bench.put(packed('event', eventAt(noonMs, 1)));
  t.equal(bench.faults().length, 1);
  t.ok(existsSync(`${path}.corrupt-1`));
  bench.engine.close();
});

t.test('a damaged older day costs that day, not the question', async (t) => {
  const dataDir = t.testdir();
  const bench = new EngineBench(dataDir);
  bench.put(packed('event', eventAt(noonMs, 1)));
  const old = join(bench.folder, '2026-03-02.db');
  writeFileSync(old, 'not a database '.repeat(1_000));
  const asked = {
    about: 'events',
    kind: null,
    severities: [],
    subjectId: null,
    sinceSeq: null,
    ...everything,
  } as const;
  t.equal(bench.engine.ask(asked).rows.length, 1);
  t.ok(existsSync(`${old}.corrupt-1`));
  t.notOk(existsSync(old));
  bench.engine.close();
});

t.test('at most three damaged files of a day are kept', async (t) => {
  const dataDir = t.testdir();
  for (let round = 0; round < 5; round++) {
    const bench = new EngineBench(dataDir);
    writeFileSync(join(bench.folder, '2026-03-04.db'), `damaged ${round} `.repeat(1_000));
    bench.put(packed('event', eventAt(noonMs, 1)));
    bench.engine.close();
  }
  const aside = readdirSync(join(dataDir, 'history')).filter((name) => name.includes('corrupt'));
  t.same(aside.sort(), ['2026-03-04.db.corrupt-1', '2026-03-04.db.corrupt-2', '2026-03-04.db.corrupt-3']);
});

t.test('a day written by a newer version is set aside whole when it must be written', async (t) => {
  const dataDir = t.testdir();
  const before = new EngineBench(dataDir);
  before.put(packed('event', eventAt(noonMs, 1)));
  before.engine.close();
  const path = join(before.folder, '2026-03-04.db');
  const db = new Database(path);
  db.pragma('user_version = 9');
  db.close();
  const bench = new EngineBench(dataDir);
  t.same(bench.engine.ask({ about: 'last_seq' }).rows, [[0]]);
  t.ok(existsSync(path), 'reading leaves it alone');
  bench.put(packed('event', eventAt(noonMs, 1)));
  t.match(bench.faults(), ['it was written by a newer Dunlin (schema 9; this one knows 3)']);
  t.ok(existsSync(`${path}.newer-1`));
  bench.engine.close();
});

t.test('a day of the version before is taken up with what it holds, and from then on keeps what changed', async (t) => {
  const dataDir = t.testdir();
  const before = new EngineBench(dataDir);
  before.put(packed('event', eventAt(noonMs, 1)));
  before.engine.close();
  const db = new Database(join(before.folder, '2026-03-04.db'));
  db.exec(toVersion1);
  db.close();
  const bench = new EngineBench(dataDir, undefined, 'session-2');
  const change = { before: { affiliation: 'unknown' }, after: { affiliation: 'friend' } };
  bench.put(packed('event', eventAt(noonMs, 2, change)));
  const asked = { about: 'events', kind: null, severities: [], subjectId: null, sinceSeq: null } as const;
  const { rows } = bench.engine.ask({ ...asked, ...everything });
  t.match(
    rows.map((raw) => unpackEvent(raw)),
    [change, { seq: 1, before: null, after: null }],
  );
  t.same(bench.faults(), []);
  bench.engine.close();
});

t.test(
  'the files of a day are for the user and group of the daemon alone, those of an earlier version too',
  async (t) => {
    const before = process.umask(0o022);
    t.teardown(() => process.umask(before));
    const bench = new EngineBench(t.testdir());
    const early = join(bench.folder, '2026-03-03.db');
    new Database(early).exec('CREATE TABLE cats (name TEXT)').close();
    chmodSync(early, 0o644);
    bench.put(packed('event', eventAt(noonMs, 1)));
    bench.engine.ask({ about: 'points', trackId: randomUUID(), stepMs: 0, ...everything });
    const names = readdirSync(bench.folder).filter((name) => /\.db(-wal|-shm)?$/.test(name));
    t.ok(names.length >= 3, names.join(' '));
    t.same(
      names.filter((name) => (statSync(join(bench.folder, name)).mode & 0o777) !== 0o640),
      [],
    );
    bench.engine.close();
  },
);
