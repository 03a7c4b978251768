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
  const ageMs = ageMsOf(report);
  if (ageMs > MOST_AGE_MS) return TOO_OLD;
  read.lineage = lineageOf(report, reporter);
  read.timeMs -= ageMs;
  return read;
}

/**
 * Returns the age of the reported position, ms, from the object information `age s` that Dunlin sends; 0 without it.
 * The age is needed because all reports of a cycle state the time of sending, which is later than the time of the
 * position.
 */
function ageMsOf({ object_info = [] }: DetectionReport): number {
  const value = Number(object_info.find(({ type }) => type === 'age s')?.value ?? 0);
  return value > 0 ? value * 1_000 : 0;
}

/** Fills in the standard deviations that a fusion node left out. */
export function addErrors(read: Observation): void {
  read.sigmaHM ??= TRACK_SD_M;
  read.sigmaVM ??= TRACK_SD_M;
  read.sigmaSpeedMps ??= Math.min(MOST_SD_MPS, Math.max(LEAST_SD_MPS, read.sigmaHM * SD_MPS_A_METRE));
}
