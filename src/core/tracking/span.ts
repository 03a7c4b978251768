/** Period of world time that durations in zones and rules leave out, ms. */
export type Span = { fromMs: number; toMs: number };

/**
 * Returns the start `sinceMs` of a condition, shifted so that the time elapsed since then excludes the period `fromMs`
 * to `toMs`. The condition must last at least until `toMs`.
 */
export function leftOut(sinceMs: number, { fromMs, toMs }: Span): number {
  return sinceMs + Math.max(0, toMs - Math.max(fromMs, sinceMs));
}
