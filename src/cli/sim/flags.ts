import { LEAST_RATE, MOST_RATE } from '../../model/simulator.ts';
import { readArguments } from '../arguments.ts';
import type { Io } from '../io.ts';

const MOST_SEED = 4_294_967_295;

const help = `Usage: dunlin sim run SCENARIO [--seed N] [--rate R|max] [--json]
       dunlin sim list

Plays a scenario without a server, and says what came of it. SCENARIO is the name of a built-in one, of which 'sim list'
tells, or a YAML or JSON file.

  --seed N   another seed than the scenario's: the same one gives the same run
  --rate R   how fast its time passes: ${LEAST_RATE} to ${MOST_RATE}, or max, which is as fast as the box can (max)
  --json     the result as one JSON line
  --help     this text

Exit codes: 0 done, 1 an expectation was not met or the run failed, 2 wrong use.`;

const options = {
  seed: { type: 'string' },
  rate: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export type SimFlags =
  | { act: 'list' }
  | { act: 'run'; scenario: string; seed: number | null; rate: number | 'max'; json: boolean };

/** What the command was called with, or its exit code where it was called for help or wrongly, which has been said. */
export function readSimFlags(argv: readonly string[], io: Io): SimFlags | number {
  const called = readArguments(argv, { name: 'sim', help, options, fault }, io);
  if (typeof called === 'number') return called;
  const { seed, rate = 'max', json = false } = called.values;
  const [act, scenario = ''] = called.words;
  if (act === 'list') return { act };
  return {
    ...{ act: 'run', scenario, json },
    seed: seed === undefined ? null : Number(seed),
    rate: rate === 'max' ? rate : Number(rate),
  };
}

function fault(words: readonly string[], given: { seed?: string; rate?: string; json?: boolean }) {
  const { seed, rate = 'max' } = given;
  const [act, scenario, ...more] = words;
  if (act === 'list') return words.length > 1 || Object.keys(given).length > 0 ? "'sim list' takes nothing else" : null;
  if (act !== 'run') return "say 'sim run SCENARIO' or 'sim list'";
  if (scenario === undefined) return "name a scenario: 'sim list' tells which are built in";
  if (more.length > 0) return `one scenario at a time: '${more[0]}' is one too many`;
  if (seed !== undefined && !(/^\d{1,10}$/.test(seed) && Number(seed) <= MOST_SEED))
    return `--seed is a whole number from 0 to ${MOST_SEED}, not '${seed}'`;
  const isRate = rate === 'max' || (Number(rate) >= LEAST_RATE && Number(rate) <= MOST_RATE);
  return isRate ? null : `--rate is from ${LEAST_RATE} to ${MOST_RATE}, or max, not '${rate}'`;
}
