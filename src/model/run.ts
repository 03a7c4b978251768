import { z } from 'zod';
import { count, namedObject, notNegative, timestamp, unitInterval, uuid } from './scalar.ts';

export const runStates = ['loading', 'running', 'paused', 'stopping', 'completed', 'failed'] as const;
export type RunState = (typeof runStates)[number];

/** True of a run that has not ended, also while it is paused. */
export function isRunGoing(state: RunState): boolean {
  return state !== 'completed' && state !== 'failed';
}

const metres = notNegative.nullable();
const seconds = notNegative.nullable();

/** Metrics of a run against its truth; null where there was nothing to measure. */
export const runMetricsSchema = namedObject('RunMetrics', {
  gospa_m: metres.describe('GOSPA (c 100 m, p 2, alpha 2), the mean of all looks'),
  ospa_m: metres.describe('OSPA (c 100 m, p 2), the mean of all looks'),
  completeness: unitInterval.nullable().describe('of what had to be followed, so much was (SIAP C)'),
  id_switches: count.describe('how often a thing was followed by another track than before'),
  false_tracks: count.describe(
    'confirmed tracks that never followed anything, or only what had one already; without those found out as fakes',
  ),
  first_detect_s: seconds.describe('median time until a thing was followed, of those that were'),
  position_rmse_m: metres.describe('of tracks from what they follow'),
  alert_latency_s: seconds.describe('median time from when an alert was owed until it was told'),
  alerts_missed: count.describe(
    'hostile actors that came into a guarded zone, or are named by an expectation, untold of',
  ),
  alerts_false: count.describe('alerts of warning and worse for which nothing gave reason'),
  tasks_done: count,
  tasks_failed: count,
});
export type RunMetrics = z.infer<typeof runMetricsSchema>;
export const runMetric = runMetricsSchema.keyof();
export type RunMetric = z.infer<typeof runMetric>;

export const runExpectationSchema = namedObject('RunExpectation', {
  text: z.string().describe('a sentence that tells what was seen'),
  met: z.boolean(),
});
export type RunExpectation = z.infer<typeof runExpectationSchema>;

export const runSchema = z
  .strictObject({
    id: uuid,
    scenario_id: uuid.nullable().describe('null where it ran a document that is no row'),
    scenario_name: z.string(),
    seed: count,
    state: z.enum(runStates),
    reason: z.string().nullable().describe('why it failed, or was ended before its time'),
    started_at: timestamp,
    ended_at: timestamp.nullable(),
    simulated_s: notNegative.describe('how long it went, in its own time'),
    build: z.string(),
    policy_version: count,
    metrics: runMetricsSchema.nullable().describe('null until it has ended'),
    expect: z.array(runExpectationSchema).max(200),
    refused: z
      .array(z.string())
      .max(500)
      .describe('orders of the scenario that were refused, each with its reason; known once the run has ended'),
    log_hash: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .nullable()
      .describe('the same for the same seed, build and policy'),
  })
  .meta({ id: 'Run', description: 'A scenario that was run, and what came of it' });
export type Run = z.infer<typeof runSchema>;

/** Metrics of which more is better; of all others less is. */
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
    .describe('what the two have in common'),
  metrics: z.array(
    z.strictObject({
      metric: runMetric,
      a: z.number().nullable(),
      b: z.number().nullable(),
      difference: z.number().nullable().describe('of b from a; null where one of them was not measured'),
      better: side.nullable().describe('null where neither is'),
    }),
  ),
  expect: z
    .array(z.strictObject({ a: runExpectationSchema.nullable(), b: runExpectationSchema.nullable() }))
    .describe('side by side, in the order of their scenarios'),
});
export type RunComparison = z.infer<typeof runComparisonSchema>;

/** Two runs side by side. */
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
