export type Span = { from_s: number; to_s: number };

/** True if a scenario time, s, is inside one of the spans. The end of a span is outside the span. */
export function lies(atS: number, spans: readonly Span[]): boolean {
  for (const { from_s, to_s } of spans) if (atS >= from_s && atS < to_s) return true;
  return false;
}
