import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The boot of the box, on Linux; elsewhere one of this process. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return randomUUID();
  }
}

/** Milliseconds of the clock that nobody sets (CLOCK_MONOTONIC): of one boot, the same for every process. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
