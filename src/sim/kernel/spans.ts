export type Span = { from_s: number; to_s: number };

/** Whether a time of the scenario, s, is inside one of the spans; the end of a span is outside. */
export function lies(atS: number, spans: readonly Span[]): boolean {
  for (const { from_s, to_s } of spans) if (atS >= from_s && atS < to_s) return true;
  return false;
}
