import type { Cancel, FullDeps } from './deps.ts';

export type IdleWatch = {
  /** Notes an arrival. Costs one clock reading, however often it is called. */
  touch(): void;
  cancel: Cancel;
};

/**
 * Calls `idle` once, after `limitMs` without a `touch`. A touch does not set the timer; a timer that fires early is set
 * again.
 */
export function watchIdle(deps: FullDeps, limitMs: number, idle: () => void): IdleWatch {
  let touchedMs = deps.nowMs();
  let cancel = deps.timers.after(limitMs, check);
  function check(): void {
    const leftMs = touchedMs + limitMs - deps.nowMs();
    if (leftMs <= 0) idle();
    else cancel = deps.timers.after(leftMs, check);
  }
  return {
    touch() {
      touchedMs = deps.nowMs();
    },
    cancel: () => cancel(),
  };
}
