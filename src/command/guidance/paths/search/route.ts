import type { Spot } from '../../../../geo/position.ts';
import type { Gate, Lane } from './lanes.ts';
import type { Rings } from './rings.ts';

type Edge = { to: number; lengthM: number; by: readonly Spot[] };

/**
 * Returns a path over all lanes that stays inside the area. Between lanes, the path follows the edge. It begins at the
 * corner nearest to `from`. The path also goes once around each ring (outline of the area or of a hole) that a lane
 * meets. Points near the edge, beyond the end of a lane, are therefore within half the spacing of the path too.
 */
export function routeOver(rings: Rings, lanes: readonly Lane[], from: Spot): Spot[] {
  const begin = nearestCorner(rings[0] ?? [], from);
  const gates: Gate[] = [begin, ...lanes.flat()];
  const edges = edgesBetween(rings, gates);
  const path: Spot[] = [];
  const rounded = new Set<number>();
  const round = (gate: Gate): void => {
    if (rounded.has(gate.ring)) return;
    rounded.add(gate.ring);
    path.push(...cornersFrom(rings[gate.ring] ?? [], gate), gate.spot);
  };
  path.push(begin.spot);
  round(begin);
  const open = new Set(lanes.keys());
  let at = 0;
  while (open.size > 0) {
    const { lengths, last } = waysFrom(edges, at);
    let next = -1;
    for (const lane of open) {
      for (const gate of [1 + 2 * lane, 2 + 2 * lane]) {
        if (next < 0 || (lengths[gate] ?? 0) < (lengths[next] ?? 0) - 1e-6) next = gate;
      }
    }
    if (next < 0 || lengths[next] === Number.POSITIVE_INFINITY) break;
    const steps: (readonly Spot[])[] = [];
    for (let node = next; node !== at; node = last[node]?.node ?? at) steps.unshift(last[node]?.by ?? []);
    path.push(...steps.flat());
    const lane = (next - 1) >> 1;
    at = next % 2 === 1 ? next + 1 : next - 1;
    const [entry, exit] = [gates[next], gates[at]];
    if (entry) round(entry);
    if (exit) path.push(exit.spot);
    if (exit) round(exit);
    open.delete(lane);
  }
  return withoutRepeats(path);
}

/**
 * Returns the edges of the graph: along each ring from gate to gate (crossing of a lane and a ring) in both directions,
 * and along the lanes.
 */
function edgesBetween(rings: Rings, gates: readonly Gate[]): Edge[][] {
  const edges: Edge[][] = gates.map(() => []);
  const join = (a: number, b: number, by: readonly Spot[]): void => {
    const [from, to] = [gates[a]?.spot, gates[b]?.spot];
    if (!from || !to) return;
    const lengthM = lengthOf([from, ...by, to]);
    edges[a]?.push({ to: b, lengthM, by: [...by, to] });
    edges[b]?.push({ to: a, lengthM, by: [...[...by].reverse(), from] });
  };
  for (const [number, ring] of rings.entries()) {
    const on = [...gates.keys()].filter((i) => gates[i]?.ring === number);
    on.sort((a, b) => (gates[a]?.at ?? 0) - (gates[b]?.at ?? 0));
    for (const [i, node] of on.entries()) {
      const after = on[(i + 1) % on.length] ?? node;
      const [from, to] = [gates[node]?.at ?? 0, gates[after]?.at ?? 0];
      join(node, after, cornersBetween(ring, from, i + 1 < on.length ? to : to + ring.length));
    }
  }
  for (let i = 1; i + 1 < gates.length; i += 2) join(i, i + 1, []);
  return edges;
}

function cornersBetween(ring: readonly Spot[], from: number, to: number): Spot[] {
  const corners: Spot[] = [];
  for (let i = Math.floor(from) + 1; i < to; i++) {
    const corner = ring[i % ring.length];
    if (corner) corners.push(corner);
  }
  return corners;
}

function cornersFrom(ring: readonly Spot[], { at }: Gate): Spot[] {
  return cornersBetween(ring, at, at + ring.length);
}

/** Returns the shortest paths from one gate to all others (Dijkstra, 1959). */
function waysFrom(edges: readonly (readonly Edge[])[], begin: number) {
  const lengths = new Float64Array(edges.length).fill(Number.POSITIVE_INFINITY);
  const last: ({ node: number; by: readonly Spot[] } | undefined)[] = [];
  const done = new Uint8Array(edges.length);
  lengths[begin] = 0;
  for (;;) {
    let node = -1;
    for (let i = 0; i < edges.length; i++) {
      if (!done[i] && (lengths[i] ?? 0) < (node < 0 ? Number.POSITIVE_INFINITY : (lengths[node] ?? 0))) node = i;
    }
    if (node < 0) return { lengths, last };
    done[node] = 1;
    for (const { to, lengthM, by } of edges[node] ?? []) {
      const length = (lengths[node] ?? 0) + lengthM;
      if (length >= (lengths[to] ?? 0)) continue;
      lengths[to] = length;
      last[to] = { node, by };
    }
  }
}

function nearestCorner(ring: readonly Spot[], from: Spot): Gate {
  const far = (i: number): number => lengthOf([from, ring[i] ?? from]);
  const at = [...ring.keys()].reduce((best, i) => (far(i) < far(best) ? i : best), 0);
  return { spot: ring[at] ?? from, ring: 0, at };
}

function withoutRepeats(path: readonly Spot[]): Spot[] {
  return path.filter((spot, i) => i === 0 || lengthOf([path[i - 1] ?? spot, spot]) > 0.01);
}

export function lengthOf(path: readonly Spot[]): number {
  return path
    .slice(1)
    .reduce((sum, [x, y], i) => sum + Math.hypot(x - (path[i]?.[0] ?? x), y - (path[i]?.[1] ?? y)), 0);
}
