import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Boot id of the box on Linux, of this process elsewhere. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}

/** Monotonic milliseconds (CLOCK_MONOTONIC) of one boot, the same for every process. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
