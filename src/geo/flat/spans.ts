/** Part of a path by shares of its length: 0 is the beginning of the path, 1 its end. */
export type Span = readonly [from: number, to: number];

/**
 * Union of spans in ascending order. Joins spans that overlap, touch, or have a gap of at most `slack`, which rounding
 * may cause.
 */
export function united(spans: readonly Span[], slack = 0): Span[] {
  const out: [number, number][] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1] + slack) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/** Intersection of `spans` with one span. */
export function within(spans: readonly Span[], [from, to]: Span): Span[] {
  return spans.map(([a, b]): Span => [Math.max(a, from), Math.min(b, to)]).filter(([a, b]) => a <= b);
}

/** Parts of the whole path that lie outside `spans`; `spans` must be a result of `united`. */
export function gapsOf(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  let at = 0;
  for (const [from, to] of spans) {
    if (from > at) out.push([at, from]);
    at = Math.max(at, to);
  }
  if (at < 1) out.push([at, 1]);
  return out;
}

/**
 * Span in which a value that changes linearly from `begin` to `end` is between `least` and `most`; null if it never
 * is.
 */
export function spanBetween(begin: number, end: number, least: number, most: number): Span | null {
  if (begin === end) return begin >= least && begin <= most ? [0, 1] : null;
  const [a, b] = [(least - begin) / (end - begin), (most - begin) / (end - begin)];
  const [from, to] = [Math.max(0, Math.min(a, b)), Math.min(1, Math.max(a, b))];
  return from <= to ? [from, to] : null;
}
