/** Returns 0 at or below `from` and for NaN, 1 at or above `to`, and interpolates linearly between them. */
export function rise(value: number, from: number, to: number): number {
  return value > from ? (value < to ? (value - from) / (to - from) : 1) : 0;
}

/** Returns 1 at or below `from`, 0 at or above `to` and for NaN, and interpolates linearly between them. */
export function fall(value: number, from: number, to: number): number {
  return value < to ? (value > from ? (to - value) / (to - from) : 1) : 0;
}

/**
 * Like `fall`, but on a logarithmic scale: each doubling of the value reduces the result by the same amount. It is
 * meant for times, for which 10 s matter more at 20 s than at 120 s. `span` is the logarithm of `to / from`, which
 * callers compute once.
 */
export function fallByRatio(value: number, from: number, to: number, span: number): number {
  if (value <= from) return 1;
  return value < to ? Math.log(to / value) / span : 0;
}
