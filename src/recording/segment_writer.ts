import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../store/failures.ts';
import { makeFolder } from '../store/folder.ts';
import { syncPath } from '../store/place.ts';
import { sealRecords } from './cutter.ts';
import { RecordEncoder } from './encoder.ts';
import { HEAD_BYTES, PREFIX_BYTES, recordKinds, segmentMagic, segmentName } from './format.ts';
import { type JsonRecord, passingTables, recordedTables } from './records.ts';
import { Tables } from './tables.ts';

export type SegmentLimits = {
  /** Limit of all segments together, bytes. The oldest segments are deleted first; the current one stays. */
  maxBytes: number;
  maxMs: number;
  /** Free disk space below which a recording ends, bytes: other data of this machine is more important. */
  minFreeBytes: number;
};

export type Written = { bytes: number; segments: number; fromUtcMs: number | null; toUtcMs: number | null };

type Segment = { path: string; bytes: number; fromMs: number; fromUtcMs: number };

/** First bytes of the JSON records that change a table. */
const reportsTable = ['{"kind":"registry"', '{"kind":"link"', '{"kind":"core"'].map((text) => Buffer.from(text));
const beginsSegment = Buffer.from('{"kind":"segment"');

/**
 * Writes batches of records into segments, and deletes the oldest segments. Methods throw if the disk refuses a
 * write. The recording has then ended.
 */
export class SegmentWriter {
  readonly #folder: string;
  readonly #limits: SegmentLimits;
  /** Current tables, except `passingTables`. They are restated at the beginning of each segment. */
  readonly #tables = new Tables();
  readonly #segments: Segment[] = [];
  #file: number | null = null;
  #index = 0;
  #unsynced = false;
  #toMs = 0;
  #toUtcMs: number | null = null;

  constructor(folder: string, limits: SegmentLimits) {
    this.#folder = folder;
    this.#limits = limits;
    makeFolder(folder);
  }

  get written(): Written {
    const bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
    const fromUtcMs = this.#segments[0]?.fromUtcMs ?? null;
    return { bytes, segments: this.#segments.length, fromUtcMs, toUtcMs: this.#toUtcMs };
  }

  take(batch: Buffer): void {
    let from = 0;
    sealRecords(batch, (start, end) => {
      const at = start + HEAD_BYTES;
      if (((batch[at] ?? 0) & 0x7f) === recordKinds.json) {
        const body = batch.subarray(at + PREFIX_BYTES, end);
        if (startsWith(body, beginsSegment)) {
          this.#write(batch.subarray(from, start));
          this.#begin(batch.subarray(start, end));
          from = end;
        } else if (reportsTable.some((text) => startsWith(body, text))) this.#note(body);
      }
      this.#toMs = batch.readDoubleLE(at + 1);
      this.#toUtcMs = batch.readDoubleLE(at + 9);
    });
    this.#write(batch.subarray(from));
  }

  /**
   * Syncs written bytes to the disk. Call this once a second. Returns the reason why the recording must end; null if
   * it may go on.
   */
  sync(): string | null {
    if (this.#unsynced && this.#file !== null) fdatasyncSync(this.#file);
    this.#unsynced = false;
    return this.#roomIsLeft() ? null : `the disk of ${this.#folder} is nearly full`;
  }

  close(): void {
    if (this.#file === null) return;
    const file = this.#file;
    this.#file = null;
    try {
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  #roomIsLeft(): boolean {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize >= this.#limits.minFreeBytes;
  }

  #note(body: Buffer): void {
    const record = JSON.parse(body.toString('utf8')) as JsonRecord;
    if (record.kind === 'registry' && passingTables.has(record.table)) return;
    if (record.kind !== 'core') this.#tables.take(record);
  }

  /** Begins a segment; `head` is its first record. */
  #begin(head: Buffer): void {
    this.close();
    const [atMs, utcMs] = [head.readDoubleLE(HEAD_BYTES + 1), head.readDoubleLE(HEAD_BYTES + 9)];
    const path = join(this.#folder, segmentName(++this.#index));
    this.#file = openSync(path, 'wx', 0o640);
    syncPath(this.#folder);
    this.#segments.push({ path, bytes: 0, fromMs: atMs, fromUtcMs: utcMs });
    this.#deleteOldest(atMs);
    this.#write(segmentMagic);
    this.#write(head);
    const said = new RecordEncoder();
    for (const table of recordedTables) {
      const rows = this.#tables.rows(table);
      if (rows.length > 0) said.rows(table, 'all', rows, { atMs, utcMs }, true);
    }
    const batch = said.take();
    if (batch === null) return;
    sealRecords(batch, () => {});
    this.#write(batch);
  }

  /**
   * Deletes the oldest segments until all segments together have at most `maxBytes`, and the segments after the oldest
   * one cover at most `maxMs`. The current segment stays.
   */
  #deleteOldest(nowMs: number): void {
    const isOver = (): boolean => {
      const [oldest, next] = this.#segments;
      if (!oldest || !next) return false;
      return this.written.bytes > this.#limits.maxBytes || nowMs - next.fromMs > this.#limits.maxMs;
    };
    while (isOver()) rmSync(this.#segments.shift()?.path ?? '', { force: true });
  }

  #write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const segment = this.#segments.at(-1);
    if (this.#file === null || !segment) throw new Error('a recording must begin with a segment');
    try {
      for (let at = 0; at < bytes.length; ) {
        const more = writeSync(this.#file, bytes, at, bytes.length - at);
        at += more;
        segment.bytes += more;
      }
    } catch (thrown) {
      throw new Error(`${this.#folder} cannot be written: ${reasonOf(thrown)}`, { cause: thrown });
    }
    this.#unsynced = true;
    if (this.written.bytes > this.#limits.maxBytes) this.#deleteOldest(this.#toMs);
  }
}

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.length >= beginning.length && bytes.compare(beginning, 0, beginning.length, 0, beginning.length) === 0;
}
