import type { Observation } from '../../../model/observation.ts';
import type { DetectionReport } from '../../wire/sapient/message.ts';
import { lineageOf } from './lineage.ts';
import { observationOf, type RefusedReport, type Reporter } from './observation.ts';

/** Errors of a place of which a fusion node states none, m: nothing is known of how it was made. */
const TRACK_SD_M = 50;
/**
 * Standard deviation of a velocity without an error, m/s for each metre of that of its place, and its bounds. A track of
 * one report a second knows its velocity from about its last three seconds.
 */
const SD_MPS_A_METRE = 1 / 3;
const [LEAST_SD_MPS, MOST_SD_MPS] = [1, 10];
/** Greatest age that a report may state, ms: an older place is none of the present. */
const MOST_AGE_MS = 10_000;
const TOO_OLD: RefusedReport = { why: null };
const NO_PLACE: RefusedReport = { why: 'a fusion node must report places; its bearings are not used' };

/** The track that a report of a fusion node says. */
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
 * Age of the reported place, ms, by the object information `age s` that Dunlin sends. All reports of a turn carry the time of
 * sending, and an aircraft flies on between the time of its place and then.
 */
function ageMsOf({ object_info = [] }: DetectionReport): number {
  const value = Number(object_info.find(({ type }) => type === 'age s')?.value ?? 0);
  return value > 0 ? value * 1_000 : 0;
}

/** Adds the errors that a fusion node left out. */
export function addErrors(read: Observation): void {
  read.sigmaHM ??= TRACK_SD_M;
  read.sigmaVM ??= TRACK_SD_M;
  read.sigmaSpeedMps ??= Math.min(MOST_SD_MPS, Math.max(LEAST_SD_MPS, read.sigmaHM * SD_MPS_A_METRE));
}
