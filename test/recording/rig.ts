import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealRecords } from '../../src/recording/cutter.ts';
import { RecordEncoder } from '../../src/recording/encoder.ts';
import { RecordingReader } from '../../src/recording/reader.ts';
import type { RecordingRecord } from '../../src/recording/records.ts';
import { type SegmentLimits, SegmentWriter } from '../../src/recording/segment_writer.ts';

/** The wall clock of what is recorded here stands so far before its world's. */
export const offsetMs = 1_748_764_800_000;
export const seed = '0102030405060708';
export const manyBytes: SegmentLimits = { maxBytes: 1e9, maxMs: 86_400_000, minFreeBytes: 0 };

export function folderOf(t: { teardown(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-recording-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes records as a recorder would, without a thread. */
export class Pen {
  readonly folder: string;
  readonly encoder = new RecordEncoder();
  readonly writer: SegmentWriter;

  constructor(folder: string, limits: SegmentLimits = manyBytes) {
    this.folder = folder;
    this.writer = new SegmentWriter(folder, limits);
  }

  segment(atMs: number): void {
    const times = { atMs, utcMs: atMs + offsetMs };
    this.encoder.forgetWays();
    const started_at = new Date(offsetMs).toISOString();
    this.encoder.json({ kind: 'segment', recording: 'r', workspace: 'w', name: 'test', started_at }, times);
    this.encoder.json({ kind: 'core', seed, last_number: 41 }, times, true);
  }

  bytes(atMs: number, bytes: Uint8Array, link = 'rid', from = '10.0.0.7:14550'): void {
    this.encoder.bytes(link, from, bytes, { atMs, utcMs: atMs + offsetMs });
  }

  zone(atMs: number, id: string, name: string): void {
    const times = { atMs, utcMs: atMs + offsetMs };
    this.encoder.json({ kind: 'registry', table: 'zones', op: 'set', rows: [{ id, name }] }, times);
  }

  /** Puts what was said on the disk. */
  write(): void {
    const batch = this.encoder.take();
    if (batch !== null) this.writer.take(batch);
  }

  close(): void {
    this.write();
    this.writer.close();
  }
}

/** What a recorder would have put into a buffer, with its checksums. */
export function sealed(encoder: RecordEncoder): Buffer {
  const batch = encoder.take() ?? Buffer.alloc(0);
  sealRecords(batch, () => {});
  return batch;
}

export function recordsIn(folder: string, fromMs?: number): RecordingRecord[] {
  return [...RecordingReader.open(folder).records(fromMs)];
}

/** The texts that came as bytes, in their order. */
/** Records that say where something is missing. */
export function gapsIn(reader: RecordingReader): RecordingRecord[] {
  return [...reader.records()].filter(({ kind }) => kind === 'gap');
}

export function textsOf(records: readonly RecordingRecord[]): string[] {
  return records.flatMap((record) => (record.kind === 'bytes' ? [Buffer.from(record.bytes).toString()] : []));
}
