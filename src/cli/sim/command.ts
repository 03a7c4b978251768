import { readFileSync } from 'node:fs';
import { Fault, notFound } from '../../model/fault.ts';
import type { RunMetrics } from '../../model/run.ts';
import type { ScenarioSpec } from '../../model/scenario.ts';
import { LEAST_RATE, MOST_RATE } from '../../model/simulator.ts';
import {
  builtinDeps,
  builtinScenario,
  builtinScenarios,
  builtinText,
  scenarioFiles,
} from '../../sim/scenarios/builtins.ts';
import { scenarioOf } from '../../sim/scenarios/read.ts';
import { reasonOf } from '../../store/failures.ts';
import { readArguments, type Values, wrongUse } from '../arguments.ts';
import { exits, type Io } from '../io.ts';
import { type Played, playScenario } from './play.ts';

const MOST_SEED = 4_294_967_295;

const help = `Usage: dunlin sim run SCENARIO [--seed N] [--rate R|max] [--json]
       dunlin sim list

Plays a scenario without a server, and prints the result. SCENARIO is the name of a built-in scenario, as 'sim list'
prints it, or a YAML or JSON file.

  --seed N   seed in place of that of the scenario; the same seed gives the same run
  --rate R   speed of the scenario's time: ${LEAST_RATE} to ${MOST_RATE}, or max, as fast as possible (default max)
  --json     the result as one JSON line
  --help     this text

Exit codes: 0 done, 1 an expectation was not met or the run failed, 2 wrong use.`;

const options = { seed: { type: 'string' }, rate: { type: 'string' }, json: { type: 'boolean' } } as const;

type SimFlags =
  | { act: 'list' }
  | { act: 'run'; scenario: string; seed: number | null; rate: number | 'max'; json: boolean };

function read(words: readonly string[], given: Values<typeof options>): SimFlags {
  const { seed, rate = 'max', json = false } = given;
  const [act, scenario, ...more] = words;
  if (act === 'list') {
    if (words.length > 1 || Object.keys(given).length > 0) throw wrongUse("'sim list' has no arguments and no options");
    return { act };
  }
  if (act !== 'run') throw wrongUse("use 'sim run SCENARIO' or 'sim list'");
  if (scenario === undefined) throw wrongUse("name a scenario: 'sim list' prints the built-in scenarios");
  if (more.length > 0) throw wrongUse(`name only one scenario: '${more[0]}' is the second one`);
  if (seed !== undefined && !(/^\d{1,10}$/.test(seed) && Number(seed) <= MOST_SEED))
    throw wrongUse(`--seed must be a whole number from 0 to ${MOST_SEED}, not '${seed}'`);
  const pace = rate === 'max' ? rate : Number(rate);
  if (pace !== 'max' && !(pace >= LEAST_RATE && pace <= MOST_RATE))
    throw wrongUse(`--rate must be from ${LEAST_RATE} to ${MOST_RATE}, or max, not '${rate}'`);
  return { act, scenario, json, seed: seed === undefined ? null : Number(seed), rate: pace };
}

/** Runs `dunlin sim`. Resolves with the exit code. */
export async function simCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = readArguments(argv, { name: 'sim', help, options, read }, io);
  if (typeof flags === 'number') return flags;
  if (flags.act === 'list') {
    for (const key of scenarioFiles()) io.out(`${key.padEnd(24)}${builtinScenario(key)?.name ?? 'cannot be read'}`);
    return exits.done;
  }
  try {
    const scenario = scenarioNamed(flags.scenario);
    const seed = flags.seed ?? scenario.seed;
    const played = await playScenario({ scenario, seed, rate: flags.rate }, io);
    if (flags.json) io.out(jsonLine({ scenario: scenario.name, seed, ...played }));
    else for (const line of reportLines({ scenario: scenario.name, seed, ...played })) io.out(line);
    return played.expect.every(({ met }) => met) ? exits.done : exits.failed;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    io.err(`dunlin sim: ${thrown.message}`);
    return thrown.code === 'not_found' ? exits.wrongUse : exits.failed;
  }
}

function scenarioNamed(name: string): ScenarioSpec {
  if (scenarioFiles().includes(name)) return scenarioOf(builtinText(name), builtinDeps);
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch (thrown) {
    const known = builtinScenarios().length > 0 ? `; the built-in scenarios are ${scenarioFiles().join(', ')}` : '';
    throw notFound(`${name} cannot be read: ${reasonOf(thrown)}${known}`);
  }
  return scenarioOf(text, builtinDeps);
}

type RunReport = Played & { scenario: string; seed: number };

/** Returns the result of a run as one JSON line for scripts. The names are those of the HTTP interface. */
function jsonLine({ scenario, seed, metrics, expect, refused, logHash, simulatedS, tookS }: RunReport): string {
  const figures = { simulated_s: simulatedS, took_s: Math.round(tookS * 1_000) / 1_000 };
  return JSON.stringify({ scenario, seed, metrics, expect, refused, log_hash: logHash, ...figures });
}

/** Returns the result of a run as lines for people. */
function reportLines({ scenario, seed, metrics, expect, refused, logHash, simulatedS, tookS }: RunReport): string[] {
  const times = simulatedS / Math.max(tookS, 1e-3);
  return [
    `${scenario}, seed ${seed}: ${simulatedS.toFixed(0)} s in ${tookS.toFixed(1)} s, ${times.toFixed(1)} times real time`,
    '',
    ...Object.entries(metrics).map(([name, value]) => `  ${name.padEnd(18)}${figure(name as keyof RunMetrics, value)}`),
    '',
    ...expect.map(({ text, met }) => `  ${met ? 'met    ' : 'NOT MET'}  ${text}`),
    ...refused.map((sentence) => `  REFUSED  ${sentence}`),
    ...(expect.length + refused.length > 0 ? [''] : []),
    `log_hash ${logHash}`,
  ];
}

function figure(name: keyof RunMetrics, value: number | null): string {
  if (value === null) return 'nothing to measure';
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(name === 'completeness' ? 3 : 1);
}
