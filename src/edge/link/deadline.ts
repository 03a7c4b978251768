import type { Cancel, FullDeps } from './deps.ts';

export type IdleWatch = {
  /** Notes an arrival of bytes. Reads the clock once and sets no timer, so it is cheap to call for every chunk. */
  touch(): void;
  cancel: Cancel;
};

/** Delay of a timer from which the event loop counts as stalled, ms. */
const LATE_MS = 100;

/**
 * Calls `idle` once, after `limitMs` without a `touch`. `touch` does not restart the timer: a timer that expires
 * before the deadline is set again for the rest. A timer that fires more than `LATE_MS` late is repeated once after 1
 * ms: bytes may wait in the socket after a stall of the event loop.
 */
export function watchIdle(deps: FullDeps, limitMs: number, idle: () => void): IdleWatch {
  let touchedMs = deps.nowMs();
  let isSecondLook = false;
  let cancel = deps.timers.after(limitMs, check);
  function check(): void {
    const leftMs = touchedMs + limitMs - deps.nowMs();
    if (leftMs > 0) cancel = deps.timers.after(leftMs, check);
    else if (leftMs < -LATE_MS && !isSecondLook) {
      isSecondLook = true;
      cancel = deps.timers.after(1, check);
    } else idle();
  }
  return {
    touch() {
      touchedMs = deps.nowMs();
      isSecondLook = false;
    },
    cancel: () => cancel(),
  };
}
