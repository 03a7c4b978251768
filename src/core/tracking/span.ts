/** A span of world time that rules leave out, ms. */
export type Span = { fromMs: number; toMs: number };

/** Moves a beginning so that the span is left out of the time since then. What began lasts at least until the span's end. */
export function leftOut(sinceMs: number, { fromMs, toMs }: Span): number {
  return sinceMs + Math.max(0, toMs - Math.max(fromMs, sinceMs));
}
