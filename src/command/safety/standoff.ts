import { apartInSpace } from '../../geo/flat/lines.ts';
import type { Point } from '../../geo/position.ts';
import type { Refusal } from '../../model/fleet.ts';
import { type LocalLeg, metres } from './move.ts';
import { type Path, pathOn, staysClear } from './path.ts';

/** Time ahead for which legs keep clear of a track's predicted positions, s. */
export const STANDOFF_AHEAD_S = 10;
/** A leg away from a track may come nearer by `SLACK_M` at first, and must end farther away by `AWAY_M`, m. */
const SLACK_M = 0.05;
const AWAY_M = 1;

/** Expected positions of a track, of which a leg must keep clear. */
export type Ahead = readonly Point[];

export function aheadOf(path: Path, { chart }: Pick<LocalLeg, 'chart'>): Ahead {
  return pathOn(path, chart, 0, STANDOFF_AHEAD_S).map(({ at }) => at);
}

/**
 * Returns a refusal if a leg comes too near to a track; else null. No point of the leg may be nearer than the standoff
 * to any position on the track's predicted path of the next 10 s. It does not matter when the vehicle or the track is
 * there. A vehicle that is too near already may only fly away. Distances are in space, or along the ground if a
 * height is unknown.
 */
export function standoffRefusal(leg: LocalLeg, course: Path, standoffM: number): Refusal | null {
  if (staysClear(course, leg, standoffM)) return null;
  const ahead = aheadOf(course, leg);
  if (keepsOff(ahead, leg.from, leg.to, standoffM)) return null;
  const nearest = apartFrom(ahead, leg.from, leg.to);
  const text = `the path comes within ${metres(nearest)} of ${course.track.number}; the standoff is ${metres(standoffM)}`;
  return { reason: 'keep_out', text };
}

/** True if a straight leg keeps the standoff, or leads away from a track that is too near already. */
export function keepsOff(ahead: Ahead, from: Point, to: Point, standoffM: number): boolean {
  const nearest = apartFrom(ahead, from, to);
  if (nearest >= standoffM) return true;
  const now = apartFrom(ahead, from, from);
  if (now >= standoffM || nearest < now - SLACK_M) return false;
  return apartFrom(ahead, to, to) >= Math.min(standoffM, now + AWAY_M);
}

export function apartFrom(ahead: Ahead, from: Point, to: Point): number {
  const flat = [from, to, ...ahead].some(([, , upM]) => Number.isNaN(upM));
  const laid = (point: Point): Point => (flat ? [point[0], point[1], 0] : point);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < ahead.length; i++) {
    const [a, b] = [ahead[i], ahead[i + 1]];
    if (a && b) least = Math.min(least, apartInSpace(laid(from), laid(to), laid(a), laid(b)));
  }
  return least;
}
