import { createRequire } from 'node:module';
import { pulse } from './pulse.ts';

/**
 * Interval at which free memory returns to the system, ms. Without this the resident memory of a busy box grows for
 * hours, and keeps the size of its worst minute. Native code leaves pages free between pages in use. V8 leaves pages of
 * the heap that are up to 70 % free, unless the system is short of memory.
 */
const EVERY_MS = 60_000;

type Memory = { returnFreeMemory(): void; compactHeap(): void };

/**
 * Returns free memory of native code and of this thread's heap to the system once a minute. Returns a function that
 * ends this.
 */
export function returnFreeMemory(): () => void {
  return pulse.every(EVERY_MS, returnNow);
}

export function returnNow(): void {
  const { compactHeap, returnFreeMemory } = memory();
  compactHeap();
  returnFreeMemory();
}

/** Compacts the heap of this thread once a minute. This does not keep the thread alive. */
export function keepHeapCompact(): void {
  const { compactHeap } = memory();
  setInterval(compactHeap, EVERY_MS).unref();
}

function memory(): Memory {
  return createRequire(import.meta.url)('#native') as Memory;
}
