import type { Pair } from './assignment.ts';

/** Distance from which on a track and an object are not paired, m: the parameter c of GOSPA and OSPA. */
export const GATE_M = 100;

/** Positions as metres east, north and up in one plane, three numbers each. Up is NaN if the height is unknown. */
export type Spots = Float64Array;

/** Returns the distance of two positions, m; the horizontal distance if a height is unknown. */
export function apart(a: Spots, i: number, b: Spots, j: number): number {
  const east = (a[3 * i] ?? 0) - (b[3 * j] ?? 0);
  const north = (a[3 * i + 1] ?? 0) - (b[3 * j + 1] ?? 0);
  const up = (a[3 * i + 2] ?? 0) - (b[3 * j + 2] ?? 0);
  return Math.sqrt(east * east + north * north + (Number.isNaN(up) ? 0 : up * up));
}

/**
 * Returns for each position of `a` the positions of `b` within the gate (`GATE_M`). Their cost is the squared distance,
 * m².
 */
export function nearPairs(a: Spots, b: Spots): Pair[][] {
  const eastOf = (j: number): number => b[3 * j] ?? 0;
  const byEast = Array.from({ length: b.length / 3 }, (_, j) => j).sort((i, j) => eastOf(i) - eastOf(j));
  const easts = Float64Array.from(byEast, eastOf);
  const rows: Pair[][] = [];
  for (let i = 0; i < a.length / 3; i++) {
    const east = a[3 * i] ?? 0;
    const row: Pair[] = [];
    for (let at = firstFrom(easts, east - GATE_M); at < byEast.length && (easts[at] ?? 0) <= east + GATE_M; at++) {
      const column = byEast[at] ?? 0;
      const distanceM = apart(a, i, b, column);
      if (distanceM < GATE_M) row.push({ column, cost: distanceM * distanceM });
    }
    rows.push(row);
  }
  return rows;
}

/** Returns the index of the first sorted value that is at least `least`; the length if there is none. */
function firstFrom(sorted: Float64Array, least: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}
