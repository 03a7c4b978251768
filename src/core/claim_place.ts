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
/**
 * How far an aircraft gets beyond its told speed: what its receiver errs, a share for turns told late, what it accelerates,
 * and no faster than small aircraft fly, or than half as fast again as it says.
 */
const FLY_SLACK_M = 40;
const MAX_FLY_SD_M = 1_000;
const FLY_SHARE = 1.3;
const ACCELERATION_MPS2 = 12;
const FAST_MPS = 60;
const FAST_SHARE = 1.5;
const EARTH_RADIUS_M = 6_371_000;

/** Where one says to be, on a sphere. */
export type Fix = { x: number; y: number; z: number; timeS: number; sdM: number; speedMps: number };

/** Where an observation says that its aircraft is, on a sphere: near enough for telling whether it could have flown. */
export function readFix(row: Float64Array, at: number, into: Fix): boolean {
  const kind = row[at + OBSERVED.kind];
  if (kind !== OBSERVED_KIND.position && kind !== OBSERVED_KIND.repeat && kind !== OBSERVED_KIND.evidence) return false;
  const lat = ((row[at + OBSERVED.a] ?? 0) * Math.PI) / 180;
  const lon = ((row[at + OBSERVED.b] ?? 0) * Math.PI) / 180;
  const ground = EARTH_RADIUS_M * Math.cos(lat);
  into.x = ground * Math.cos(lon);
  into.y = ground * Math.sin(lon);
  into.z = EARTH_RADIUS_M * Math.sin(lat);
  into.timeS = row[at + OBSERVED.timeS] ?? 0;
  into.sdM = row[at + OBSERVED.sdA] || 15;
  into.speedMps = row[at + OBSERVED.saidSpeedMps] ?? Number.NaN;
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
  old.speedMps = fix.speedMps;
  return old;
}

/** The distance between two places, m. */
export function apartM(a: Fix, b: Fix): number {
  const [x, y, z] = [a.x - b.x, a.y - b.y, a.z - b.z];
  return Math.sqrt(x * x + y * y + z * z);
}

export function fits(last: Fix | null, fix: Fix | null): boolean {
  if (!last || !fix) return true;
  const slackM = JUMP_SLACK_M + Math.min(3 * fix.sdM, JUMP_SLACK_M);
  return apartM(last, fix) <= slackM + MAX_SPEED_MPS * Math.abs(fix.timeS - last.timeS);
}

/**
 * Whether an aircraft that was at one place can be at the other, as fast as it says to fly. One that tells no speed may be
 * anything that flies.
 */
export function canFly(a: Fix, b: Fix): boolean {
  if (Number.isNaN(a.speedMps) && Number.isNaN(b.speedMps)) return fits(a, b);
  const passedS = Math.abs(b.timeS - a.timeS);
  const speedMps = Math.max(a.speedMps || 0, b.speedMps || 0);
  const slackM = FLY_SLACK_M + 3 * Math.min(MAX_FLY_SD_M, Math.max(a.sdM, b.sdM));
  const toldM = FLY_SHARE * speedMps * passedS + (ACCELERATION_MPS2 / 2) * passedS * passedS;
  const mostM = Math.max(FAST_MPS, FAST_SHARE * speedMps) * passedS;
  return apartM(a, b) <= slackM + Math.min(toldM, mostM);
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
