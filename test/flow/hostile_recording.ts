import { RecordCutter, sealRecords } from '../../src/recording/cutter.ts';
import { HEAD_BYTES, PREFIX_BYTES, recordKinds, restated, segmentMagic } from '../../src/recording/format.ts';

type Said = Record<string, unknown>;

/** What is to become of a record that is JSON. */
export type Change = (said: Said) => unknown;

const rowsOf =
  (table: string, row: (row: Said) => unknown): Change =>
  (said) =>
    said.table === table && Array.isArray(said.rows) ? { ...said, rows: said.rows.map(row) } : said;

const junk = { id: 'x', geometry: null, spec: 7, name: null, version: 'v', policy: {}, number: {}, rules: 1 };

/** Recordings that whole records make, with checksums that are right, and that no recorder ever wrote. */
export const hostile: readonly [string, Change][] = [
  ['zones of nothing', rowsOf('zones', () => junk)],
  ['assets of nothing', rowsOf('assets', () => junk)],
  ['links of nothing', rowsOf('links', (row) => ({ ...row, spec: { name: 'x' } }))],
  ['sensors of nothing', rowsOf('sensors', () => ({ id: 'x' }))],
  ['rules of nothing', rowsOf('rules', () => ({ id: 'x' }))],
  ['a policy of nothing', rowsOf('decision', (row) => ({ ...row, policy: {} }))],
  ['a doctrine of nothing', rowsOf('doctrine', () => ({ id: 'doctrine', version: 3 }))],
  ['settings of nothing', rowsOf('settings', () => ({ id: 'settings' }))],
  ['settings beyond reason', rowsOf('settings', (row) => ({ ...row, tracking: { maxTracks: 1e12 }, feeds: {} }))],
  ['zones without a column', rowsOf('zones', ({ geometry: _geometry, ...row }) => row)],
  ['assets of a name beyond reason', rowsOf('assets', (row) => ({ ...row, spec: { notes: 'x'.repeat(1_000_000) } }))],
  ['links of an address beyond reason', rowsOf('links', (row) => ({ ...row, issued_for: 'x'.repeat(100_000) }))],
  ['states of links of nothing', rowsOf('link_states', () => ({ id: 'x', state: {}, error: [] }))],
  ['words of nothing', rowsOf('words', () => ({ id: '1', number: 'one', visits: {}, dismissed: 7 }))],
  ['alerts of nothing', rowsOf('alerts', () => ({ id: 'x', alert: { id: 7 }, key: null }))],
  ['tracks of nothing', rowsOf('tracks', () => ({ id: 'x', number: 'T', identities: 0 }))],
  ['changes of nothing', (said) => (said.kind === 'ingest' ? { kind: 'change', change: { what: 'merge' } } : said)],
  ['no seed', (said) => (said.kind === 'core' ? { ...said, seed: 'zz' } : said)],
  ['ingest of nothing', (said) => (said.kind === 'ingest' ? { ...said, rows: [{}, { sensor_id: 7 }] } : said)],
];

/** The same segment with its JSON records changed. */
export function rewritten(segment: Buffer, change: Change): Buffer {
  const cutter = new RecordCutter();
  cutter.push(segment);
  const records: Buffer[] = [];
  for (let cut = cutter.next(); cut !== null; cut = cutter.next()) {
    if (cut.what !== 'record') continue;
    const { payload } = cut;
    const isJson = ((payload[0] ?? 0) & ~restated) === recordKinds.json;
    const body = isJson ? changed(payload.subarray(PREFIX_BYTES), change) : payload.subarray(PREFIX_BYTES);
    const record = Buffer.alloc(HEAD_BYTES + PREFIX_BYTES + body.length);
    record.writeUInt32LE(PREFIX_BYTES + body.length, 0);
    payload.copy(record, HEAD_BYTES, 0, PREFIX_BYTES);
    body.copy(record, HEAD_BYTES + PREFIX_BYTES);
    records.push(record);
  }
  const sealed = Buffer.concat(records);
  sealRecords(sealed, () => {});
  return Buffer.concat([segmentMagic, sealed]);
}

function changed(body: Buffer, change: Change): Buffer {
  return Buffer.from(JSON.stringify(change(JSON.parse(body.toString('utf8')) as Said)));
}
