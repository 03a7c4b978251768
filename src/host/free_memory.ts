import { createRequire } from 'node:module';
import { getHeapStatistics } from 'node:v8';
import { pulse } from './pulse.ts';

/**
 * Interval at which free memory returns to the system, ms. Without this the resident memory of a busy box grows for
 * hours, and keeps the size of its worst minute. Native code leaves pages free between pages in use; V8 leaves pages of
 * the heap that are up to 70 % free, unless the program allocates little.
 */
const EVERY_MS = 60_000;
/** Growth of a heap, and size of its free parts, from which it is compacted, bytes. An idle box has neither. */
const GROWN_BYTES = 2e6;
const FREE_BYTES = 4e6;

type Memory = { returnFreeMemory(): void; compactHeap(): void };

/** Least size of this thread's heap since it was compacted, bytes. */
let leastBytes = Number.POSITIVE_INFINITY;

/**
 * Returns free memory of native code and of this thread's heap to the system once a minute. Returns a function that
 * ends this.
 */
export function returnFreeMemory(): () => void {
  return pulse.every(EVERY_MS, returnNow);
}

export function returnNow(): void {
  memory().returnFreeMemory();
  compactIfItPays();
}

/** Compacts the heap of this thread, if it pays, once a minute. This does not keep the thread alive. */
export function keepHeapCompact(): void {
  setInterval(compactIfItPays, EVERY_MS).unref();
}

function compactIfItPays(): void {
  const { total_heap_size: bytes, used_heap_size: usedBytes } = getHeapStatistics();
  leastBytes = Math.min(leastBytes, bytes);
  if (bytes - leastBytes < GROWN_BYTES && bytes - usedBytes < FREE_BYTES) return;
  leastBytes = Number.POSITIVE_INFINITY;
  memory().compactHeap();
}

function memory(): Memory {
  return createRequire(import.meta.url)('#native') as Memory;
}
