export type Span = { from_s: number; to_s: number };

/** Returns true if `atS`, a scenario time, is inside one of the spans. A span's end time is outside the span. */
export function lies(atS: number, spans: readonly Span[]): boolean {
  for (const { from_s, to_s } of spans) if (atS >= from_s && atS < to_s) return true;
  return false;
}
