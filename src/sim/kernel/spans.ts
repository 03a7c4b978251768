export type Span = { from_s: number; to_s: number };

/** Whether a second of the scenario lies in one of its spans; their ends do not. */
export function lies(atS: number, spans: readonly Span[]): boolean {
  for (const { from_s, to_s } of spans) if (atS >= from_s && atS < to_s) return true;
  return false;
}
