/** Part of a path, as shares of it: 0 is its beginning, 1 its end. */
export type Span = readonly [from: number, to: number];

/** Union of spans, in order, touching ones joined; `slack` closes gaps of rounding. */
export function united(spans: readonly Span[], slack = 0): Span[] {
  const out: [number, number][] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1] + slack) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/** Parts of `spans` within one span. */
export function within(spans: readonly Span[], [from, to]: Span): Span[] {
  return spans.map(([a, b]): Span => [Math.max(a, from), Math.min(b, to)]).filter(([a, b]) => a <= b);
}

/** Parts of the whole path outside spans that `united` returned. */
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

/** Span in which a value that changes linearly from `begin` to `end` is between two bounds; null where it never is. */
export function spanBetween(begin: number, end: number, least: number, most: number): Span | null {
  if (begin === end) return begin >= least && begin <= most ? [0, 1] : null;
  const [a, b] = [(least - begin) / (end - begin), (most - begin) / (end - begin)];
  const [from, to] = [Math.max(0, Math.min(a, b)), Math.min(1, Math.max(a, b))];
  return from <= to ? [from, to] : null;
}
