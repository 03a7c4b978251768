import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { systemActor } from '../../../src/model/actor.ts';
import type { ObservationDocument } from '../../../src/model/observation.ts';
import { recordingSchema } from '../../../src/model/recording.ts';
import type { RecordedRow, RecordedTable } from '../../../src/worlds/replay/records.ts';
import { until } from '../../support/deadline.ts';
import { linkId, quietSettings, quietSource, recordingsOf } from '../../support/recorded.ts';
import { openRegistry } from '../../support/registry.ts';
import { mountTmpfs, noMount } from '../../support/tmpfs.ts';
import { folderOf } from './rig.ts';

type Changes = Parameters<typeof recordingsOf>[2];

function rigIn(t: Test, dataDir: string, changes: Changes = {}) {
  const { ledger, workspaceId } = openRegistry(t);
  const rig = recordingsOf(dataDir, { ledger, workspaceId }, changes);
  t.teardown(() => rig.desk.close());
  const say = (text: string | Uint8Array): void =>
    rig.taps.tap?.chunk(linkId, { bytes: Buffer.from(text), from: '10.0.0.7:1', atMs: performance.now() });
  const again = (): typeof rig => recordingsOf(dataDir, { ledger, workspaceId }, changes);
  return { ...rig, say, again };
}

t.test('what enters is kept in one order, whatever it is', async (t) => {
  const { desk, taps, say } = rigIn(t, folderOf(t));
  say('before');
  const { id, name, state, links } = await desk.start({ name: 'all' }, systemActor);
  t.match({ name, state, links }, { name: 'all', state: 'recording', links: [{ id: linkId, name: 'rid' }] });
  say('one');
  const rows = [{ obs_id: 'o', report: 'position' }] as unknown as ObservationDocument[];
  taps.tap?.ingest(rows, performance.now());
  taps.tap?.gone(linkId, '10.0.0.7:1');
  taps.tap?.rows('zones', [{ id: 'y', name: 'new' } as { id: string }]);
  taps.tap?.removed('zones', 'z');
  taps.tap?.told({ kind: 'change', id: 1, change: { what: 'drop', number: 7 }, nowMs: performance.now() });
  say('two');
  const stopped = await desk.stop(id, systemActor);
  say('after');
  t.equal(taps.tap, null);
  t.ok(stopped.bytes > 0 && recordingSchema.parse(stopped));
  const reader = desk.open(id);
  t.match(
    [...reader.records()].map(({ atMs: _at, utcMs: _utc, ...record }) => record),
    [
      { kind: 'bytes', linkId, from: '10.0.0.7:1', bytes: Buffer.from('one') },
      { kind: 'ingest', rows },
      { kind: 'gone', link_id: linkId },
      { kind: 'registry', table: 'zones', op: 'set', rows: [{ id: 'y', name: 'new' }] },
      { kind: 'registry', table: 'zones', op: 'remove', ids: ['z'] },
      { kind: 'change', change: { what: 'drop', number: 7 } },
      { kind: 'bytes', bytes: Buffer.from('two') },
    ],
  );
  const zones = (ms: number): unknown => reader.snapshotAt(ms).tables.zones.map(({ id }) => id);
  t.same(zones(reader.span.fromMs), ['z']);
  t.same(zones(reader.span.toMs), ['y']);
  await t.rejects(desk.stop(id, systemActor), { code: 'conflict' });
});

t.test('ingested rows that are too long for one record are several', async (t) => {
  const { desk, taps } = rigIn(t, folderOf(t));
  const { id } = await desk.start({}, systemActor);
  const rows = Array.from({ length: 500 }, (_, n) => ({ obs_id: `${n}`, text: 'ü'.repeat(8_000) }));
  taps.tap?.ingest(rows as unknown as ObservationDocument[], performance.now());
  await desk.stop(id, systemActor);
  const kept = [...desk.open(id).records()].flatMap((record) => (record.kind === 'ingest' ? record.rows : []));
  t.same(
    kept.map(({ obs_id }) => obs_id),
    rows.map(({ obs_id }) => obs_id),
  );
});

t.test('what comes faster than it is written is dropped, counted, and told of as a gap', async (t) => {
  const { desk, say } = rigIn(t, folderOf(t));
  const { id } = await desk.start({}, systemActor);
  const block = new Uint8Array(64 * 1024);
  // In one turn: nothing is told to be written meanwhile.
  for (let i = 0; i < 400; i++) say(block);
  const { dropped_records } = desk.get(id);
  t.ok(dropped_records > 100 && dropped_records < 200, `${dropped_records} of 400 dropped`);
  await until('there is room again', () => {
    say('later');
    return desk.get(id).gaps === 1;
  });
  const { gaps, dropped_bytes } = await desk.stop(id, systemActor);
  t.equal(gaps, 1);
  const records = [...desk.open(id).records()];
  const gap = records.find(({ kind }) => kind === 'gap');
  t.match(gap, { sentence: /the disk was slower/ });
  t.equal(gap?.kind === 'gap' && gap.bytes, dropped_bytes);
  t.equal(records.filter(({ kind }) => kind === 'bytes').at(-1) !== undefined, true);
});

