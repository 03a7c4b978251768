import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { systemActor } from '../../src/model/actor.ts';
import type { ObservationDocument } from '../../src/model/observation.ts';
import { recordingSchema } from '../../src/model/recording.ts';
import type { RecordedRow, RecordedTable } from '../../src/recording/records.ts';
import { until } from '../support/basics/deadline.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { linkId, quietSettings, quietSource, recordingsOf } from '../support/recording/quiet_source.ts';
import { openRegistry } from '../support/registry/registry.ts';
import { mountTmpfs, noMount } from '../support/store/tmpfs.ts';
import { folderOf, gapsIn } from './rig.ts';

onlyInFull(t);

type Changes = Parameters<typeof recordingsOf>[2];

function rigIn(t: Test, dataDir: string, changes: Changes = {}) {
  const { ledger, workspaceId } = openRegistry(t);
  const rig = recordingsOf(dataDir, { ledger, workspaceId }, changes);
  t.teardown(() => rig.service.close());
  const say = (text: string | Uint8Array): void =>
    rig.recorderHook.recorder?.chunk(linkId, { bytes: Buffer.from(text), from: '10.0.0.7:1', atMs: performance.now() });
  const again = (): typeof rig => recordingsOf(dataDir, { ledger, workspaceId }, changes);
  return { ...rig, say, again };
}

t.test('what enters is kept in one order, whatever it is', async (t) => {
  const { service, recorderHook, say } = rigIn(t, folderOf(t));
  say('before');
  const { id, name, state, links } = await service.start({ name: 'all' }, systemActor);
  t.match({ name, state, links }, { name: 'all', state: 'recording', links: [{ id: linkId, name: 'rid' }] });
  say('one');
  const rows = [{ obs_id: 'o', report: 'position' }] as unknown as ObservationDocument[];
  recorderHook.recorder?.ingest(rows, performance.now());
  recorderHook.recorder?.gone(linkId, '10.0.0.7:1');
  recorderHook.recorder?.rows('zones', [{ id: 'y', name: 'new' } as { id: string }]);
  recorderHook.recorder?.removed('zones', 'z');
  recorderHook.recorder?.configured({
    kind: 'change',
    id: 1,
    change: { what: 'drop', number: 7 },
    nowMs: performance.now(),
  });
  say('two');
  const stopped = await service.stop(id, systemActor);
  say('after');
  t.equal(recorderHook.recorder, null);
  t.ok(stopped.bytes > 0 && recordingSchema.parse(stopped));
  const reader = service.open(id);
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
  const zones = (ms: number): unknown =>
    reader
      .snapshotAt(ms)
      .tables.rows('zones')
      .map(({ id }) => id);
  t.same(zones(reader.span.fromMs), ['z']);
  t.same(zones(reader.span.toMs), ['y']);
  await t.rejects(service.stop(id, systemActor), { code: 'conflict' });
});

t.test('ingested rows that are too long for one record are several', async (t) => {
  const { service, recorderHook } = rigIn(t, folderOf(t));
  const { id } = await service.start({}, systemActor);
  const rows = Array.from({ length: 500 }, (_, n) => ({ obs_id: `${n}`, text: 'ü'.repeat(8_000) }));
  recorderHook.recorder?.ingest(rows as unknown as ObservationDocument[], performance.now());
  await service.stop(id, systemActor);
  const kept = [...service.open(id).records()].flatMap((record) => (record.kind === 'ingest' ? record.rows : []));
  t.same(
    kept.map(({ obs_id }) => obs_id),
    rows.map(({ obs_id }) => obs_id),
  );
});

t.test('what comes faster than it is written is dropped, counted, and told of as a gap', async (t) => {
  const { service, say } = rigIn(t, folderOf(t));
  const { id } = await service.start({}, systemActor);
  const block = new Uint8Array(64 * 1024);
  // In one turn: nothing is told to be written meanwhile.
  for (let i = 0; i < 400; i++) say(block);
  const { dropped_records } = service.get(id);
  t.ok(dropped_records > 100 && dropped_records < 200, `${dropped_records} of 400 dropped`);
  await until('there is room again', () => {
    say('later');
    return service.get(id).gaps === 1;
  });
  const { gaps, dropped_bytes } = await service.stop(id, systemActor);
  t.equal(gaps, 1);
  const records = [...service.open(id).records()];
  const gap = records.find(({ kind }) => kind === 'gap');
  t.match(gap, { sentence: /the disk was slower/ });
  t.equal(gap?.kind === 'gap' && gap.bytes, dropped_bytes);
  t.equal(records.filter(({ kind }) => kind === 'bytes').at(-1) !== undefined, true);
});

