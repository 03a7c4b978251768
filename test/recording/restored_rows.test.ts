import fc from 'fast-check';
import t from 'tap';
import { RecordingReader } from '../../src/recording/reader.ts';
import type { RecordedRow, RecordedTable } from '../../src/recording/records.ts';
import { RestoredTables } from '../../src/recording/restored_tables.ts';
import { Tables } from '../../src/recording/tables.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { writeEarlierRecording } from '../support/recording/earlier_recording.ts';
import { mutated } from './mutated_rows.ts';
import { folderOf } from './rig.ts';

/** Tables that no replay restores: what they say follows from the others. */
const anotherId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const unread = ['sensor_states', 'site', 'life'];
const held = [
  ...(['settings', 'links', 'link_states', 'sensors', 'rules', 'assets', 'assignments', 'zones', 'regions'] as const),
  ...(['decision', 'doctrine', 'words', 'alerts'] as const),
];

function earlier(t: Parameters<typeof folderOf>[0]): RecordingReader {
  const folder = folderOf(t);
  writeEarlierRecording(folder);
  return RecordingReader.open(folder);
}

t.test('every row of a recording of an earlier version is restored', async (t) => {
  const reader = earlier(t);
  const { tables, tracks, core } = reader.snapshotAt(reader.span.fromMs);
  const restored = new RestoredTables(tables);
  for (const table of held) {
    t.ok(tables.rows(table).length > 0, `${table} has rows`);
    t.equal(restored.rows(table).length, tables.rows(table).length, table);
  }
  t.equal(tracks.length, tables.rows('tracks').length);
  t.equal(core.seed.length, 8);
  for (const record of reader.records()) {
    if (record.kind === 'registry' && !unread.includes(record.table)) t.ok(restored.take(record), record.table);
    if (record.kind === 'ingest') t.equal(restored.refused.fitting('ingest', record.rows).length, record.rows.length);
  }
  t.equal(restored.refused.total, 0, restored.refused.sentence);
});

t.test('what is left out is counted by table', async (t) => {
  const tables = new Tables();
  const row = (id: string): RecordedRow => ({ id, name: 7 });
  tables.take({ kind: 'registry', table: 'zones', op: 'all', rows: [row('a'), row('b')] });
  tables.take({ kind: 'registry', table: 'links', op: 'all', rows: [row('a')] });
  const { refused } = new RestoredTables(tables);
  t.equal(refused.total, 3);
  t.match(refused.sentence, /^rows of the recording are left out, .+: 1 of links, 2 of zones$/);
});

t.test('whatever a row says, the others are restored, and it is restored or counted', async (t) => {
  const reader = earlier(t);
  const { tables } = reader.snapshotAt(reader.span.fromMs);
  for (const table of held) {
    const rows = tables.rows(table);
    const [first] = rows;
    if (!first) throw new TypeError(`no row of ${table}`);
    const property = fc.property(mutated(first), (row) => {
      const restored = new RestoredTables(changed(table, [...rows, { ...row, id: anotherId }]));
      const { total } = restored.refused;
      const ids = restored.rows(table).map(({ id }) => id);
      return ids.length + total === rows.length + 1 && rows.every(({ id }) => ids.includes(id));
    });
    fc.assert(property, { seed: seedOf(t), numRuns: sized(150), endOnFailure: true });
  }
  t.pass();
});

t.test('a row that does not fit leaves the one of the same id as it was', async (t) => {
  const reader = earlier(t);
  const restored = new RestoredTables(reader.snapshotAt(reader.span.fromMs).tables);
  const [zone] = restored.rows('zones');
  if (!zone) throw new TypeError('no zone');
  const change = restored.take({ kind: 'registry', table: 'zones', op: 'set', rows: [{ ...zone, geometry: null }] });
  t.same(change, { table: 'zones', op: 'set', ids: [] });
  t.same(restored.rows('zones')[0], zone);
  t.equal(restored.refused.total, 1);
  restored.take({ kind: 'registry', table: 'zones', op: 'remove', ids: [zone.id] });
  t.notOk(restored.rows('zones').some(({ id }) => id === zone.id));
});

function changed(table: RecordedTable, rows: readonly RecordedRow[]): Tables {
  const tables = new Tables();
  tables.take({ kind: 'registry', table, op: 'all', rows });
  return tables;
}