t.test('a segment says again what passes, and other senders than a segment can name begin another', async (t) => {
  let tracks: RecordedRow[] = [{ id: 'a' }];
  const passing = (): [RecordedTable, RecordedRow[]][] => [['alerts', tracks]];
  const { desk, taps } = rigIn(t, folderOf(t), { source: quietSource(passing) });
  const { id } = await desk.start({}, systemActor);
  tracks = [{ id: 'b' }];
  for (let n = 0; n < 66_000; n++) {
    const from = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}:1`;
    taps.tap?.chunk(linkId, { bytes: Buffer.from([1]), from, atMs: performance.now() });
    if (n % 5_000 === 0) await wait(20);
  }
  const { segments } = await desk.stop(id, systemActor);
  t.equal(segments, 2);
  const reader = desk.open(id);
  const alerts = (ms: number): unknown => reader.snapshotAt(ms).tables.alerts.map((row) => row.id);
  t.same(alerts(reader.span.fromMs), ['a']);
  t.same(alerts(reader.span.toMs), ['b']);
  t.same(
    reader.snapshotAt(reader.span.toMs).tables.zones.map((row) => row.id),
    ['z'],
  );
  const senders = new Set([...reader.records()].flatMap((record) => (record.kind === 'bytes' ? [record.from] : [])));
  t.equal(senders.size, 66_000);
});

t.test('all recordings of a box together have a limit', async (t) => {
  const settings = { ...quietSettings, allBytes: 3_000_000, maxBytes: 2_000_000 };
  const { desk, again } = rigIn(t, folderOf(t), { settings });
  const { id } = await desk.start({}, systemActor);
  const other = again().desk;
  await t.rejects(other.start({}, systemActor), {
    code: 'conflict',
    message: /3 MB of this box in all, and 2 MB are taken/,
  });
  await desk.stop(id, systemActor);
  const { id: second } = await desk.start({}, systemActor);
  t.equal((await desk.stop(second, systemActor)).max_bytes, 2_000_000);
});

t.test('a workspace that begins leaves what others record alone', async (t) => {
  const dataDir = folderOf(t);
  const { desk, say } = rigIn(t, dataDir);
  const { id } = await desk.start({}, systemActor);
  say('word');
  const { ledger } = openRegistry(t);
  const { desk: other } = recordingsOf(dataDir, { ledger, workspaceId: 'another' });
  other.load();
  t.same(other.list(), []);
  t.equal(JSON.parse(readFileSync(join(dataDir, 'recordings', id, 'recording.json'), 'utf8')).state, 'recording');
});

t.test('a chunk longer than a record is several', async (t) => {
  const { desk, say } = rigIn(t, folderOf(t));
  const { id } = await desk.start({}, systemActor);
  const long = Buffer.alloc(5_000_000, 'long ');
  say(long);
  await desk.stop(id, systemActor);
  const pieces = [...desk.open(id).records()].flatMap((record) => (record.kind === 'bytes' ? [record.bytes] : []));
  t.ok(Buffer.concat(pieces).equals(long));
});

t.test('a service that stops ends its recording in order', async (t) => {
  const { desk, say, again } = rigIn(t, folderOf(t));
  const { id } = await desk.start({}, systemActor);
  say('word');
  await desk.close();
  t.match(desk.get(id), { state: 'stopped', reason: 'the service was stopped' });
  const { desk: next } = again();
  next.load();
  t.match(next.list(), [{ id, state: 'stopped', reason: 'the service was stopped' }]);
});

t.test('what is taken away by hand is gone, and a document that is lost is made again', async (t) => {
  const { desk, folder, again, say } = rigIn(t, folderOf(t));
  const { id } = await desk.start({ name: 'first' }, systemActor);
  say('word');
  await desk.stop(id, systemActor);
  const { id: second } = await desk.start({ name: 'second' }, systemActor);
  await desk.stop(second, systemActor);
  t.same(
    desk.list().map(({ name }) => name),
    ['second', 'first'],
  );
  rmSync(join(folder, second), { recursive: true });
  t.throws(() => desk.get(second), { code: 'not_found' });
  rmSync(join(folder, id, 'recording.json'));
  writeFileSync(join(folder, 'something else'), 'x');
  const { desk: next } = again();
  next.load();
  t.match(next.list(), [{ id, name: 'first', state: 'interrupted' }]);
  t.equal(JSON.parse(readFileSync(join(folder, id, 'recording.json'), 'utf8')).name, 'first');
});

t.test('on a disk that fills, a recording ends, says so, and is whole', { skip: noMount() }, async (t) => {
  const dataDir = mountTmpfs(t, 'size=4m');
  const notes: string[] = [];
  const note = (kind: string, text: string): void => void notes.push(`${kind}: ${text}`);
  const { desk, taps, say } = rigIn(t, dataDir, { note });
  const { id } = await desk.start({ name: 'full' }, systemActor);
  say('first');
  await until('it is written', () => desk.get(id).bytes > 0);
  const { bavail, bsize } = statfsSync(dataDir);
  writeFileSync(join(dataDir, 'filler'), Buffer.alloc(bavail * bsize - 65_536));
  await until('it ended', () => {
    say(new Uint8Array(10_000));
    return taps.tap === null;
  });
  t.match(desk.get(id), { state: 'failed', reason: /the disk is full/ });
  t.match(notes, [/^recording\.failed: the recording full ended: .*the disk is full/]);
  const records = [...desk.open(id).records()];
  t.match(records[0], { kind: 'bytes', bytes: Buffer.from('first') });
  t.same(desk.open(id).gaps(), []);
  rmSync(join(dataDir, 'filler'));
  await desk.stop((await desk.start({}, systemActor)).id, systemActor);
});

t.test('with little room left on the disk a recording ends before it is full', { skip: noMount() }, async (t) => {
  const dataDir = mountTmpfs(t, 'size=4m');
  const { desk, taps } = rigIn(t, dataDir, { settings: { ...quietSettings, minFreeBytes: 2_000_000 } });
  const { id } = await desk.start({}, systemActor);
  writeFileSync(join(dataDir, 'filler'), Buffer.alloc(2_500_000));
  await until('it ended', () => taps.tap === null);
  t.match(desk.get(id), { state: 'failed', reason: /nearly full/ });
  await t.rejects(desk.start({}, systemActor), { code: 'unavailable' });
});
