import type { Drawn } from '../../geo/flat/footprint.ts';
import { between } from '../../geo/flat/lines.ts';
import { type Span, spanBetween, within } from '../../geo/flat/spans.ts';
import type { Point } from '../../geo/position.ts';
import type { Refusal } from '../../model/fleet.ts';
import type { Fence } from './fence.ts';
import { FLYING_ACCURACY_M, groundOf, type LocalLeg, metres } from './move.ts';

/** Number of checked points on a path out of a zone, and the rounding tolerance of the depth at each, m. */
const LOOKS = 64;
const SLACK_M = 0.05;

/**
 * Returns a refusal if a leg comes nearer to a keep-out zone than `marginM` sideways, or than the flying accuracy in
 * height; else null. A vehicle inside may leave: it must never go deeper, and the leg must end outside.
 */
export function keepOutRefusal(leg: LocalLeg, fence: Fence, marginM: number): Refusal | null {
  const asideM = Math.max(marginM, FLYING_ACCURACY_M);
  const drawn = fence.footprint.on(leg.chart, leg.groundM + asideM);
  if (!drawn) return null;
  const inside = spansIn(leg, fence, drawn, asideM, FLYING_ACCURACY_M);
  const [first, ...more] = inside;
  if (!first || (more.length === 0 && leaves(leg, fence, drawn, asideM, first))) return null;
  return { reason: 'keep_out', text: sentence(leg, fence, drawn, asideM) };
}

/**
 * Returns the parts of the leg inside a zone's volume, or nearer to it than the margins. A zone with unknown heights
 * covers all heights.
 */
export function spansIn(
  leg: LocalLeg,
  { floorM, ceilingM }: Fence,
  drawn: Drawn,
  asideM: number,
  aboveM: number,
): Span[] {
  const right = spanBetween(leg.from[2], leg.to[2], floorM - aboveM, ceilingM + aboveM);
  return right ? within(drawn.spans(groundOf(leg.from), groundOf(leg.to), asideM), right) : [];
}

/** True if the leg begins inside, never goes deeper, and ends outside. */
function leaves(leg: LocalLeg, fence: Fence, drawn: Drawn, asideM: number, [from, to]: Span): boolean {
  if (from > 0 || to >= 1) return false;
  const deep = (share: number): number => depth(fence, drawn, asideM, pointOn(leg, share));
  const atFirst = deep(0) + SLACK_M;
  for (let i = 1; i <= LOOKS; i++) if (deep((to * i) / LOOKS) > atFirst) return false;
  return true;
}

/** Returns the depth of a point inside the margins of a zone, m: the shortest way out, sideways, up or down. */
function depth({ floorM, ceilingM }: Fence, drawn: Drawn, asideM: number, point: Point): number {
  const below = point[2] - (floorM - FLYING_ACCURACY_M);
  const above = ceilingM + FLYING_ACCURACY_M - point[2];
  return Math.min(drawn.depth(groundOf(point)) + asideM, below, above);
}

function pointOn({ from, to }: LocalLeg, share: number): Point {
  const [eastM, northM] = between(groundOf(from), groundOf(to), share);
  return [eastM, northM, from[2] + share * (to[2] - from[2])];
}

function sentence(leg: LocalLeg, fence: Fence, drawn: Drawn, asideM: number): string {
  const zone = `the keep-out zone ${fence.zone.name}`;
  const [real] = spansIn(leg, fence, drawn, 0, 0);
  const height = fence.heightsKnown
    ? ''
    : ', whose floor and ceiling are unknown because the ground height is unknown there';
  if (!real) return `the path comes within ${metres(asideM)} of ${zone}${height}`;
  return `the path ${real[0] > 0 ? 'crosses' : 'stays in'} ${zone}${height}`;
}
