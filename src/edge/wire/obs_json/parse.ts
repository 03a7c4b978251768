import type { z } from 'zod';
import { sentenceOfIssues } from '../../../model/issue.ts';
import { type ObservationDocument, observationSchema, type Report } from '../../../model/observation.ts';

export type ParsedObservation =
  | { row: ObservationDocument }
  /**
   * Sentence that names the field and the rule. `reason` is `implausible` if the only faults are numbers out of
   * range.
   */
  | { error: string; reason: 'malformed' | 'implausible' };

/** Required fields by the kind of a report. */
const needed: Readonly<Record<Report, readonly (keyof ObservationDocument)[]>> = {
  position: ['position'],
  range_bearing: ['range_m', 'azimuth_deg'],
  bearing: ['azimuth_deg'],
  presence: [],
  identity: ['identity'],
};

/** Checks one row of `POST /api/ingest/obs` or of an obs_json link. Never throws. */
export function parseObservation(value: unknown): ParsedObservation {
  const parsed = observationSchema.safeParse(value);
  if (!parsed.success) return refusal(parsed.error.issues, value);
  const row = parsed.data;
  for (const field of needed[row.report]) {
    const held = row[field];
    if (held == null || (Array.isArray(held) && held.length === 0)) {
      return { error: `'${field}' is missing, and a report of kind ${row.report} needs it`, reason: 'malformed' };
    }
  }
  return { row };
}

function refusal(issues: readonly z.core.$ZodIssue[], value: unknown): ParsedObservation {
  const structural = issues.filter((issue) => !isRange(issue));
  const relevant = structural.length > 0 ? structural : issues;
  return {
    error: sentenceOfIssues(relevant, 'the observation', value),
    reason: structural.length > 0 ? 'malformed' : 'implausible',
  };
}

function isRange(issue: z.core.$ZodIssue): boolean {
  return (issue.code === 'too_small' || issue.code === 'too_big') && issue.origin === 'number';
}
