import { LocalFrame } from '../../../geo/local_frame.ts';
import type { Observation } from '../../../model/observation.ts';
import type { DetectionReport } from '../../wire/sapient/message.ts';
import { lineageOf } from './lineage.ts';
import { observationOf, type RefusedReport, type Reporter } from './observation.ts';

/**
 * Standard deviation of a position for which a fusion node states none, m. It is large because the origin of the
 * position is unknown.
 */
const TRACK_SD_M = 50;
/**
 * Standard deviation of a velocity without a stated error: m/s for each metre of the position's standard deviation, and
 * the bounds in m/s. A track with one report a second derives its velocity from about the last three seconds.
 */
const SD_MPS_A_METRE = 1 / 3;
const [LEAST_SD_MPS, MOST_SD_MPS] = [1, 10];
/** Greatest age of a reported position, ms. A report of an older position is refused. */
const MOST_AGE_MS = 10_000;
const TOO_OLD: RefusedReport = { why: null };
const NO_PLACE: RefusedReport = { why: 'a fusion node must report positions; its bearings are not used' };

/** Converts a report of a fusion node to an observation with its lineage and the time of the position. */
export function fusedTrackOf(report: DetectionReport, reporter: Reporter): Observation | RefusedReport {
  if (report.location === undefined) return NO_PLACE;
  const read = observationOf(report, reporter);
  if ('why' in read) return read;
  const ageMs = secondsOf(report, 'age s') * 1_000;
  const seenMs = Math.max(ageMs, secondsOf(report, 'seen s') * 1_000);
  if (seenMs > MOST_AGE_MS) return TOO_OLD;
  read.lineage = lineageOf(report, reporter);
  read.timeMs -= seenMs;
  moveBack(read, (seenMs - ageMs) / 1_000);
  return read;
}

/**
 * Returns seconds from the object information that Dunlin sends; 0 without it. `age s` is the age of the reported
 * position: all reports of a cycle state the time of sending, which is later. `seen s` is the time since a sensor saw
 * the aircraft. Without it, boxes that report to each other in a ring would make each report newer than the last.
 */
function secondsOf({ object_info = [] }: DetectionReport, what: 'age s' | 'seen s'): number {
  const value = Number(object_info.find(({ type }) => type === what)?.value ?? 0);
  return value > 0 ? value : 0;
}

/** Moves a position back by its own velocity to the time at which a sensor saw the aircraft. */
function moveBack(read: Observation, seconds: number): void {
  const { latDeg, lonDeg, altHaeM, speedMps, courseDeg, climbMps } = read;
  if (seconds <= 0) return;
  if (altHaeM !== null && climbMps !== null) read.altHaeM = altHaeM - climbMps * seconds;
  if (latDeg === null || lonDeg === null || speedMps === null || courseDeg === null) return;
  const [course, backM] = [(courseDeg * Math.PI) / 180, -speedMps * seconds];
  const frame = new LocalFrame(latDeg, lonDeg, altHaeM ?? 0);
  const place = frame.toGeodetic(backM * Math.sin(course), backM * Math.cos(course), 0);
  read.latDeg = place.latDeg;
  read.lonDeg = place.lonDeg;
}

/** Fills in the standard deviations that a fusion node left out. */
export function addErrors(read: Observation): void {
  read.sigmaHM ??= TRACK_SD_M;
  read.sigmaVM ??= TRACK_SD_M;
  read.sigmaSpeedMps ??= Math.min(MOST_SD_MPS, Math.max(LEAST_SD_MPS, read.sigmaHM * SD_MPS_A_METRE));
}
