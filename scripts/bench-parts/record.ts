import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecordingReader } from '../../src/recording/reader.ts';
import { Recorder } from '../../src/recording/recorder.ts';
import { quietSource } from '../../test/support/recording/quiet_source.ts';
import { quantile, type Row } from './row.ts';

const CHUNKS_PER_S = 1_000;
const SECONDS = 20;
const CHUNKS = CHUNKS_PER_S * SECONDS;
const CHUNK_BYTES = 200;
const LINKS = 3;
const SENDERS = 50;

/** What recording costs the thread that hears, a chunk, at a pace of the field; and how fast it is read again. */
export async function benchRecord(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-bench-'));
  try {
    const limits = { maxBytes: 1e9, maxMs: 86_400_000, minFreeBytes: 0 };
    const about = { id: 'bench', workspaceId: 'bench', name: 'bench', startedAt: '2025-06-01T00:00:00.000Z' };
    const ended = (sentence: string): void => console.error(sentence);
    const recorder = new Recorder(about, folder, limits, { ...quietSource(), ended });
    await recorder.open();
    recorder.begin();
    const bytes = new Uint8Array(CHUNK_BYTES);
    const before = process.cpuUsage();
    const spent: number[] = [];
    const beganMs = performance.now();
    const ways = Array.from({ length: SENDERS }, (_, n) => ({ link: `link ${n % LINKS}`, from: `10.0.0.${n}:1` }));
    let sent = 0;
    while (sent < CHUNKS) {
      const due = Math.min(CHUNKS, Math.floor(((performance.now() - beganMs) / 1_000) * CHUNKS_PER_S));
      const startMs = performance.now();
      const already = sent;
      for (; sent < due; sent++) {
        const { link, from } = ways[sent % SENDERS] ?? { link: '', from: '' };
        recorder.chunk(link, { bytes, from, atMs: startMs });
      }
      if (sent > already) spent.push(((performance.now() - startMs) * 1_000) / (sent - already));
      await sleep(5);
    }
    const { user, system } = process.cpuUsage(before);
    await recorder.stop();
    const { bytes: written } = recorder.status;
    const readFromMs = performance.now();
    let read = 0;
    for (const record of RecordingReader.open(folder).records()) if (record.kind === 'bytes') read++;
    const readMs = performance.now() - readFromMs;
    return [
      { name: 'a chunk, middle', value: quantile(spent, 0.5), unit: 'µs on the main thread', target: { atMost: 5 } },
      { name: 'a chunk, 99 of 100', value: quantile(spent, 0.99), unit: 'µs on the main thread' },
      { name: `${CHUNKS_PER_S} chunks/s, all threads`, value: (user + system) / 1e4 / SECONDS, unit: '% of a core' },
      { name: 'a chunk of 200 bytes', value: written / CHUNKS, unit: 'bytes on the disk' },
      { name: 'heard and not read again', value: CHUNKS - read, unit: 'chunks', target: { atMost: 0 } },
      { name: 'read again', value: read / readMs, unit: 'chunks/ms' },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
