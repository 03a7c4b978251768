import { parseArgs } from 'node:util';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { LEAST_RATE, MOST_RATE } from '../../model/simulator.ts';

export const simHelp = `Usage: dunlin sim run SCENARIO [--seed N] [--rate R|max] [--json]
       dunlin sim list

Plays a scenario without a server, and says what came of it. SCENARIO is the name of a built-in one, of which 'sim list'
tells, or a YAML or JSON file.

  --seed N   another seed than the scenario's: the same one gives the same run
  --rate R   how fast its time passes: ${LEAST_RATE} to ${MOST_RATE}, or max, which is as fast as the box can (max)
  --json     the result as one JSON line
  --help     this text

Exit codes: 0 done, 1 an expectation was not met or the run failed, 2 wrong use.`;

export type SimFlags =
  | { act: 'help' }
  | { act: 'list' }
  | { act: 'run'; scenario: string; seed: number | null; rate: number | 'max'; json: boolean };

/** Reads the command's words. Throws an `invalid_input` Fault that says what is wrong. */
export function parseSimFlags(argv: readonly string[]): SimFlags {
  const { values, positionals } = parseWords(argv);
  if (values.help) return { act: 'help' };
  const [act, scenario, ...more] = positionals;
  if (act === 'list') return { act };
  if (act !== 'run') throw new Fault('invalid_input', "say 'sim run SCENARIO' or 'sim list'");
  if (scenario === undefined) throw new Fault('invalid_input', "name a scenario: 'sim list' tells which are built in");
  if (more.length > 0) throw new Fault('invalid_input', `one scenario at a time: '${more[0]}' is one too many`);
  return { act, scenario, seed: seedOf(values.seed), rate: rateOf(values.rate), json: values.json === true };
}

function seedOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seed = Number(text);
  if (/^\d{1,10}$/.test(text) && seed <= 4_294_967_295) return seed;
  throw new Fault('invalid_input', `--seed is a whole number from 0 to 4294967295, not '${text}'`);
}

function rateOf(text = 'max'): number | 'max' {
  if (text === 'max') return text;
  const rate = Number(text);
  if (rate >= LEAST_RATE && rate <= MOST_RATE) return rate;
  throw new Fault('invalid_input', `--rate is from ${LEAST_RATE} to ${MOST_RATE}, or max, not '${text}'`);
}

function parseWords(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        rate: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (thrown) {
    throw new Fault('invalid_input', sentenceOf(thrown), { cause: thrown });
  }
}
