import type { Drawn } from '../../geo/flat/footprint.ts';
import { between } from '../../geo/flat/lines.ts';
import { gapsOf, type Span, spanBetween, united, within } from '../../geo/flat/spans.ts';
import type { Point } from '../../geo/position.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Fence } from './fence.ts';
import { FLYING_ACCURACY_M, groundOf, type LocalLeg } from './move.ts';

/**
 * Largest gap between two zones that counts as rounding, m. Two zones with such a gap count as one. Such a gap appears
 * if the antimeridian cuts an area in two.
 */
const GAP_M = 0.02;
/** Number of checked points on a path back into a zone. */
const LOOKS = 64;

type Room = { fence: Fence; drawn: Drawn };

/**
 * Returns a refusal if a leg leaves the keep-in zones; else null. The leg must stay inside the union of the zones, so a
 * border between two zones is no edge. The leg shifted aside, up or down by the flying accuracy must stay inside too. A
 * vehicle outside may come back: its distance must never grow, and the leg must end inside. The interface has only the
 * reason `keep_out` for both kinds of zone.
 */
export function keepInRefusal(leg: LocalLeg, fences: readonly Fence[]): Refusal | null {
  if (fences.length === 0) return null;
  const rooms = fences.flatMap((fence): Room[] => {
    const drawn = fence.heightsKnown ? fence.footprint.on(leg.chart, leg.groundM + FLYING_ACCURACY_M) : null;
    return drawn ? [{ fence, drawn }] : [];
  });
  if (shifts().every((shift) => staysIn(leg, rooms, shift))) return null;
  const names = fences.map(({ zone }) => zone.name);
  const zones = names.length > 1 ? `the keep-in zones ${names.join(', ')}` : `the keep-in zone ${names.join('')}`;
  const named = names.length > 3 ? `the ${names.length} keep-in zones` : zones;
  const blind = fences.filter(({ heightsKnown }) => !heightsKnown).map(({ zone }) => zone.name);
  const why =
    blind.length > 0
      ? `; the ground height is unknown in ${blind.join(', ')}, so floor and ceiling are unknown there too`
      : '';
  return { reason: 'keep_out', text: `the path does not stay at least ${FLYING_ACCURACY_M} m inside ${named}${why}` };
}

/** Returns shifts by the flying accuracy: eight horizontal ones, one up and one down. */
function shifts(): Point[] {
  const aside = Array.from({ length: 8 }, (_, i): Point => {
    const turn = (i * Math.PI) / 4;
    return [FLYING_ACCURACY_M * Math.cos(turn), FLYING_ACCURACY_M * Math.sin(turn), 0];
  });
  return [...aside, [0, 0, FLYING_ACCURACY_M], [0, 0, -FLYING_ACCURACY_M]];
}

function staysIn(leg: LocalLeg, rooms: readonly Room[], shift: Point): boolean {
  const [from, to] = [plus(leg.from, shift), plus(leg.to, shift)];
  const spans = rooms.flatMap(({ fence, drawn }): Span[] => {
    const right = spanBetween(from[2], to[2], fence.floorM, fence.ceilingM);
    return right ? within(drawn.spans(groundOf(from), groundOf(to), GAP_M), right) : [];
  });
  const [gap, ...more] = gapsOf(united(spans, leg.lengthM > 0 ? GAP_M / leg.lengthM : 0));
  if (!gap) return true;
  return more.length === 0 && gap[0] === 0 && gap[1] < 1 && comesBack(from, to, rooms, gap[1]);
}

function comesBack(from: Point, to: Point, rooms: readonly Room[], untilShare: number): boolean {
  const off = (share: number): number => {
    const [eastM, northM] = between(groundOf(from), groundOf(to), share);
    return Math.min(...rooms.map((room) => outside(room, [eastM, northM, from[2] + share * (to[2] - from[2])])));
  };
  const atFirst = off(0) + GAP_M;
  for (let i = 1; i <= LOOKS; i++) if (off((untilShare * i) / LOOKS) > atFirst) return false;
  return true;
}

/** Returns the distance of a point from a zone's volume, m, in space; 0 inside. */
function outside({ fence, drawn }: Room, point: Point): number {
  const aside = Math.max(0, -drawn.depth(groundOf(point)));
  const above = Math.max(0, point[2] - fence.ceilingM, fence.floorM - point[2]);
  return Math.hypot(aside, above);
}

function plus(a: Point, b: Point): Point {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
