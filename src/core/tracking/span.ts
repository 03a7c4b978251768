/** A time that counts for no rule. World milliseconds. */
export type Span = { fromMs: number; toMs: number };

/** The beginning of something that lasts until the end of the span, moved so that the span does not count. */
export function leftOut(sinceMs: number, { fromMs, toMs }: Span): number {
  return sinceMs + Math.max(0, toMs - Math.max(fromMs, sinceMs));
}
