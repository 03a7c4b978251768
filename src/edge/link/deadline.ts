import type { Cancel, FullDeps } from './deps.ts';

export type IdleWatch = {
  /** Notes an arrival. Costs one clock reading, however often it is called. */
  touch(): void;
  cancel: Cancel;
};

/** Lateness of a timer from which the thread counts as stalled, ms. */
const LATE_MS = 100;

/**
 * Calls `idle` once, after `limitMs` without a `touch`. A touch does not set the timer; a timer that fires early is set
 * again. So is one that fires late, for a moment: after a stall of the thread, bytes may wait in the socket.
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
