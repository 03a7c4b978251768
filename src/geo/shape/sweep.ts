import { type Edges, leftOf, SAME } from './segment.ts';

/**
 * Calls `judge` with pairs of edges that become neighbours as a line sweeps over the plane. Stops when `judge` returns
 * true, which means that the pair is a fault. Consecutive edges of a ring share a point, which is not a fault. If any
 * edges meet, `judge` gets at least one pair that meets (Shamos and Hoey, Geometric intersection problems, 1976). Ten
 * thousand edges take some 10 ms in any arrangement.
 */
export function sweep(edges: Edges, judge: (one: number, other: number) => boolean): void {
  const line = new SweepLine(edges);
  for (const event of eventsOf(edges)) {
    const edge = event >> 1;
    if (event & 1 ? line.leave(edge, judge) : line.enter(edge, judge)) return;
  }
}

/**
 * Returns two events for each edge: 2·edge where it begins and 2·edge + 1 where it ends. They are ordered by x, then y,
 * beginnings first.
 */
function eventsOf(edges: Edges): Int32Array {
  const events = Int32Array.from({ length: 2 * edges.count }, (_, i) => i);
  const x = new Float64Array(events.length);
  const y = new Float64Array(events.length);
  for (let edge = 0; edge < edges.count; edge++) {
    const [begin, end] = endsOf(edges, edge);
    x[2 * edge] = edges.at[begin] ?? 0;
    y[2 * edge] = edges.at[begin + 1] ?? 0;
    x[2 * edge + 1] = edges.at[end] ?? 0;
    y[2 * edge + 1] = edges.at[end + 1] ?? 0;
  }
  const difference = (of: Float64Array, a: number, b: number): number => (of[a] ?? 0) - (of[b] ?? 0);
  return events.sort((a, b) => difference(x, a, b) || difference(y, a, b) || (a & 1) - (b & 1) || a - b);
}

/**
 * Returns the indices in `at` of an edge's left end and of its right end. The lower end of a vertical edge counts as
 * its left end.
 */
function endsOf({ at }: Edges, edge: number): [number, number] {
  const i = 4 * edge;
  const [ax, ay, bx, by] = [at[i] ?? 0, at[i + 1] ?? 0, at[i + 2] ?? 0, at[i + 3] ?? 0];
  return ax < bx || (ax === bx && ay < by) ? [i, i + 2] : [i + 2, i];
}

/** The edges that the sweep line crosses at its current position, in ascending order. */
class SweepLine {
  readonly #edges: Edges;
  readonly #crossed: Int32Array;
  #count = 0;

  constructor(edges: Edges) {
    this.#edges = edges;
    this.#crossed = new Int32Array(edges.count);
  }

  /**
   * Adds an edge at its beginning. Returns true if `judge` finds a fault with an edge on which it lies, or with a new
   * neighbour.
   */
  enter(edge: number, judge: (one: number, other: number) => boolean): boolean {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#crossed[middle] ?? 0;
      const above = this.#heightOver(other, edge);
      if (above === 0 && judge(edge, other)) return true;
      if (above >= 0) low = middle + 1;
      else high = middle;
    }
    this.#crossed.copyWithin(low + 1, low, this.#count);
    this.#crossed[low] = edge;
    this.#count++;
    const below = low > 0 && judge(edge, this.#crossed[low - 1] ?? 0);
    return below || (low + 1 < this.#count && judge(edge, this.#crossed[low + 1] ?? 0));
  }

  /** Removes an edge at its end. Returns true if `judge` finds a fault between the two edges that it separated. */
  leave(edge: number, judge: (one: number, other: number) => boolean): boolean {
    const place = this.#crossed.subarray(0, this.#count).indexOf(edge);
    if (place < 0) return false;
    this.#crossed.copyWithin(place, place + 1, this.#count);
    this.#count--;
    if (place === 0 || place === this.#count) return false;
    return judge(this.#crossed[place - 1] ?? 0, this.#crossed[place] ?? 0);
  }

  /**
   * Returns 1 if `edge` begins above `other`, −1 if it begins below. If it begins on `other`, its end decides in the
   * same way; 0 if its end is on `other` too.
   */
  #heightOver(other: number, edge: number): number {
    const { at } = this.#edges;
    const [from, to] = endsOf(this.#edges, other);
    const [begin, end] = endsOf(this.#edges, edge);
    const height = (point: number): number =>
      leftOf(at[from] ?? 0, at[from + 1] ?? 0, at[to] ?? 0, at[to + 1] ?? 0, at[point] ?? 0, at[point + 1] ?? 0);
    const here = height(begin);
    if (Math.abs(here) > SAME) return Math.sign(here);
    const ahead = height(end);
    return Math.abs(ahead) > SAME ? Math.sign(ahead) : 0;
  }
}
