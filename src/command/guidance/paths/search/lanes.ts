import { between, minus } from '../../../../geo/flat/lines.ts';
import type { Spot } from '../../../../geo/position.ts';
import { directionOf, turned } from '../spot.ts';
import type { Rings } from './rings.ts';

/**
 * Point at which a lane crosses a ring (outline of the area or of a hole). `ring` is the index of the ring. `at` is the
 * place on the ring: the index of the corner before it, plus the share of the side that follows, 0 to 1.
 */
export type Gate = { spot: Spot; ring: number; at: number };
export type Lane = readonly [Gate, Gate];

/**
 * Returns straight lanes from edge to edge of an area, in the direction of `bestDirection`. They are evenly
 * distributed, at most `spacingM` apart.
 */
export function lanesOf(rings: Rings, spacingM: number): Lane[] {
  const along = bestDirection(rings[0] ?? []);
  const across = turned(along, Math.PI / 2);
  const off = (spot: Spot): number => spot[0] * across[0] + spot[1] * across[1];
  const on = (spot: Spot): number => spot[0] * along[0] + spot[1] * along[1];
  const [least, most] = widthOf(rings[0] ?? [], across);
  const count = Math.max(1, Math.ceil((most - least) / spacingM));
  const lanes: Lane[] = [];
  for (let i = 0; i < count; i++) {
    const gates = gatesAt(rings, off, least + ((i + 0.5) * (most - least)) / count);
    gates.sort((a, b) => on(a.spot) - on(b.spot));
    for (let k = 0; k + 1 < gates.length; k += 2) {
      const [from, to] = [gates[k], gates[k + 1]];
      if (from && to) lanes.push([from, to]);
    }
  }
  return lanes;
}

export function laneCount(ring: readonly Spot[], spacingM: number): number {
  const [least, most] = widthOf(ring, turned(bestDirection(ring), Math.PI / 2));
  return (most - least) / spacingM;
}

function gatesAt(rings: Rings, off: (spot: Spot) => number, lineM: number): Gate[] {
  return rings.flatMap((ring, number) =>
    ring.flatMap((from, i): Gate[] => {
      const to = ring[(i + 1) % ring.length] ?? from;
      const [a, b] = [off(from) - lineM, off(to) - lineM];
      if (a > 0 === b > 0) return [];
      return [{ spot: between(from, to, a / (a - b)), ring: number, at: i + Math.min(1 - 1e-9, a / (a - b)) }];
    }),
  );
}

/** Returns the direction of the side across which the ring is narrowest. Lanes in this direction are the fewest. */
function bestDirection(ring: readonly Spot[]): Spot {
  let [best, least] = [[1, 0] as Spot, Number.POSITIVE_INFINITY];
  for (const [i, from] of ring.entries()) {
    const direction = directionOf(minus(ring[(i + 1) % ring.length] ?? from, from));
    const [low, high] = widthOf(ring, turned(direction, Math.PI / 2));
    if (high - low < least - 1e-6) [best, least] = [direction, high - low];
  }
  return best;
}

function widthOf(ring: readonly Spot[], across: Spot): [number, number] {
  const offs = ring.map((spot) => spot[0] * across[0] + spot[1] * across[1]);
  return [Math.min(...offs), Math.max(...offs)];
}
