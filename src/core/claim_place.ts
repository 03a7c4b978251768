import { OBSERVED, OBSERVED_KIND } from '../model/observation_row.ts';

/** Faster than anything that is tracked here, crewed aircraft included. */
const MAX_SPEED_MPS = 350;
const JUMP_SLACK_M = 300;
/** Two claims of one name are one aircraft when they are so near each other. */
const SAME_PLACE_M = 200;
const MAX_SAME_SLACK_M = 300;
/** Two that speak lie apart when they are so far from each other, but for a flight in between. */
const NEAR_M = 100;
const NEAR_SPEED_MPS = 60;
const EARTH_RADIUS_M = 6_371_000;

/** Where one says to be, on a sphere. */
export type Fix = { x: number; y: number; z: number; timeS: number; sdM: number };

/** Where an observation says that its aircraft is, on a sphere: near enough for telling whether it could have flown. */
export function readFix(row: Float64Array, at: number, into: Fix): boolean {
  if (row[at + OBSERVED.kind] !== OBSERVED_KIND.position) return false;
  const lat = ((row[at + OBSERVED.a] ?? 0) * Math.PI) / 180;
  const lon = ((row[at + OBSERVED.b] ?? 0) * Math.PI) / 180;
  const ground = EARTH_RADIUS_M * Math.cos(lat);
  into.x = ground * Math.cos(lon);
  into.y = ground * Math.sin(lon);
  into.z = EARTH_RADIUS_M * Math.sin(lat);
  into.timeS = row[at + OBSERVED.timeS] ?? 0;
  into.sdM = row[at + OBSERVED.sdA] || 15;
  return true;
}

/** A copy of a place, in the object of an older one where there is one: there may be thousands a second. */
export function keep(fix: Fix, old: Fix | null): Fix {
  if (!old) return { ...fix };
  old.x = fix.x;
  old.y = fix.y;
  old.z = fix.z;
  old.timeS = fix.timeS;
  old.sdM = fix.sdM;
  return old;
}

function apartM(a: Fix, b: Fix): number {
  const [x, y, z] = [a.x - b.x, a.y - b.y, a.z - b.z];
  return Math.sqrt(x * x + y * y + z * z);
}

export function fits(last: Fix | null, fix: Fix | null): boolean {
  if (!last || !fix) return true;
  const slackM = JUMP_SLACK_M + Math.min(3 * fix.sdM, JUMP_SLACK_M);
  return apartM(last, fix) <= slackM + MAX_SPEED_MPS * Math.abs(fix.timeS - last.timeS);
}

/** The claims' own places count, not the observation's: it says itself how wrong it may be. */
export function samePlace(a: Fix | null, b: Fix | null, fix: Fix | null): boolean {
  if (!a || !b) return true;
  return apartM(a, b) <= SAME_PLACE_M + Math.min(MAX_SAME_SLACK_M, 3 * (fix?.sdM ?? 0));
}

/** Whether they are hardly of one aircraft. */
export function isApart(a: Fix | null, b: Fix | null): boolean {
  if (!a || !b) return false;
  return apartM(a, b) > NEAR_M + 3 * (a.sdM + b.sdM) + NEAR_SPEED_MPS * Math.abs(a.timeS - b.timeS);
}
