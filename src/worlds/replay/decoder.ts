import { PREFIX_BYTES, recordKinds, restated } from './format.ts';
import { type JsonRecord, type RecordingRecord, recordedTables } from './records.ts';

type Way = { linkId: string; from: string };

/** A record as it was read; `isRestated` says that it tells again what was told before its segment. */
export type Decoded =
  | { what: 'record'; record: RecordingRecord; isRestated: boolean }
  | { what: 'segment'; segment: Extract<JsonRecord, { kind: 'segment' }>; atMs: number; utcMs: number }
  /** What has no meaning by itself, or a meaning that only a newer Dunlin knows. */
  | { what: 'nothing' }
  | { what: 'damage'; sentence: string };

const nothing: Decoded = { what: 'nothing' };
const tables: ReadonlySet<unknown> = new Set(recordedTables);
const jsonKinds: ReadonlySet<unknown> = new Set<JsonRecord['kind']>([
  ...(['segment', 'registry', 'ingest', 'gone', 'link', 'core', 'change', 'gap'] as const),
]);

/** Gives the records of one recording their meaning. What is not as it was ever written is damage, and never thrown. */
export class RecordDecoder {
  #ways = new Map<number, Way>();

  /** A segment begins: senders are named anew. */
  begin(): void {
    this.#ways = new Map();
  }

  decode(payload: Buffer): Decoded {
    const kind = payload[0] ?? 0;
    const atMs = payload.readDoubleLE(1);
    const utcMs = payload.readDoubleLE(9);
    if (!isTime(atMs) || !isTime(utcMs)) return damage('a record has no time');
    const body = payload.subarray(PREFIX_BYTES);
    switch (kind & ~restated) {
      case recordKinds.bytes:
        return this.#bytes(body, atMs, utcMs);
      case recordKinds.way:
        return this.#way(body);
      case recordKinds.step:
        if (body.length < 4) return damage('a step says nothing');
        return plain({ kind: 'step', observations: body.readUInt32LE(0), atMs, utcMs });
      case recordKinds.json:
        return jsonOf(body, atMs, utcMs, (kind & restated) !== 0);
      default:
        return nothing;
    }
  }

  #bytes(body: Buffer, atMs: number, utcMs: number): Decoded {
    const way = body.length < 2 ? undefined : this.#ways.get(body.readUInt16LE(0));
    if (way === undefined) return damage('bytes are of a sender that was never named');
    const { linkId, from } = way;
    // Its own copy: what it stands in is given to the next records.
    return plain({ kind: 'bytes', linkId, from, bytes: Uint8Array.prototype.slice.call(body, 2), atMs, utcMs });
  }

  #way(body: Buffer): Decoded {
    const said = body.length < 2 ? null : parse(body.subarray(2));
    if (!isObject(said) || typeof said.link_id !== 'string' || typeof said.from !== 'string')
      return damage('a sender has no name');
    this.#ways.set(body.readUInt16LE(0), { linkId: said.link_id, from: said.from });
    return nothing;
  }
}

function jsonOf(body: Buffer, atMs: number, utcMs: number, isRestated: boolean): Decoded {
  const said = parse(body);
  if (!isObject(said) || typeof said.kind !== 'string') return damage('a record is not the JSON that was written');
  if (!jsonKinds.has(said.kind)) return nothing;
  if (said.kind === 'registry' && !tables.has(said.table)) return nothing;
  if (!isWhole(said)) return damage(`a record of the kind ${said.kind} lacks what it must have`);
  const record = said as JsonRecord;
  if (record.kind === 'segment') return { what: 'segment', segment: record, atMs, utcMs };
  return { what: 'record', record: { ...record, atMs, utcMs }, isRestated };
}

/** What a record of a kind must have, so that nobody who uses it is surprised. */
function isWhole(said: Record<string, unknown>): boolean {
  switch (said.kind) {
    case 'segment':
      return areTexts(said.recording, said.workspace, said.name, said.started_at);
    case 'registry':
      return said.op === 'remove' ? areTexts(...listOf(said.ids)) : isOpOfRows(said);
    case 'ingest':
      return Array.isArray(said.rows) && said.rows.every(isObject);
    case 'gone':
      return areTexts(said.link_id, said.from);
    case 'link':
      return areTexts(said.link_id, said.name, said.state);
    case 'core':
      return areTexts(said.seed) && Number.isSafeInteger(said.last_number);
    case 'change':
      return isObject(said.change);
    default:
      return isTime(said.from_ms) && areTexts(said.sentence);
  }
}

function isOpOfRows({ op, rows }: Record<string, unknown>): boolean {
  const isOp = op === 'all' || op === 'set';
  return isOp && Array.isArray(rows) && rows.every((row) => isObject(row) && typeof row.id === 'string');
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [undefined];
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < 8.64e15;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

function plain(record: RecordingRecord): Decoded {
  return { what: 'record', record, isRestated: false };
}

function damage(sentence: string): Decoded {
  return { what: 'damage', sentence: `the recording is damaged: ${sentence}` };
}
