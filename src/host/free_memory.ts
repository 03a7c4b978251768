import { createRequire } from 'node:module';
import { pulse } from './pulse.ts';

/**
 * Interval at which free memory returns to the system, ms. Pages that native code freed stay with the process where they
 * are between pages in use. Without this the resident memory of a busy box grows for hours. One return takes 1 to 9 ms.
 */
const EVERY_MS = 60_000;

/** Returns free memory of native code to the system once a minute. Returns a function that ends this. */
export function returnFreeMemory(): () => void {
  return pulse.every(EVERY_MS, returnNow);
}

export function returnNow(): void {
  const addon = createRequire(import.meta.url)('#native') as { returnFreeMemory(): void };
  addon.returnFreeMemory();
}
