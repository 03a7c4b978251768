import { PREFIX_BYTES, recordKinds, restated } from './format.ts';
import { type JsonRecord, type RecordingRecord, recordedTables } from './records.ts';

type Way = { linkId: string; from: string };

/** A decoded record; `isRestated` marks a record that repeats state from before its segment. */
export type Decoded =
  | { what: 'record'; record: RecordingRecord; isRestated: boolean }
  | { what: 'segment'; segment: Extract<JsonRecord, { kind: 'segment' }>; atMs: number; utcMs: number }
  /** A record that only the decoder itself needs, or of a kind that this version does not know. */
  | { what: 'nothing' }
  | { what: 'damage'; sentence: string };

const nothing: Decoded = { what: 'nothing' };
const tables: ReadonlySet<unknown> = new Set(recordedTables);
/** Text fields that a JSON record of each kind must have. */
const textFields = new Map<unknown, readonly string[]>(
  Object.entries({
    ...{ segment: ['recording', 'workspace', 'name', 'started_at'], registry: [], ingest: [], change: [] },
    ...{ gone: ['link_id', 'from'], link: ['link_id', 'name', 'state'], core: ['seed'], gap: ['sentence'] },
  } satisfies Record<JsonRecord['kind'], readonly string[]>),
);

/** Decodes the records of one recording. Malformed records are returned as damage, and never thrown. */
export class RecordDecoder {
  #ways = new Map<number, Way>();

  /** Begins a segment. Each segment numbers its senders independently. */
  begin(): void {
    this.#ways = new Map();
  }

  decode(payload: Buffer): Decoded {
    const kind = payload[0] ?? 0;
    const atMs = payload.readDoubleLE(1);
    const utcMs = payload.readDoubleLE(9);
    if (!isTime(atMs) || !isTime(utcMs)) return damage('a record has no valid time');
    const body = payload.subarray(PREFIX_BYTES);
    switch (kind & ~restated) {
      case recordKinds.bytes:
        return this.#bytes(body, atMs, utcMs);
      case recordKinds.way:
        return this.#way(body);
      case recordKinds.step:
        if (body.length < 4) return damage('the record of a core step is incomplete');
        return plain({ kind: 'step', observations: body.readUInt32LE(0), atMs, utcMs });
      case recordKinds.json:
        return jsonOf(body, atMs, utcMs, (kind & restated) !== 0);
      default:
        return nothing;
    }
  }

  #bytes(body: Buffer, atMs: number, utcMs: number): Decoded {
    const way = body.length < 2 ? undefined : this.#ways.get(body.readUInt16LE(0));
    if (way === undefined) return damage('a record of received bytes refers to a sender that no earlier record names');
    const { linkId, from } = way;
    // The bytes are copied, because a view would keep the whole read buffer (256 KiB) in memory.
    return plain({ kind: 'bytes', linkId, from, bytes: Uint8Array.prototype.slice.call(body, 2), atMs, utcMs });
  }

  #way(body: Buffer): Decoded {
    const said = body.length < 2 ? null : parse(body.subarray(2));
    if (!isObject(said) || typeof said.link_id !== 'string' || typeof said.from !== 'string')
      return damage('a record of a sender contains no name');
    this.#ways.set(body.readUInt16LE(0), { linkId: said.link_id, from: said.from });
    return nothing;
  }
}

function jsonOf(body: Buffer, atMs: number, utcMs: number, isRestated: boolean): Decoded {
  const said = parse(body);
  if (!isObject(said) || typeof said.kind !== 'string') return damage('a record is not valid JSON');
  if (!textFields.has(said.kind)) return nothing;
  if (said.kind === 'registry' && !tables.has(said.table)) return nothing;
  if (!isWhole(said)) return damage(`a record of the kind ${said.kind} lacks a required field`);
  const record = said as JsonRecord;
  if (record.kind === 'segment') return { what: 'segment', segment: record, atMs, utcMs };
  return { what: 'record', record: { ...record, atMs, utcMs }, isRestated };
}

/** True if a record has the fields that its kind requires. Readers rely on them. */
function isWhole(said: Record<string, unknown>): boolean {
  if (!textFields.get(said.kind)?.every((field) => typeof said[field] === 'string')) return false;
  switch (said.kind) {
    case 'registry':
      if (said.op === 'remove') return areAll(said.ids, (id) => typeof id === 'string');
      return (said.op === 'all' || said.op === 'set') && areAll(said.rows, isRow);
    case 'ingest':
      return areAll(said.rows, isObject);
    case 'core':
      return Number.isSafeInteger(said.last_number);
    case 'change':
      return isObject(said.change);
    case 'gap':
      return isTime(said.from_ms);
    default:
      return true;
  }
}

function isRow(value: unknown): boolean {
  return isObject(value) && typeof value.id === 'string';
}

function areAll(values: unknown, is: (value: unknown) => boolean): boolean {
  return Array.isArray(values) && values.every(is);
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
