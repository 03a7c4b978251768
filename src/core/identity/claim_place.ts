import type { Ecef } from '../../geo/position.ts';
import { OBSERVED, OBSERVED_KIND } from '../../model/rows/layouts.ts';

/** Greatest speed that is accepted between two reports, m/s. It is above the speed of airliners. */
const MAX_SPEED_MPS = 350;
const JUMP_SLACK_M = 300;
/**
 * Distance up to which two claims with one name count as one aircraft, m. Three times the position error is added, up
 * to `MAX_SAME_SLACK_M`.
 */
const SAME_PLACE_M = 200;
const MAX_SAME_SLACK_M = 300;
/**
 * Distance from which two transmitters with one name count as separate aircraft, m. Three standard deviations of both
 * positions are added, and `NEAR_SPEED_MPS` for each second between their reports.
 */
const NEAR_M = 100;
const NEAR_SPEED_MPS = 60;
/**
 * Limits of `canFly`, which decides how far an aircraft can get between two reports. The distance includes the position
 * error, an acceleration, and a margin (`FLY_SHARE`) for turns that are reported late. The assumed speed is at most
 * `FAST_MPS` (small aircraft) or 1.5 times the reported speed, whichever is greater.
 */
const FLY_SLACK_M = 40;
const MAX_FLY_SD_M = 1_000;
const FLY_SHARE = 1.3;
const ACCELERATION_MPS2 = 12;
const FAST_MPS = 60;
const FAST_SHARE = 1.5;
/**
 * Limits of `isSteady`, which compares a position with the one that the reported velocity predicts. The tolerance is
 * `STEADY_SLACK_M`, three standard deviations (at most `MAX_STEADY_SD_M` each), and the share `STEADY_SHARE` of the path.
 */
const STEADY_SLACK_M = 20;
const MAX_STEADY_SD_M = 15;
const STEADY_SHARE = 0.35;
const EARTH_RADIUS_M = 6_371_000;

/** Claimed position in ECEF coordinates of a spherical earth, m. */
export type Fix = Ecef & {
  timeS: number;
  sdM: number;
  /** Reported height above the ellipsoid, m; NaN if none is reported. It is not included in the ECEF position. */
  altM: number;
  speedMps: number;
  /** Reported velocity in local axes, m/s; NaN if the report has a speed but no course. */
  eastMps: number;
  northMps: number;
};

export function emptyFix(): Fix {
  return { xM: 0, yM: 0, zM: 0, timeS: 0, sdM: 0, altM: Number.NaN, speedMps: 0, eastMps: 0, northMps: 0 };
}

/**
 * Fills `into` from a packed observation, on a spherical earth. That is accurate enough to judge whether an aircraft
 * can have flown from one position to another. Returns false if the row has no position.
 */
export function readFix(row: Float64Array, at: number, into: Fix): boolean {
  const kind = row[at + OBSERVED.kind];
  if (kind !== OBSERVED_KIND.position && !((kind ?? 0) >= OBSERVED_KIND.repeat)) return false;
  const lat = ((row[at + OBSERVED.azimuthOrLatDeg] ?? 0) * Math.PI) / 180;
  const lon = ((row[at + OBSERVED.elevationOrLonDeg] ?? 0) * Math.PI) / 180;
  const ground = EARTH_RADIUS_M * Math.cos(lat);
  into.xM = ground * Math.cos(lon);
  into.yM = ground * Math.sin(lon);
  into.zM = EARTH_RADIUS_M * Math.sin(lat);
  into.timeS = row[at + OBSERVED.timeS] ?? 0;
  into.sdM = row[at + OBSERVED.sdAzimuthDegOrHM] || 15;
  into.altM = row[at + OBSERVED.rangeOrAltHaeM] ?? Number.NaN;
  into.speedMps = row[at + OBSERVED.saidSpeedMps] ?? Number.NaN;
  into.eastMps = row[at + OBSERVED.eastMps] ?? Number.NaN;
  into.northMps = row[at + OBSERVED.northMps] ?? Number.NaN;
  return true;
}

/**
 * Copies `fix` into `old`, or into a new object if `old` is null. Reuses objects because thousands of positions
 * arrive per second.
 */
export function keep(fix: Fix, old: Fix | null): Fix {
  if (!old) return { ...fix };
  old.xM = fix.xM;
  old.yM = fix.yM;
  old.zM = fix.zM;
  old.timeS = fix.timeS;
  old.sdM = fix.sdM;
  old.altM = fix.altM;
  old.speedMps = fix.speedMps;
  old.eastMps = fix.eastMps;
  old.northMps = fix.northMps;
  return old;
}

