import { HEAD_BYTES, MOST_RECORD_BYTES, MOST_WAYS, PREFIX_BYTES, recordKinds, restated } from './format.ts';
import type { JsonRecord, RecordedRow, RecordedTable } from './records.ts';

const BATCH_BYTES = 64 * 1024;
/** Approximate size of a record of table rows, bytes. */
const ROWS_BYTES = 256 * 1024;

export type Times = { atMs: number; utcMs: number };

/**
 * Appends records to a buffer, which `take` returns as a whole. The CRCs are left empty: the writing thread sets them
 * (`sealRecords`).
 */
export class RecordEncoder {
  #buffer: Buffer | null = null;
  #end = 0;
  /** Numbers of the senders named in this segment, by link and sender. */
  readonly #ways = new Map<string, Map<string, number>>();
  #wayCount = 0;

  get length(): number {
    return this.#end;
  }

  /** True if this segment has no free number for another sender. */
  get isFullOfWays(): boolean {
    return this.#wayCount >= MOST_WAYS;
  }

  /** Begins a new segment, in which no sender has a number yet. */
  forgetWays(): void {
    this.#ways.clear();
    this.#wayCount = 0;
  }

  bytes(linkId: string, from: string, bytes: Uint8Array, times: Times): void {
    const way = this.#ways.get(linkId)?.get(from) ?? this.#nameWay(linkId, from, times);
    const at = this.#begin(recordKinds.bytes, 2 + bytes.length, times);
    const buffer = this.#buffer as Buffer;
    buffer.writeUInt16LE(way, at);
    buffer.set(bytes, at + 2);
  }

  step(observations: number, times: Times): void {
    const at = this.#begin(recordKinds.step, 4, times);
    (this.#buffer as Buffer).writeUInt32LE(observations, at);
  }

  /** Appends a record. Returns false if it is too long to be stored. */
  json(record: JsonRecord, times: Times, isRestated = false): boolean {
    return this.text(JSON.stringify(record), times, isRestated);
  }

  /** Like `json`, for a record that is JSON text already. */
  text(text: string, times: Times, isRestated = false): boolean {
    const length = Buffer.byteLength(text);
    if (PREFIX_BYTES + length > MOST_RECORD_BYTES) return false;
    const at = this.#begin(recordKinds.json | (isRestated ? restated : 0), length, times);
    (this.#buffer as Buffer).write(text, at, 'utf8');
    return true;
  }

  /**
   * Appends rows of a table, in as many records as needed. `all` replaces the table; `set` adds rows, or replaces those
   * with the same ids.
   */
  rows(table: RecordedTable, op: 'all' | 'set', rows: Iterable<RecordedRow>, times: Times, isRestated = false): void {
    let said: 'all' | 'set' = op;
    let texts: string[] = [];
    let length = 0;
    const flush = (): void => {
      this.text(`{"kind":"registry","table":"${table}","op":"${said}","rows":[${texts.join(',')}]}`, times, isRestated);
      said = 'set';
      texts = [];
      length = 0;
    };
    for (const row of rows) {
      const text = JSON.stringify(row);
      if (length + text.length > ROWS_BYTES && texts.length > 0) flush();
      texts.push(text);
      length += text.length;
    }
    if (texts.length > 0 || said === 'all') flush();
  }

  /** Returns the records since the previous call, in a buffer that the caller owns; null if there are none. */
  take(): Buffer | null {
    const taken = this.#buffer?.subarray(0, this.#end) ?? null;
    this.#buffer = null;
    this.#end = 0;
    return taken;
  }

  #nameWay(linkId: string, from: string, times: Times): number {
    const ofLink = this.#ways.get(linkId) ?? new Map<string, number>();
    this.#ways.set(linkId, ofLink);
    const way = this.#wayCount++;
    ofLink.set(from, way);
    const text = JSON.stringify({ link_id: linkId, from });
    const at = this.#begin(recordKinds.way, 2 + Buffer.byteLength(text), times);
    const buffer = this.#buffer as Buffer;
    buffer.writeUInt16LE(way, at);
    buffer.write(text, at + 2, 'utf8');
    return way;
  }

  /** Makes room for a record and writes its head. Returns the offset of its body. */
  #begin(kind: number, bodyBytes: number, { atMs, utcMs }: Times): number {
    const length = PREFIX_BYTES + bodyBytes;
    const start = this.#end;
    const end = start + HEAD_BYTES + length;
    let buffer = this.#buffer;
    if (buffer === null || end > buffer.length) {
      // The buffer is not from Node's shared pool, because it is transferred to another thread.
      const larger = Buffer.allocUnsafeSlow(Math.max(BATCH_BYTES, end + (buffer === null ? 0 : end >> 1)));
      if (buffer !== null) larger.set(buffer.subarray(0, start));
      this.#buffer = buffer = larger;
    }
    buffer.writeUInt32LE(length, start);
    buffer[start + HEAD_BYTES] = kind;
    buffer.writeDoubleLE(atMs, start + HEAD_BYTES + 1);
    buffer.writeDoubleLE(utcMs, start + HEAD_BYTES + 9);
    this.#end = end;
    return start + HEAD_BYTES + PREFIX_BYTES;
  }
}
