import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Returns the boot id of the box; outside Linux, a random id of this process. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}

/**
 * Returns the time of the box's monotonic clock (CLOCK_MONOTONIC), which starts at the boot, ms. All processes of the
 * box read the same clock.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
