/**
 * Interval of the steps of the core under load, ms. At thousands of observations a second, a message for each observation
 * would cost more time than the work of the core. Steps are at multiples of this, and busy sockets are read just before.
 */
export const STEP_EVERY_MS = 16;
/** Time by which a timer may run before it is due, ms, because the event loop counts whole milliseconds. */
const EARLY_MS = 1;

/** Number of the interval that a time (ms) is in. A timer that runs early counts as on time. */
export function intervalAt(nowMs: number): number {
  return Math.floor((nowMs + EARLY_MS) / STEP_EVERY_MS);
}

/** Time until the next interval, ms. */
export function untilNextInterval(nowMs: number): number {
  return (intervalAt(nowMs) + 1) * STEP_EVERY_MS - nowMs;
}
