import { z } from 'zod';
import { count, namedObject, notNegative, timestamp, unitInterval, uuid } from './scalar.ts';

export const runStates = ['loading', 'running', 'paused', 'stopping', 'completed', 'failed'] as const;
export type RunState = (typeof runStates)[number];

/** Returns true until a run has ended; a paused run has not ended. */
export function isRunGoing(state: RunState): boolean {
  return state !== 'completed' && state !== 'failed';
}

const metres = notNegative.nullable();
const seconds = notNegative.nullable();

/**
 * Metrics of a run, measured against the true objects. A metric that is not a count is null if there was nothing to
 * measure.
 */
export const runMetricsSchema = namedObject('RunMetrics', {
  gospa_m: metres.describe('GOSPA (c 100 m, p 2, alpha 2), mean over all samples'),
  ospa_m: metres.describe('OSPA (c 100 m, p 2), mean over all samples'),
  completeness: unitInterval
    .nullable()
    .describe('completeness (SIAP C): share of the time in which true objects were tracked'),
  id_switches: count.describe('number of track changes of true objects'),
  false_tracks: count.describe('confirmed tracks without a true object of their own; detected fakes do not count'),
  first_detect_s: seconds.describe('median time until a true object has a track, s'),
  position_rmse_m: metres.describe('RMS distance of tracks to their true objects, m'),
  alert_latency_s: seconds.describe('median time from cause to alert, s'),
  alerts_missed: count.describe(
    'hostile actors that were in a guarded zone, or named by an expectation, without an alert',
  ),
  alerts_false: count.describe('alerts of severity warning or above without a cause'),
  tasks_done: count,
  tasks_failed: count,
});
export type RunMetrics = z.infer<typeof runMetricsSchema>;
export const runMetric = runMetricsSchema.keyof();
export type RunMetric = z.infer<typeof runMetric>;

export const runExpectationSchema = namedObject('RunExpectation', {
  text: z.string().describe('sentence that describes the outcome'),
  met: z.boolean(),
});
export type RunExpectation = z.infer<typeof runExpectationSchema>;

export const runSchema = z
  .strictObject({
    id: uuid,
    scenario_id: uuid.nullable().describe('null for a run of an unsaved document'),
    scenario_name: z.string(),
    seed: count,
    state: z.enum(runStates),
    reason: z.string().nullable().describe('reason of a failure or an early end'),
    started_at: timestamp,
    ended_at: timestamp.nullable(),
    simulated_s: notNegative.describe('duration in simulated time, s'),
    build: z.string(),
    policy_version: count,
    metrics: runMetricsSchema.nullable().describe('null before the end'),
    expect: z.array(runExpectationSchema).max(200),
    refused: z
      .array(z.string())
      .max(500)
      .describe('refused orders of the scenario, each with its reason; known after the end'),
    log_hash: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .nullable()
      .describe('equal for equal seed, build and policy'),
  })
  .meta({ id: 'Run', description: 'Run of a scenario, with its outcome' });
export type Run = z.infer<typeof runSchema>;

/** Metrics for which a greater value is better; for all others a smaller value is better. */
const moreIsBetter: ReadonlySet<string> = new Set(['completeness', 'tasks_done']);
const side = z.enum(['a', 'b']);

export const runComparisonSchema = namedObject('RunComparison', {
  a: runSchema,
  b: runSchema,
  same: z
    .strictObject({
      scenario: z.boolean(),
      seed: z.boolean(),
      build: z.boolean(),
      policy_version: z.boolean(),
      log_hash: z.boolean(),
    })
    .describe('common properties of both runs'),
  metrics: z.array(
    z.strictObject({
      metric: runMetric,
      a: z.number().nullable(),
      b: z.number().nullable(),
      difference: z.number().nullable().describe('value of b minus value of a; null if one is missing'),
      better: side.nullable().describe('run with the better value; null for neither'),
    }),
  ),
  expect: z
    .array(z.strictObject({ a: runExpectationSchema.nullable(), b: runExpectationSchema.nullable() }))
    .describe('expectations side by side, in the order of their scenarios'),
});
export type RunComparison = z.infer<typeof runComparisonSchema>;

/** Compares the properties, metrics and expectations of two runs. */
export function compareRuns(a: Run, b: Run): RunComparison {
  const rows = Array.from({ length: Math.max(a.expect.length, b.expect.length) }, (_, i) => ({
    a: a.expect[i] ?? null,
    b: b.expect[i] ?? null,
  }));
  return {
    ...{ a, b, expect: rows },
    same: {
      scenario: a.scenario_id !== null && a.scenario_id === b.scenario_id,
      seed: a.seed === b.seed,
      build: a.build === b.build,
      policy_version: a.policy_version === b.policy_version,
      log_hash: a.log_hash !== null && a.log_hash === b.log_hash,
    },
    metrics: runMetric.options.map((metric) => {
      const [ofA, ofB] = [a.metrics?.[metric] ?? null, b.metrics?.[metric] ?? null];
      const difference = ofA === null || ofB === null ? null : ofB - ofA;
      return { metric, a: ofA, b: ofB, difference, better: betterBy(metric, difference) };
    }),
  };
}

function betterBy(metric: string, difference: number | null): 'a' | 'b' | null {
  if (difference === null || difference === 0) return null;
  return difference > 0 === moreIsBetter.has(metric) ? 'b' : 'a';
}
