import type { Cancel, FullRim } from './rim.ts';

export type IdleWatch = {
  /** Something arrived. Costs one clock reading, however often it is called. */
  touch(): void;
  cancel: Cancel;
};

/** Calls `idle` once, when nothing was touched for `limitMs`. Its timer is set again only when it finds it was early. */
export function watchIdle(rim: FullRim, limitMs: number, idle: () => void): IdleWatch {
  let touchedMs = rim.nowMs();
  let cancel = rim.timers.after(limitMs, check);
  function check(): void {
    const leftMs = touchedMs + limitMs - rim.nowMs();
    if (leftMs <= 0) idle();
    else cancel = rim.timers.after(leftMs, check);
  }
  return {
    touch() {
      touchedMs = rim.nowMs();
    },
    cancel: () => cancel(),
  };
}