/** Distance between two positions, m. */
export function apartM(a: Fix, b: Fix): number {
  const [x, y, z] = [a.xM - b.xM, a.yM - b.yM, a.zM - b.zM];
  return Math.sqrt(x * x + y * y + z * z);
}

export function fits(last: Fix | null, fix: Fix | null): boolean {
  if (!last || !fix) return true;
  const slackM = JUMP_SLACK_M + Math.min(3 * fix.sdM, JUMP_SLACK_M);
  return apartM(last, fix) <= slackM + MAX_SPEED_MPS * Math.abs(fix.timeS - last.timeS);
}

/**
 * Whether an aircraft can fly from one position to the other at its reported speed. If neither report has a speed, the
 * wider limits of `fits` apply.
 */
export function canFly(a: Fix, b: Fix): boolean {
  if (Number.isNaN(a.speedMps) && Number.isNaN(b.speedMps)) return fits(a, b);
  const passedS = Math.abs(b.timeS - a.timeS);
  const speedMps = speedBetween(a.speedMps, b.speedMps, passedS);
  const slackM = FLY_SLACK_M + 3 * Math.min(MAX_FLY_SD_M, Math.max(a.sdM, b.sdM));
  const reportedM = FLY_SHARE * speedMps * passedS + (ACCELERATION_MPS2 / 2) * passedS * passedS;
  const mostM = Math.max(FAST_MPS, FAST_SHARE * speedMps) * passedS;
  return apartM(a, b) <= slackM + Math.min(reportedM, mostM);
}

/**
 * Whether the velocities of both reports predict the change of position. This is stricter than `canFly`, whose result
 * counts if a report has no velocity.
 */
export function isSteady(a: Fix, b: Fix): boolean {
  if (!canFly(a, b)) return false;
  const passedS = b.timeS - a.timeS;
  const eastM = ((a.eastMps + b.eastMps) / 2) * passedS;
  const northM = ((a.northMps + b.northMps) / 2) * passedS;
  if (Number.isNaN(eastM + northM)) return true;
  const ground = Math.hypot(a.xM, a.yM) || 1;
  // Unit vectors east and north at position `a`.
  const [ex, ey] = [-a.yM / ground, a.xM / ground];
  const [nx, ny, nz] = [
    (-a.zM * a.xM) / (ground * EARTH_RADIUS_M),
    (-a.zM * a.yM) / (ground * EARTH_RADIUS_M),
    ground / EARTH_RADIUS_M,
  ];
  const [dx, dy, dz] = [b.xM - a.xM, b.yM - a.yM, b.zM - a.zM];
  const offM = Math.hypot(ex * dx + ey * dy - eastM, nx * dx + ny * dy + nz * dz - northM);
  const pathM = ((Math.hypot(a.eastMps, a.northMps) + Math.hypot(b.eastMps, b.northMps)) / 2) * Math.abs(passedS);
  return offM <= STEADY_SLACK_M + 3 * Math.min(MAX_STEADY_SD_M, Math.max(a.sdM, b.sdM)) + STEADY_SHARE * pathM;
}

/**
 * Highest plausible speed between two reports, m/s. It is the higher reported speed, but at most the speed that an
 * aircraft can reach from the lower one by accelerating.
 */
function speedBetween(a: number, b: number, passedS: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Math.max(a || 0, b || 0);
  return Math.min(Math.max(a, b), Math.min(a, b) + ACCELERATION_MPS2 * passedS);
}

/**
 * Whether the last positions `a` and `b` of two claims count as one position; true if one is unknown. The tolerance
 * grows with the position error that the present report `fix` declares.
 */
export function samePlace(a: Fix | null, b: Fix | null, fix: Fix | null): boolean {
  if (!a || !b) return true;
  return apartM(a, b) <= SAME_PLACE_M + Math.min(MAX_SAME_SLACK_M, 3 * (fix?.sdM ?? 0));
}

/** Whether two positions are too far apart to belong to one aircraft; false if one is unknown. */
export function isApart(a: Fix | null, b: Fix | null): boolean {
  if (!a || !b) return false;
  return apartM(a, b) > NEAR_M + 3 * (a.sdM + b.sdM) + NEAR_SPEED_MPS * Math.abs(a.timeS - b.timeS);
}
