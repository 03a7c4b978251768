import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Returns the boot id of the box. The unit of systemd passes it as `DUNLIN_BOOT_ID`, since `ProcSubset=pid` hides the file
 * of the kernel. Outside Linux, returns a random id of this process.
 */
export function bootId(): string {
  const given = process.env.DUNLIN_BOOT_ID;
  if (given) return given;
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