t.test('a segment says again what passes, and other senders than a segment can name begin another', async (t) => {
  let tracks: RecordedRow[] = [{ id: 'a' }];
  const passing = (): [RecordedTable, RecordedRow[]][] => [['alerts', tracks]];
  const { service, recorderHook } = rigIn(t, folderOf(t), { source: quietSource(passing) });
  const { id } = await service.start({}, systemActor);
  tracks = [{ id: 'b' }];
  for (let n = 0; n < 66_000; n++) {
    const from = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}:1`;
    recorderHook.recorder?.chunk(linkId, { bytes: Buffer.from([1]), from, atMs: performance.now() });
    if (n % 5_000 === 0) await wait(20);
  }
  const { segments } = await service.stop(id, systemActor);
  t.equal(segments, 2);
  const reader = service.open(id);
  const alerts = (ms: number): unknown =>
    reader
      .snapshotAt(ms)
      .tables.rows('alerts')
      .map((row) => row.id);
  t.same(alerts(reader.span.fromMs), ['a']);
  t.same(alerts(reader.span.toMs), ['b']);
  t.same(
    reader
      .snapshotAt(reader.span.toMs)
      .tables.rows('zones')
      .map((row) => row.id),
    ['z'],
  );
  const senders = new Set([...reader.records()].flatMap((record) => (record.kind === 'bytes' ? [record.from] : [])));
  t.equal(senders.size, 66_000);
});

t.test('all recordings of a box together have a limit', async (t) => {
  const settings = { ...quietSettings, allBytes: 3_000_000, maxBytes: 2_000_000 };
  const { service, again } = rigIn(t, folderOf(t), { settings });
  const { id } = await service.start({}, systemActor);
  const other = again().service;
  await t.rejects(other.start({}, systemActor), {
    code: 'conflict',
    message: /3 MB on this box, and 2 MB are taken/,
  });
  await service.stop(id, systemActor);
  const { id: second } = await service.start({}, systemActor);
  t.equal((await service.stop(second, systemActor)).max_bytes, 2_000_000);
});

t.test('a workspace that begins leaves what others record alone', async (t) => {
  const dataDir = folderOf(t);
  const { service, say } = rigIn(t, dataDir);
  const { id } = await service.start({}, systemActor);
  say('word');
  const { ledger } = openRegistry(t);
  const { service: other } = recordingsOf(dataDir, { ledger, workspaceId: 'another' });
  other.load();
  t.same(other.list(), []);
  t.equal(JSON.parse(readFileSync(join(dataDir, 'recordings', id, 'recording.json'), 'utf8')).state, 'recording');
});

t.test('a chunk longer than a record is several', async (t) => {
  const { service, say } = rigIn(t, folderOf(t));
  const { id } = await service.start({}, systemActor);
  const long = Buffer.alloc(5_000_000, 'long ');
  say(long);
  await service.stop(id, systemActor);
  const pieces = [...service.open(id).records()].flatMap((record) => (record.kind === 'bytes' ? [record.bytes] : []));
  t.ok(Buffer.concat(pieces).equals(long));
});

t.test('a service that stops ends its recording in order', async (t) => {
  const { service, say, again } = rigIn(t, folderOf(t));
  const { id } = await service.start({}, systemActor);
  say('word');
  await service.close();
  t.match(service.get(id), { state: 'stopped', reason: 'the service was stopped' });
  const { service: next } = again();
  next.load();
  t.match(next.list(), [{ id, state: 'stopped', reason: 'the service was stopped' }]);
});

t.test('what is taken away by hand is gone, and a document that is lost is made again', async (t) => {
  const { service, folder, again, say } = rigIn(t, folderOf(t));
  const { id } = await service.start({ name: 'first' }, systemActor);
  say('word');
  await service.stop(id, systemActor);
  const { id: second } = await service.start({ name: 'second' }, systemActor);
  await service.stop(second, systemActor);
  t.same(
    service.list().map(({ name }) => name),
    ['second', 'first'],
  );
  rmSync(join(folder, second), { recursive: true });
  t.throws(() => service.get(second), { code: 'not_found' });
  rmSync(join(folder, id, 'recording.json'));
  writeFileSync(join(folder, 'something else'), 'x');
  const { service: next } = again();
  next.load();
  t.match(next.list(), [{ id, name: 'first', state: 'interrupted' }]);
  t.equal(JSON.parse(readFileSync(join(folder, id, 'recording.json'), 'utf8')).name, 'first');
});

t.test('on a disk that fills, a recording ends, says so, and is whole', { skip: noMount() }, async (t) => {
  const dataDir = mountTmpfs(t, 'size=4m');
  const notes: string[] = [];
  const note = (kind: string, text: string): void => void notes.push(`${kind}: ${text}`);
  const { service, recorderHook, say } = rigIn(t, dataDir, { note });
  const { id } = await service.start({ name: 'full' }, systemActor);
  say('first');
  await until('it is written', () => service.get(id).bytes > 0);
  const { bavail, bsize } = statfsSync(dataDir);
  writeFileSync(join(dataDir, 'filler'), Buffer.alloc(bavail * bsize - 65_536));
  await until('it ended', () => {
    say(new Uint8Array(10_000));
    return recorderHook.recorder === null;
  });
  t.match(service.get(id), { state: 'failed', reason: /the disk is full/ });
  t.match(notes, [/^recording\.failed: the recording full ended: .*the disk is full/]);
  const records = [...service.open(id).records()];
  t.match(records[0], { kind: 'bytes', bytes: Buffer.from('first') });
  t.same(gapsIn(service.open(id)), []);
  rmSync(join(dataDir, 'filler'));
  await service.stop((await service.start({}, systemActor)).id, systemActor);
});

t.test('with little room left on the disk a recording ends before it is full', { skip: noMount() }, async (t) => {
  const dataDir = mountTmpfs(t, 'size=4m');
  const { service, recorderHook } = rigIn(t, dataDir, { settings: { ...quietSettings, minFreeBytes: 2_000_000 } });
  const { id } = await service.start({}, systemActor);
  writeFileSync(join(dataDir, 'filler'), Buffer.alloc(2_500_000));
  await until('it ended', () => recorderHook.recorder === null);
  t.match(service.get(id), { state: 'failed', reason: /nearly full/ });
  await t.rejects(service.start({}, systemActor), { code: 'unavailable' });
});
