import type { Spot } from '../../../geo/position.ts';

export function plus(a: Spot, b: Spot, times = 1): Spot {
  return [a[0] + times * b[0], a[1] + times * b[1]];
}

export function opposite(a: Spot): Spot {
  return plus([0, 0], a, -1);
}

export function lengthOf([x, y]: Spot): number {
  return Math.hypot(x, y);
}

/** Returns the unit vector in the direction of `a`; `otherwise` if `a` is shorter than 1e-3. */
export function directionOf(a: Spot, otherwise: Spot = [0, 1]): Spot {
  const length = lengthOf(a);
  return length > 1e-3 ? [a[0] / length, a[1] / length] : otherwise;
}

/** Returns the vector turned to the left: counter-clockwise as seen from above. */
export function turned([x, y]: Spot, radians: number): Spot {
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [x * cos - y * sin, x * sin + y * cos];
}

/** Returns the angle from one direction to another, rad, positive to the left. */
export function turnTo(a: Spot, b: Spot): number {
  return Math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

/**
 * Returns the time until a vehicle that starts at the origin meets an object in uniform motion, s; null if it never
 * does.
 */
export function meetS(at: Spot, velocity: Spot, speedMps: number): number | null {
  const a = velocity[0] ** 2 + velocity[1] ** 2 - speedMps ** 2;
  const b = at[0] * velocity[0] + at[1] * velocity[1];
  const c = at[0] ** 2 + at[1] ** 2;
  if (c === 0) return 0;
  if (Math.abs(a) < 1e-9) return b < 0 ? -c / (2 * b) : null;
  const root = b * b - a * c;
  if (root < 0) return null;
  const times = [(-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a].filter((s) => s >= 0);
  return times.length > 0 ? Math.min(...times) : null;
}
