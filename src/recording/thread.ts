import { parentPort, workerData } from 'node:worker_threads';
import { keepHeapCompact } from '../host/free_memory.ts';
import { sentenceOf } from '../model/fault.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';
import { SegmentWriter } from './segment_writer.ts';

/** Thread that writes a recording: passes batches of records to a `SegmentWriter`, and syncs them each second. */
const port = parentPort;
if (port === null) throw new Error('The writer of recordings runs as a worker thread.');

const SYNC_EVERY_MS = 1_000;
const { folder, limits } = workerData as ThreadData;
const send = (message: FromThread): void => port.postMessage(message);
const writer = new SegmentWriter(folder, limits);
keepHeapCompact();
const syncing = setInterval(() => {
  tryTo(() => {
    const sentence = writer.sync();
    if (sentence !== null) end(sentence);
  });
}, SYNC_EVERY_MS);
let ended = false;

function tryTo(work: () => void): void {
  try {
    if (!ended) work();
  } catch (thrown) {
    end(sentenceOf(thrown));
  }
}

function end(sentence: string | null): void {
  if (ended) return;
  ended = true;
  clearInterval(syncing);
  let why = sentence;
  try {
    writer.close();
  } catch (thrown) {
    why ??= sentenceOf(thrown);
  }
  send({ type: 'ended', sentence: why, now: writer.written });
  port?.close();
}

port.on('message', (message: ToThread) => {
  if (message.type === 'stop') return end(null);
  const { bytes } = message;
  tryTo(() => {
    writer.take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    send({ type: 'written', batchBytes: bytes.length, now: writer.written });
  });
});
send({ type: 'ready' });
