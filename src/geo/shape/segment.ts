/** Distance up to which two points count as equal, in radii of the earth: 0.06 mm. */
export const SAME = 1e-11;

/** Edges of all rings of a polygon as arrays; edge i has its values at index i of each array, or at 4·i in `at`. */
export type Edges = {
  readonly count: number;
  /** Coordinates ax, ay, bx, by of each edge, from `a` to `b`. */
  readonly at: Float64Array;
  /**
   * `ring` is the number of an edge's ring, 0 for the outer one; `from` is the index in that ring at which the edge
   * begins.
   */
  readonly ring: Int32Array;
  readonly from: Int32Array;
};

/**
 * Returns the distance of the point (x, y) from the line through `a` and `b`: positive on its left, negative on its
 * right.
 */
export function leftOf(ax: number, ay: number, bx: number, by: number, x: number, y: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  return (dx * (y - ay) - dy * (x - ax)) / Math.sqrt(dx * dx + dy * dy);
}

const side = (distance: number): number => (distance > SAME ? 1 : distance < -SAME ? -1 : 0);

/** Whether two edges share a point. */
export function meet({ at }: Edges, one: number, other: number): boolean {
  const i = 4 * one;
  const j = 4 * other;
  const ax = at[i] ?? 0;
  const bx = at[i + 2] ?? 0;
  const cx = at[j] ?? 0;
  const dx = at[j + 2] ?? 0;
  if (Math.max(ax, bx) + SAME < Math.min(cx, dx) || Math.max(cx, dx) + SAME < Math.min(ax, bx)) return false;
  const ay = at[i + 1] ?? 0;
  const by = at[i + 3] ?? 0;
  const cy = at[j + 1] ?? 0;
  const dy = at[j + 3] ?? 0;
  if (Math.max(ay, by) + SAME < Math.min(cy, dy) || Math.max(cy, dy) + SAME < Math.min(ay, by)) return false;
  const c = side(leftOf(ax, ay, bx, by, cx, cy));
  const d = side(leftOf(ax, ay, bx, by, dx, dy));
  if (c === d && c !== 0) return false;
  const a = side(leftOf(cx, cy, dx, dy, ax, ay));
  const b = side(leftOf(cx, cy, dx, dy, bx, by));
  return a !== b || a === 0;
}

/** Whether `edge` folds back onto `before`, the edge that ends where `edge` begins. */
export function foldsBack({ at }: Edges, before: number, edge: number): boolean {
  const [ax = 0, ay = 0, bx = 0, by = 0] = at.subarray(4 * before, 4 * before + 4);
  const [, , cx = 0, cy = 0] = at.subarray(4 * edge, 4 * edge + 4);
  const ahead = (bx - ax) * (cx - bx) + (by - ay) * (cy - by);
  if (ahead >= 0) return false;
  // Checks whether the free end of the shorter edge is on the longer edge.
  const shorter = Math.hypot(bx - ax, by - ay) < Math.hypot(cx - bx, cy - by);
  return side(shorter ? leftOf(bx, by, cx, cy, ax, ay) : leftOf(ax, ay, bx, by, cx, cy)) === 0;
}
