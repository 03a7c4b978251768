import { spanBetween } from '../../geo/flat/spans.ts';
import type { Point } from '../../geo/position.ts';
import type { LocalLeg } from './move.ts';

/**
 * Positions of an object over time, in seconds from now. Between two moments the motion is straight and uniform; after
 * the last moment the object rests. Unknown heights are NaN.
 */
export type Motion = readonly { inS: number; at: Point }[];

/** Returns the motion along a leg that begins now. Without a positive speed, the vehicle rests at the start. */
export function motionOf({ from, to, lengthM }: LocalLeg, speedMps: number): Motion {
  if (!(speedMps > 0) || lengthM === 0) return [{ inS: 0, at: from }];
  return [
    { inS: 0, at: from },
    { inS: lengthM / speedMps, at: to },
  ];
}

export type Meeting = { distanceM: number; inS: number };

/**
 * Returns the closest approach of two motions over the ground until `untilS`, while their heights differ by at most
 * `verticalM`. Null if their heights always differ by more. An unknown height counts as within the limit.
 */
export function nearestMeeting(one: Motion, other: Motion, untilS: number, verticalM: number): Meeting | null {
  const moments = [...one, ...other].map(({ inS }) => inS).filter((inS) => inS > 0 && inS < untilS);
  const times = [0, ...moments.sort((a, b) => a - b), untilS];
  let nearest: Meeting | null = null;
  for (let i = 0; i + 1 < times.length; i++) {
    const [fromS, toS] = [times[i] ?? 0, times[i + 1] ?? untilS];
    const [a, b] = [offset(one, other, fromS), offset(one, other, toS)];
    const met = meetingWithin(a, b, verticalM);
    if (!met || (nearest && nearest.distanceM <= met.distanceM)) continue;
    nearest = { distanceM: met.distanceM, inS: fromS + met.share * (toS - fromS) };
  }
  return nearest;
}

/** Returns the closest approach of two objects while the vector between them changes linearly from `a` to `b`. */
function meetingWithin(a: Point, b: Point, verticalM: number): { distanceM: number; share: number } | null {
  const known = !Number.isNaN(a[2]) && !Number.isNaN(b[2]);
  const span = known ? spanBetween(a[2], b[2], -verticalM, verticalM) : ([0, 1] as const);
  if (!span) return null;
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length2 = dx * dx + dy * dy;
  const share = Math.min(span[1], Math.max(span[0], length2 > 0 ? -(a[0] * dx + a[1] * dy) / length2 : 0));
  return { distanceM: Math.hypot(a[0] + share * dx, a[1] + share * dy), share };
}

function offset(one: Motion, other: Motion, inS: number): Point {
  const [a, b] = [placeAt(one, inS), placeAt(other, inS)];
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function placeAt(motion: Motion, inS: number): Point {
  const next = motion.findIndex((point) => point.inS > inS);
  const [before, after] = [motion[next - 1], motion[next]];
  if (!after) return motion.at(-1)?.at ?? [0, 0, Number.NaN];
  if (!before) return after.at;
  const share = (inS - before.inS) / (after.inS - before.inS);
  const mix = (axis: 0 | 1 | 2): number => before.at[axis] + share * (after.at[axis] - before.at[axis]);
  return [mix(0), mix(1), mix(2)];
}
