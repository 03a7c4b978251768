/** Period of world time that rules leave out of durations, ms. */
export type Span = { fromMs: number; toMs: number };

/**
 * Shifts the start `sinceMs` of a condition, so that the time elapsed since the start excludes the period. The
 * condition must last at least until the period's end.
 */
export function leftOut(sinceMs: number, { fromMs, toMs }: Span): number {
  return sinceMs + Math.max(0, toMs - Math.max(fromMs, sinceMs));
}
