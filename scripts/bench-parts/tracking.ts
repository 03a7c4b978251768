import type { Row } from './row.ts';
import { trackingReference } from './tracking_reference.ts';
import { type TrackerOptions, trackAndScore } from './tracking_run.ts';
import { type TrackingScenario, trackingScenarios, whatIsMissing } from './tracking_scenarios.ts';
import type { TrackingScore } from './tracking_score.ts';
import { deviationTable, type Scored, scoreTable } from './tracking_table.ts';
import { trackingTargets } from './tracking_targets.ts';

/** Scenarios that run side by side: the times per report hold where the machine has as many cores. */
const AT_ONCE = 2;

export type TrackingOptions = TrackerOptions & {
  /** Names of scenarios; all where empty. */
  only: readonly string[];
  /** New sets of the same kinds, one a seed; the files as they are where empty. */
  seeds: readonly number[];
};

type Result = { scenario: TrackingScenario; score: TrackingScore | null };

/** The tracker over every scenario, scored against the truth and laid beside the reference. */
export async function benchTracking({ only, seeds, ...options }: TrackingOptions): Promise<Row[]> {
  const missing = await whatIsMissing();
  if (missing !== null) {
    console.log(`\ntracking is left out: ${missing}`);
    return [];
  }
  const results = await runAll(trackingScenarios(only, seeds), options);
  const scored = scoredOf(results);
  const failed = results.filter(({ score }) => score === null).length;
  if (scored.length > 0) console.log(`\n${scoreTable(scored)}`);
  if (seeds.length > 1 && scored.length > 0) {
    console.log(`\nstandard deviation over ${seeds.length} seeds\n${deviationTable(scored)}`);
  }
  const wholeRow: Row = { name: 'scenarios that could not be run', value: failed, unit: '', target: { atMost: 0 } };
  return [wholeRow, ...trackingTargets(scored)];
}

async function runAll(scenarios: readonly TrackingScenario[], options: TrackerOptions): Promise<Result[]> {
  const results: Result[] = scenarios.map((scenario) => ({ scenario, score: null }));
  const waiting = results.values();
  const work = async (): Promise<void> => {
    for (const result of waiting) result.score = await scoreOrSay(result.scenario, options);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

async function scoreOrSay(scenario: TrackingScenario, options: TrackerOptions): Promise<TrackingScore | null> {
  try {
    return await trackAndScore(scenario, options);
  } catch (thrown) {
    const seed = scenario.seed === null ? '' : ` (seed ${scenario.seed})`;
    console.error(`${scenario.name}${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return null;
  }
}

/** Brings the runs of a scenario with different seeds together. */
function scoredOf(results: readonly Result[]): Scored[] {
  const references = trackingReference();
  const names = [...new Set(results.map(({ scenario }) => scenario.name))];
  return names.flatMap((name) => {
    const scores = results.flatMap(({ scenario, score }) => (scenario.name === name && score !== null ? [score] : []));
    if (scores.length === 0) return [];
    return [
      { name, mean: each(scores, mean), deviation: each(scores, deviation), reference: references.get(name) ?? null },
    ];
  });
}

/** Figure by figure, over the runs that have it. */
function each(scores: readonly TrackingScore[], of: (values: readonly number[]) => number): TrackingScore {
  const figures = Object.keys(scores[0] ?? {}) as (keyof TrackingScore)[];
  const known = (name: keyof TrackingScore) =>
    scores.map((score) => score[name]).filter((value) => !Number.isNaN(value));
  return Object.fromEntries(figures.map((name) => [name, of(known(name))])) as TrackingScore;
}

/** NaN of nothing. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of a sample; NaN of fewer than two. */
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}
